"""Facts about ops stand in their records: each op has those that it needs, they are true, and nobody else lists ops.

A back end, a pass or a view that keeps a list of names of ops of its own says nothing of an op that comes later, and
nobody notices. So such lists are refused, but for rewrites that are about particular ops: those stand in `ABOUT`, each
with its reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np
import pytest

from minitorch_lab.compiler.targets.llvm.builder import Builder
from minitorch_lab.compiler.targets.llvm.maths import Maths
from minitorch_lab.compiler.targets.llvm.words import COMPARING, Words
from minitorch_lab.ops.op import OPS, Op
from minitorch_lab.ops.word import FLOATS, MUCH, TRUTH, WHOLE
from tests.house.source import ROOT, tracked

# ---- what a record must hold ----------------------------------------------------------------------------------------

# Ops entry by entry that kernels do not compute: NumPy runs them between the kernels.
BY_NUMPY = {
    "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh", "atanh", "hypot",
    "exp2", "log2", "log10", "floor_divide", "remainder", "fmod", "nan_to_num", "bitwise_left_shift",
    "bitwise_right_shift", "gcd", "lcm",
}  # fmt: skip


def lacking(op: Op) -> list[str]:
    """What the record of an op lacks, a sentence for each."""
    found: list[str] = []
    if op.entrywise and not (op.word or op.program or op.name in BY_NUMPY):
        found.append(f"{op.name} has no `program`: write it in simpler ops, so that kernels can compute it.")
    if "generator" in op.samples(np.random.default_rng(0))[0][1] and op.effect != "draws":
        found.append(f'{op.name} has no `effect`: it takes a generator, so say effect="draws".')
    if op.word is not None:
        found += lacking_words(op)
    return found


def lacking_words(op: Op) -> Iterator[str]:
    """What the word of an op lacks."""
    word = op.word
    assert word is not None
    if not word.c and not word.sign and not word.helper:
        yield f"{op.name} has no `c`: say how CUDA C writes it, or which `helper` computes it."
    if word.function and word.dtypes & WHOLE and not word.helper:
        yield f"{op.name} has no `helper`: C's {word.function} knows floats alone."
    renamed = word.of_truth and word.dtypes == TRUTH
    written = any(hasattr(part, op.name) for part in (Words, Maths, Builder))
    if not (renamed or word.sign in COMPARING or (word.intrinsic and word.dtypes <= FLOATS) or written):
        yield f"{op.name} has no instructions: write `Words.{op.name}`, or give it a `program` instead of a word."


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_the_record_of_an_op_lacks_nothing(op: Op) -> None:
    assert lacking(op) == []


def test_what_is_left_to_numpy_has_neither_word_nor_program() -> None:
    assert [n for n in BY_NUMPY if not OPS[n].entrywise or OPS[n].word or OPS[n].program] == []


# ---- that the facts are true ----------------------------------------------------------------------------------------

ODD = np.array([0.0, -0.0, 1.0, -1.0, 0.3, -2.5, np.inf, -np.inf, np.nan])
TWO = [op for op in OPS.values() if op.entrywise and op.arity == 2]


def bits(op: Op, *inputs: np.ndarray) -> bytes:
    """The result, bit for bit: 0 and -0 are two numbers, and all NaN are one."""
    params = op.samples(np.random.default_rng(0))[0][1]
    with np.errstate(all="ignore"):
        out = np.asarray(op.impl(*inputs, **params))
    return (np.where(np.isnan(out), np.nan, out) if out.dtype.kind == "f" else out).tobytes()


@pytest.mark.parametrize("op", [op for op in TWO if op.commutes], ids=lambda op: op.name)
def test_inputs_that_may_change_places_give_the_same_bits(op: Op) -> None:
    x, y = (a.ravel() for a in np.meshgrid(ODD, ODD))
    assert bits(op, x, y) == bits(op, y, x)


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.word and op.gives is None and op.arity == 1], ids=repr)
def test_words_that_are_never_negative_say_so(op: Op) -> None:
    if not op.word or not op.word.dtypes & FLOATS:
        return
    with np.errstate(all="ignore"):
        out = op.impl(ODD)
    assert op.word.positive == (not (out < 0).any())


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.moves and not op.effect], ids=lambda op: op.name)
def test_what_moves_entries_makes_none(op: Op) -> None:
    for args, params in op.samples(np.random.default_rng(0)):
        inputs = [np.asarray(a) for a in args]
        out = np.asarray(op.impl(*inputs, **params)).astype("float64")
        assert set(out.ravel()) <= {x for a in inputs for x in a.astype("float64").ravel()}


def test_polynomials_are_of_one_width() -> None:
    assert {op.name for op in OPS.values() if op.word and op.word.cost == MUCH} == {
        op.name for op in OPS.values() if op.word and op.word.dtypes == {"f32"}
    }


# ---- that they stand nowhere else -----------------------------------------------------------------------------------

# Files that speak of particular ops, and why their record could not say it.
ABOUT = {
    "compiler/capture/bytecode/operators.py": "Python's comparisons of plain numbers",
    "compiler/capture/bytecode/ops.py": "Python's methods for x[i], and no ops",
    "compiler/explain/source.py": "Python's own operators; every other op is written as a call",
    "compiler/targets/numpy/choice.py": "which routine of BLAS computes a product",
    "compiler/ir/fake.py": "the two views that keep row order where lengths are symbols",
    "compiler/passes/conv_bn.py": "the moves that a batch norm may stand behind",
    "compiler/passes/linear_act.py": "the products that this pass joins with their bias",
    "compiler/passes/qkv.py": "the products that this pass joins",
    "compiler/passes/simplify.py": "peephole rules, each about one op",
    "compiler/schedule/gaps.py": "the gradient of a relu, as the schedule meets it",
    "compiler/schedule/translate.py": "how kernels look at what moves: maps of indices, which only the schedule has",
    "compiler/schedule/triangles.py": "comparisons with a diagonal, as the schedule makes them",
    "compiler/ir/sizes.py": "arithmetic of lengths, which are no tensors",
    "func/boxing.py": "the two views that keep row order where lengths are symbols",
    "autograd/short.py": "Python's operators, and the ops that they call",
    "nn/functional/activation.py": "the functions of this module, under PyTorch's names",
    "nn/functional/recurrent.py": "the nonlinearities of a recurrent layer, as PyTorch calls them",
    "nn/functional/vector.py": "how the rows of a bag are put together, as PyTorch calls it",
    "nn/init.py": "PyTorch's table of gains",
    "nn/recurrent.py": "the nonlinearities of a recurrent layer, as PyTorch calls them",
    "optim/lr_scheduler/cycles.py": "the shapes of a cycle, as PyTorch calls them",
    "optim/swa_utils.py": "the shapes of the way to the last rate, as PyTorch calls them",
    "nn/transformer.py": "the activations of a layer, as PyTorch calls them",
    "ops/scattering.py": "the reductions of a scatter, as PyTorch calls them",
    "ops/spoken.py": "the roundings of a quotient, as PyTorch calls them",
    "ops/loss.py": "the reductions of a loss, as PyTorch calls them",
    "widgets/formulas.py": "where a minus needs brackets",
    "widgets/forward.py": "sums, of which no product is told",
}
SIDES = ("lessons/", "grade/", "widgets/sample.py")  # made-up and taught programs, which consist of particular ops


def listed(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Where names of ops are listed, at least two together: in sets, dicts, tuples, lists and split texts."""
    for node in ast.walk(tree):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.Set | ast.Tuple | ast.List):
            parts = list(node.elts)
        elif isinstance(node, ast.Dict):
            parts = list(node.keys)
        texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            texts = str(getattr(node.func.value, "value", "")).split()
        names = [t for t in texts if t in OPS]
        if len(names) > 1 and 2 * len(names) >= len(texts):
            yield getattr(node, "lineno", 0), names


def places(text: str) -> list[str]:
    """The lists of ops in a file."""
    tree = ast.parse(text)
    return [f"{line}: {', '.join(names)}" for line, names in listed(tree)]


def test_no_file_keeps_a_list_of_ops_of_its_own() -> None:
    found: dict[str, list[str]] = {}
    for path in tracked("minitorch_lab/*.py"):
        name = path.as_posix().removeprefix("minitorch_lab/")
        if not name.startswith(SIDES) and (lists := places((ROOT / path).read_text("utf-8"))):
            found[name] = lists
    new = {name: lists for name, lists in found.items() if name not in ABOUT}
    assert new == {}, "Make it a field of Op (ops/op.py), and ask the record."
    assert sorted(ABOUT) == sorted(found), "A file that lists no ops any more: take it out of ABOUT."


@pytest.mark.parametrize(
    "text",
    [
        'CHEAP = {"add", "relu"}',
        'if name in ("exp", "log"): pass',
        'X = {"sum": 1, "amax": 2}',
        'W = "add sub".split()',
    ],
)
def test_a_list_of_ops_is_seen(text: str) -> None:
    assert len(places(text)) == 1
    assert places(text.replace("add", "a").replace("exp", "b").replace("sum", "c")) == []
