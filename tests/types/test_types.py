"""What a type checker and completion say of a student's file; and stubs that say what the code says."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import runpy
import subprocess
import sys
from doctest import DocTestParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jedi
import pytest

import minitorch_lab as ml
from minitorch_lab.ops.front import FUNCTIONS
from tests.house.source import ROOT
from tests.types import stubs

HERE = Path(__file__).parent
WRITTEN = {path.as_posix(): (ROOT / path).read_text("utf-8") for path in stubs.stubs()}
METHODS = WRITTEN[stubs.METHODS_STUB.as_posix()]


@pytest.fixture(autouse=True, scope="module")
def parsed_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each process of a test run keeps what jedi has parsed in a folder of its own: jedi reads files half written."""
    jedi.settings.cache_directory = str(tmp_path_factory.mktemp("jedi"))


def test_stubs_say_what_the_code_says() -> None:
    for path, text in stubs.stubs().items():
        assert (ROOT / path).read_text("utf-8") == text, f"{path} is out of date: run python -m tests.types.stubs"


def test_the_package_says_that_it_has_types() -> None:
    assert (ROOT / "minitorch_lab" / "py.typed").is_file()


def checked(name: str, folder: Path) -> list[Any]:
    """What strict checking finds in a file of this folder, as a project of its own that has the package installed."""
    (folder / "given.py").write_text((HERE / name).read_text("utf-8"), "utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return json.loads(done.stdout)["generalDiagnostics"]


def test_strict_checking_finds_nothing_in_a_students_file(tmp_path: Path) -> None:
    assert [(d["range"]["start"]["line"] + 1, d["message"]) for d in checked("student.py", tmp_path)] == []


def test_the_students_file_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "student.py"), run_name="__main__")
    assert "(3, 4)" in capsys.readouterr().out


def test_strict_checking_finds_every_mistake(tmp_path: Path) -> None:
    lines = (HERE / "mistakes.txt").read_text("utf-8").splitlines()
    planted = {number for number, line in enumerate(lines, 1) if "# mistake" in line}
    found = {d["range"]["start"]["line"] + 1 for d in checked("mistakes.txt", tmp_path) if d["severity"] == "error"}
    assert len(planted) > 20
    assert found == planted


@pytest.mark.parametrize(
    "code",
    ["ml.ones(3).sum().", "ml.sin(ml.ones(3)).", "(ml.ones(3) - 1).", "ml.nn.functional.softmax(ml.ones(3), 0).",
     "ml.ones(3).sort().values.sum().__class__ and ml.ones(3)[0]."],
)  # fmt: skip
def test_completion_offers_the_methods_of_a_result(code: str) -> None:
    offered = {c.name for c in jedi.Script(f"import minitorch_lab as ml\n{code}").complete()}
    missing = {name for name in vars(ml.Tensor) if not name.startswith("_")} - offered
    assert missing <= set(ml.Tensor.__slots__)


def test_completion_in_a_notebook_goes_through_calls() -> None:
    offered = {c.name for c in jedi.Interpreter("x.sum().", [{"x": ml.ones(3)}]).complete()}
    assert {"sum", "backward", "reshape", "clamp_"} <= offered


def test_completion_of_the_package_offers_its_public_names() -> None:
    offered = {c.name for c in jedi.Script("import minitorch_lab as ml\nml.").complete()}
    assert set(ml.__all__) <= offered


# ---- that the stubs are true ----------------------------------------------------------------------------------------


def results(text: str) -> dict[str, list[str]]:
    """The types of the results that a stub declares, by name."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(ast.unparse(node.returns or ast.Constant(None)))
    return found


def is_a(value: Any, kind: str) -> bool:
    """Whether a value is of the type that a stub names."""
    plain = {"_bool": bool, "_int": int, "_float": float, "str": str}
    if kind == "_Any" or " | " in kind:
        return kind == "_Any" or any(is_a(value, k) for k in kind.split(" | "))
    if kind == "Tensor":
        return isinstance(value, ml.Tensor)
    if kind.startswith("tuple["):
        return type(value) is tuple
    return isinstance(value, plain[kind]) if kind in plain else type(value).__name__ == kind


def examples(fn: Any) -> list[str]:
    """What a function's documentation shows."""
    return [e.source for e in DocTestParser().get_examples(fn.__doc__ or "") if not e.source.startswith("import mini")]


@pytest.mark.parametrize("name", [name for name in sorted(FUNCTIONS) if examples(FUNCTIONS[name])])
def test_a_function_gives_what_its_stub_says(name: str) -> None:
    given: list[Any] = []

    def noted(*args: Any, **kwargs: Any) -> Any:
        given.append(FUNCTIONS[name](*args, **kwargs))
        return given[-1]

    if name not in ml.__all__:
        pytest.skip("a method alone")
    spied = SimpleNamespace(**{n: getattr(ml, n) for n in ml.__all__ if n != name}, **{name: noted})
    names: dict[str, Any] = {"ml": spied}
    for example in examples(FUNCTIONS[name]):
        exec(example, names)
    declared = results(WRITTEN["minitorch_lab/__init__.pyi"])[name]
    for value in given:
        assert any(is_a(value, kind) for kind in declared), (type(value), declared)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("x.max()", "Tensor"), ("x.max(1)", "Extremes"), ("x.max(x)", "Tensor"), ("x.median(1)", "Sorted"),
        ("x.sort()", "Sorted"), ("x.topk(1)", "Sorted"), ("x.mode()", "Sorted"), ("x.kthvalue(1)", "Sorted"),
        ("x.cummax(0)", "Running"), ("x.split(1)", "tuple[Tensor, ...]"), ("x.unbind()", "tuple[Tensor, ...]"),
        ("x.chunk(2)", "tuple[Tensor, ...]"), ("x.hsplit(3)", "tuple[Tensor, ...]"), ("x.nonzero()", "Tensor"),
        ("x.nonzero(as_tuple=True)", "tuple[Tensor, ...]"), ("x.type()", "str"), ("x.type(ml.int64)", "Tensor"),
        ("x.unique()", "Tensor"), ("x.aminmax()", "Range"), ("x.tensor_split(2)", "tuple[Tensor, ...]"),
        ("x.slogdet()", "SignedLog"), ("x.equal(x)", "_bool"), ("x.clamp_(0)", "Tensor"), ("x == x", "Tensor"),
        ("x.histogram(3)", "Histogram"), ("-x", "Tensor"), ("2 * x", "Tensor"),
    ],
)  # fmt: skip
def test_a_method_gives_what_its_stub_says(call: str, kind: str) -> None:
    x = ml.arange(9.0).reshape(3, 3) + ml.eye(3)
    assert is_a(eval(call, {"x": x, "ml": ml}), kind)
    assert all(kind in results(METHODS)[name] for name in re.findall(r"^x\.(\w+)\(", call))


def test_a_stub_takes_what_help_shows() -> None:
    declared = {
        node.name: [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        for node in ast.parse(WRITTEN["minitorch_lab/__init__.pyi"]).body
        if isinstance(node, ast.FunctionDef) and not node.decorator_list
    }
    beside = {"out", "dtype", "unbiased"}
    for name, given in declared.items():
        shown = inspect.signature(getattr(ml, name)).parameters.values()
        named = [p.name for p in shown if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        assert [n for n in given if n not in beside - {*named}] == named, name
