"""`ml.compile.explain`: the text, the data and their links; what is explained is called once and left as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.explain import SCHEMA, Explanation, explain
from minitorch_lab.errors import ArgumentError
from tests.compile.explain_samples import generating, leaky, print_break, raising, storing, three, trained

PRINT_BREAK = (
    "print_break: 2 graphs, 1 break, 4 guards, 3 ops (mode default, backend numpy)\n"
    "\n"
    "The function\n"
    "   4 def print_break(x):\n"
    "   5     y = x * 1 + 1\n"
    '   6     print("middle")\n'
    "     ╌╌ graph break: print() writes to the screen\n"
    "   7     return y * 2\n"
    "\n"
    "The guards\n"
    "  grad_mode.get()                        True\n"
    "  x                                      a Tensor f32[2] on cpu, no gradient\n"
    "  'print' in globals_of_explain_samples  False\n"
    "  print('middle')                        None\n"
    "\n"
    "Region g1, from line 5: y = x * 1 + 1\n"
    "  captured\n"
    "    graph_0(x: f32[2]):\n"
    "        mul: f32[2] = mul(x, 1)\n"
    "        add: f32[2] = add(mul, 1)\n"
    "        return (add,)\n"
    "  simplify: 4 → 3 nodes (x * 1: 1)\n"
    "    graph_0(x: f32[2]):\n"
    "        add: f32[2] = add(x, 1)\n"
    "        return [add]\n"
    "  nothing to do for conv_bn, layout, simplify, fold, cse, linear_act, qkv, dce\n"
    "  values kernel, numpy\n"
    "    def f(x):\n"
    "        add = np.add(x, 1)  # f32[2]\n"
    "        return [add]\n"
    "    1 launch, 16 bytes, 0.12 operations a byte\n"
    "\n"
    "Region g2, from line 7: return y * 2\n"
    "  captured\n"
    "    graph_1(v2: f32[2]):\n"
    "        mul: f32[2] = mul(v2, 2)\n"
    "        return (mul,)\n"
    "  nothing to do for simplify, conv_bn, layout, fold, cse, linear_act, qkv, dce\n"
    "  values kernel, numpy\n"
    "    def f(v2):\n"
    "        mul = np.multiply(v2, 2)  # f32[2]\n"
    "        return [mul]\n"
    "    1 launch, 16 bytes, 0.12 operations a byte\n"
)

LEAKY = (
    "leaky: 2 graphs, 1 break, 3 guards, 3 ops (mode default, backend numpy)\n"
    "\n"
    "The function\n"
    "  10 def leaky(x):\n"
    "  11     if x.sum() > 0:\n"
    "     ╌╌ graph break: Python decides by an entry of a tensor\n"
    "  12         return x\n"
    "  13     return 0.1 * x\n"
    "\n"
    "The guards\n"
    "  grad_mode.get()  True\n"
    "  x                a Tensor f32[2] on cpu, no gradient\n"
    "  bool(v2)         False\n"
    "\n"
    "Region g1, from line 11: if x.sum() > 0:\n"
    "  captured\n"
    "    graph_0(x: f32[2]):\n"
    "        sum: f32[] = sum(x, axis=(0,), keepdims=False)\n"
    "        gt: b8[] = gt(sum, 0)\n"
    "        return (gt,)\n"
    "  nothing to do for simplify, conv_bn, layout, fold, cse, linear_act, qkv, dce\n"
    "  values kernel, numpy\n"
    "    def f(x):\n"
    "        sum = sum_op(x, axis=(0,), keepdims=False)  # f32[]\n"
    "        gt = np.greater(sum, 0)  # b8[]\n"
    "        return [gt]\n"
    "    2 launches, 17 bytes, 0.12 operations a byte\n"
    "\n"
    "Region g2, from line 13: return 0.1 * x\n"
    "  captured\n"
    "    graph_1(x: f32[2]):\n"
    "        mul: f32[2] = mul(0.1, x)\n"
    "        return (mul,)\n"
    "  nothing to do for simplify, conv_bn, layout, fold, cse, linear_act, qkv, dce\n"
    "  values kernel, numpy\n"
    "    def f(x):\n"
    "        mul = np.multiply(0.1, x)  # f32[2]\n"
    "        return [mul]\n"
    "    1 launch, 16 bytes, 0.12 operations a byte\n"
)


def before_the_program(told: Explanation) -> str:
    return str(told).split("\nThe program")[0]


def test_row_A6_the_print_break_explained(capsys: pytest.CaptureFixture[str]) -> None:
    told = ml.compile.explain(print_break, ml.ones(2))
    assert capsys.readouterr().out == "middle\n"
    assert before_the_program(told) == PRINT_BREAK
    program, times = str(told).split("\nThe program\n")[1].split("\n\n")
    assert "\n".join(program.splitlines()[-5:]) == (
        "      v2, = graph_0(x)\n"
        "      v3 = print('middle')\n"
        "      if not (v3 is None): return miss(1, locals())\n"
        "      v4, = graph_1(v2)\n"
        "      return v4"
    )
    assert times.startswith("Times: capture ")


def test_row_A6_leaky_relu_explained() -> None:
    assert before_the_program(ml.compile.explain(leaky, ml.tensor([-1.0, -2.0]))) == LEAKY


def data(fn: Any, *args: Any) -> dict[str, Any]:
    told = explain(fn, *args).to_dict()
    assert json.loads(json.dumps(told)) == told
    return told


def test_every_reference_leads_somewhere() -> None:
    told = data(trained, ml.ones(2, 3), ml.ones(3, 3, requires_grad=True))
    assert told["schema"] == SCHEMA
    nodes = {n["id"]: n for g in told["graphs"].values() for n in g["nodes"]}
    assert all(feed in nodes for n in nodes.values() for feed in n["feeds"])
    (region,) = told["regions"]
    training = region["training"]
    stages = [region["captured"], region["pure"], *(training[k] for k in ("joint", "optimized", "forward", "backward"))]
    stages += [step[k] for step in region["steps"] for k in ("before", "after")]
    assert all(stage in told["graphs"] for stage in stages)
    assert all(saved["node"] in nodes for saved in training["saved"])
    assert training["nbytes"] == sum(saved["nbytes"] for saved in training["saved"])
    kernels = {k["id"]: k for k in told["kernels"]}
    assert [kernels[training["kernels"][k]]["graph"] for k in ("forward", "backward")] == stages[4:6]
    references = {x["id"] for x in (*told["guards"], *told["breaks"], *told["regions"])}
    assert all(step["ref"] in references | {None} for step in (*told["tree"], *told["program"]["lines"]))


def test_a_line_leads_to_its_nodes_and_to_its_code() -> None:
    told = data(trained, ml.ones(2, 3), ml.ones(3, 3, requires_grad=True))
    (region,) = told["regions"]
    line = region["place"]["line"]
    assert region["place"]["text"] == "return (x @ w * 1).relu().sum()"
    graph = told["graphs"][region["training"]["forward"]]
    assert {n["name"] for n in graph["nodes"] if n["place"]} == {"matmul", "relu", "sum"}
    code = next(k for k in told["kernels"] if k["stage"] == "forward")
    assert {row["node"]: row["place"]["line"] for row in code["lines"] if row["place"]} == {
        "matmul": line, "relu": line, "sum": line,
    }  # fmt: skip
    assert region["wanted"] == ["w"]
    assert region["training"]["primals"] == {"primals_1": "x", "primals_2": "w"}
    assert next((s["name"], s["done"]) for s in region["steps"] if s["changed"]) == ("simplify", {"x * 1": 2})


def test_the_tree_and_its_breaks() -> None:
    told = data(print_break, ml.ones(2))
    assert [(s["kind"], s["ref"]) for s in told["tree"]] == [
        ("guard", "q1"), ("guard", "q2"), ("guard", "q3"), ("graph", "g1"), ("break", "b1"), ("guard", "q4"),
        ("graph", "g2"), ("return", None),
    ]  # fmt: skip
    assert [s["parent"] for s in told["tree"]] == [None, *(s["id"] for s in told["tree"][:-1])]
    (found,) = told["breaks"]
    assert (found["before"], found["after"], found["place"]["line"]) == ("g1", ["g2"], 6)
    assert [row["kind"] for row in told["program"]["lines"]][-5:] == ["graph", "break", "guard", "graph", "return"]
    assert told["counts"] == {
        "captures": 1, "graphs": 2, "empty": 0, "continuations": 1, "breaks": 1, "guards": 4, "ops": 3,
    }  # fmt: skip


def test_the_names_of_a_module_s_parts() -> None:
    told = data(nn.Sequential(nn.Linear(3, 2)), ml.ones(1, 3))
    assert told["function"]["name"] == "Sequential"
    assert "def forward(self, " in told["function"]["lines"][0]["text"]
    (region,) = told["regions"]
    assert {a["facts"]: a["requires_grad"] for a in region["arguments"]} == {
        "f32[1, 3]": False, "f32[2, 3]": True, "f32[2]": True,
    }  # fmt: skip
    assert any(a["stands_for"].endswith(".weight") for a in region["arguments"])


def test_the_function_is_called_once_and_its_own_state_stays() -> None:
    compiled, box = ml.compile(storing), []
    x = ml.ones(2)
    told = explain(compiled, x, box).to_dict()
    assert (x.tolist(), len(box), compiled.captures, compiled.text) == ([2.0, 2.0], 1, 0, ml.compile(storing).text)
    assert told["regions"][0]["writes"] == ["x"]
    compiled(x, box)
    assert (compiled.captures, len(box)) == (1, 2)


def test_settings_are_those_of_the_compiled_function() -> None:
    compiled = ml.compile(leaky, backend="eager", options={"passes": ["cse"]})
    told = explain(compiled, ml.tensor([1.0])).to_dict()
    assert told["settings"] == {"mode": "default", "backend": "eager", "fullgraph": False}
    assert [s["name"] for s in told["regions"][0]["steps"]] == ["cse"]


def test_what_calls_have_left_behind() -> None:
    f = ml.compile(lambda x: x * 2)
    f(ml.ones(2))
    f(ml.ones(3))
    told = Explanation.of(f).to_dict()
    assert [r.split(" (")[0] for r in told["recompiles"]] == ["x: shape"]
    assert [a["means"] for a in told["guards"][1]["answers"]] == [
        "a Tensor f32[2] on cpu, no gradient",
        "a Tensor f32[≥2] on cpu, no gradient",
    ]
    assert [r["plain"] for r in told["regions"]] == ["k1", None]  # with a length left open, it is compiled when it runs
    f(ml.ones(4))
    assert [r["plain"] for r in Explanation.of(f).to_dict()["regions"]] == ["k1", "k2"]
    assert "Captured again, for x: shape (2,), now (3,)" in str(Explanation.of(f))


def test_an_error_is_part_of_the_answer() -> None:
    told = data(raising, ml.ones(2))
    assert (told["outcome"]["kind"], told["outcome"]["text"]) == ("raised", "ValueError: no")
    assert told["outcome"]["place"]["text"] == 'raise ValueError("no")'
    told = data(ml.compile(print_break, fullgraph=True), ml.ones(2))
    assert told["outcome"]["text"].startswith("CaptureError: print_break cannot be one graph: print() writes to")


def test_what_stays_eager_says_why() -> None:
    told = data(generating, ml.ones(2))
    assert (told["eager"], told["regions"]) == ("it is a generator", [])
    assert "It runs eagerly: it is a generator." in str(explain(generating, ml.ones(2)))
    with ml.inference_mode():
        assert str(explain(leaky, ml.tensor([1.0]))).startswith("leaky: ")


def test_explain_of_no_function() -> None:
    with pytest.raises(ArgumentError) as caught:
        explain(3)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "explain got an object of type int.\n  It captures a function while it calls it with the arguments that follow."
        "\n  Did you mean ml.compile.explain(fn, *args)? Without parentheses after fn."
    )
    with pytest.raises(ArgumentError, match=r"Explanation.of got leaky.\n  It tells what the calls"):
        Explanation.of(leaky)


def test_a_number_that_differs_is_an_argument() -> None:
    compiled = ml.compile(lambda x, k: x * k)
    for k in (0.5, 1.5):
        compiled(ml.ones(2), k)
    told = Explanation.of(compiled).to_dict()
    assert [a["stands_for"] for a in told["regions"][0]["arguments"]] == ["x", "k"]


def test_sizes_that_are_left_open_are_texts() -> None:
    compiled, w = ml.compile(lambda x: (x @ w).relu().sum(), dynamic=True), ml.ones(2, 2, requires_grad=True)
    told = data(compiled, ml.ones(3, 2))
    (region,) = told["regions"]
    graph = told["graphs"][region["captured"]]
    assert [(n["name"], n["shape"], n["nbytes"]) for n in graph["nodes"]][:2] == [
        ("x", ["s0", "s1"], 24), ("v1", ["s1", "s3"], 16),
    ]  # fmt: skip
    assert region["training"]["nbytes"] == 48  # of the sizes at hand
    assert told["kernels"][0]["source"].startswith("def f(s0, s1, s3, primals_1, primals_2):")
    for n in (3, 4):
        compiled(ml.ones(n, 2))
    (variant,) = compiled._compiled.space["graph_0"].variants
    relations = list(map(str, variant.relations))
    Explanation.of(compiled)
    assert list(map(str, variant.relations)) == relations, "to explain asks nothing of a size"


def test_the_names_of_closures() -> None:
    net = nn.Linear(2, 1)
    told = data(lambda x: net(x), ml.ones(1, 2))
    assert {"net", "net.weight", "net.bias"} <= {guard["stands_for"] for guard in told["guards"]}


# ---- what is fused --------------------------------------------------------------------------------------------------
def test_row_A11_fusion_groups_with_bytes_and_intensity() -> None:
    vectors = [ml.randn(1000) for _ in range(4)]
    told = data(ml.compile(three, backend="llvm"), *vectors)
    (kernel,) = told["kernels"]
    assert kernel["traffic"] == {
        "launches": 1, "flops": 3000, "nbytes": 20_000, "intensity": 3 / 20,
        "op_by_op": {"launches": 3, "flops": 3000, "nbytes": 36_000, "intensity": 3000 / 36_000},
    }  # fmt: skip
    (group,) = kernel["groups"]
    assert (group["nodes"], group["nbytes"], group["intensity"]) == (["add", "mul", "add_1"], 20_000, 0.15)
    assert (group["reads"], group["writes"]) == (dict.fromkeys("dcab", 4000), {"add_1": 4000})
    first = three.__code__.co_firstlineno
    assert [(row["text"].strip(), row["node"], row["place"] and row["place"]["line"]) for row in group["lines"]] == [
        ("for j in 1000:", None, None),
        ("add = a[j] + b[j]", "add", first + 1),
        ("mul = add * c[j]", "mul", first + 2),
        ("add_1[j] = d[j] + mul", "add_1", first + 3),
    ]
    told = str(explain(ml.compile(three, backend="llvm"), *vectors))
    assert "pointwise_0: add, mul, add_1 (20,000 bytes, 0.15 operations a byte)\n" in told
    assert "1 launch, 20,000 bytes, 0.15 operations a byte; op by op 3 launches, 36,000 bytes\n" in told


def test_without_fusion_each_op_is_a_launch() -> None:
    (kernel,) = data(three, *[ml.randn(1000) for _ in range(4)])["kernels"]
    assert [(g["name"], g["nbytes"], g["lines"]) for g in kernel["groups"]] == [
        ("add", 12_000, []), ("mul", 12_000, []), ("add_1", 12_000, []),
    ]  # fmt: skip
    assert kernel["traffic"]["op_by_op"] == {k: v for k, v in kernel["traffic"].items() if k != "op_by_op"}
    memory = kernel["memory"]
    assert (memory["size"], memory["peak"], memory["unshared"]) == (4032, "add", 4032)  # mul is written over add


def test_of_sizes_that_are_left_open_nothing_is_counted() -> None:
    kernel = data(ml.compile(lambda x: (x + 1).relu(), dynamic=True), ml.ones(3))["kernels"][0]
    assert (kernel["traffic"], kernel["groups"]) == (None, [])
