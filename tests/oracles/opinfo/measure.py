"""One op on both sides: each sample of PyTorch in each form, and the inputs that must be refused."""

from __future__ import annotations

import random
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import torch
from torch.testing._internal.opinfo.core import OpInfo, SampleInput

import minitorch_lab as ml
from minitorch_lab.autograd import grad as our_grad
from minitorch_lab.errors import ArgumentError, MinitorchError

from .argued import AFTER, BEFORE, KINKS
from .forms import RANDOM, Form, forms
from .values import FLAG, ForeignError, Translation, differences, distance, leaves, tensors

DTYPES = (torch.float64, torch.float32, torch.int64, torch.bool)
SAMPLES = 24  # of one op and dtype, spread over all that PyTorch has
ENTRIES = 3000  # in one sample


@dataclass
class Row:
    """What was found of one op."""

    calls: int = 0
    differing: Counter[str] = field(default_factory=Counter)
    raising: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    to_refuse: int = 0
    notes: list[str] = field(default_factory=list)

    def differs(self, cause: str, where: str, detail: str) -> None:
        """Note a difference."""
        self.differing[cause] += 1
        self.notes.append(f"{cause}: {where}: {detail}")

    def __add__(self, other: Row) -> Row:
        """Both together."""
        return Row(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Row)))


def measure(info: OpInfo) -> Row:
    """All samples of one op in all its forms, and all its inputs that must be refused."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return measured(info)
    finally:
        torch.set_num_threads(threads)


def measured(info: OpInfo) -> Row:
    """The same, on one thread."""
    row = Row()
    for kind in DTYPES:
        for number, sample in enumerate(samples(info, kind)):
            for form in forms(info):
                where = f"{form.label} {str(kind).removeprefix('torch.')} #{number} {shown(sample)}"
                compare(row, info, form, sample, kind, where)
    refuse(row, info)
    return row


def samples(info: OpInfo, kind: torch.dtype) -> list[SampleInput]:
    """PyTorch's samples of one dtype, small ones, at most `SAMPLES`, the same ones every time."""
    if kind not in info.supported_dtypes("cpu"):
        return []
    seed()
    with quiet():
        found = list(info.sample_inputs("cpu", kind, requires_grad=kind is torch.float64 and info.supports_autograd))
    small = [s for s in found if sum(t.numel() for t in tensors((s.input, s.args, s.kwargs), torch.Tensor)) <= ENTRIES]
    return [small[k * len(small) // SAMPLES] for k in range(SAMPLES)] if len(small) > SAMPLES else small


def compare(row: Row, info: OpInfo, form: Form, sample: SampleInput, kind: torch.dtype, where: str) -> None:
    """One call on both sides."""
    if form.label.startswith(("method", "in place")) and not isinstance(sample.input, torch.Tensor):
        return
    given = fresh((sample.input, sample.args, sample.kwargs))
    try:
        ours = Translation()(given)
    except ForeignError:
        return
    kind_name = str(kind).removeprefix("torch.")
    theirs, wrong = attempt(form, form.theirs, given)
    answer, problem = attempt(form, form.ours, ours)
    if isinstance(problem, ForeignError):
        return
    if wrong is not None:
        if problem is None:
            row.differs(f"{kind_name} accepted", where, f"{type(wrong).__name__}: {wrong}".split("\n")[0])
        return
    row.calls += 1
    if problem is not None:
        row.raising[why(problem)] += 1
        row.notes.append(f"raised: {where}: {type(problem).__name__}: {problem}".replace("\n", " "))
        return
    both = processed(info, sample, (given, ours), (theirs, answer))
    found = [*differences(*both, random=drawn(info, sample)), *aliases(given, ours, *both)]
    found.sort(key=lambda difference: difference[0] == FLAG)
    if {cause for cause, _ in found} <= {FLAG} and differentiable(info, sample, kind):
        found = [*gradients(info, given, ours, *both), *found]
    if found:
        cause, detail = found[0]
        row.differs(f"{kind_name} {cause}", where, detail)


def differentiable(info: OpInfo, sample: SampleInput, kind: torch.dtype) -> bool:
    """Whether gradients can be compared."""
    return kind is torch.float64 and info.supports_autograd and not drawn(info, sample)


def drawn(info: OpInfo, sample: SampleInput) -> bool:
    """Whether the entries are random, so that only their shape and dtype can be compared."""
    return info.name in RANDOM or sample.kwargs.get("dropout_p", 0) > 0


def aliases(given: Any, ours: Any, theirs: Any, answer: Any) -> Iterator[tuple[str, str]]:
    """Results that share memory with an input on one side only."""
    inputs, twins = tensors(given, torch.Tensor), tensors(ours, ml.Tensor)
    for t, m in zip(tensors(theirs, torch.Tensor), tensors(answer, ml.Tensor), strict=False):
        if not t.numel() or not isinstance(m.value, np.ndarray):
            continue
        shares = any(t.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() for x in inputs)
        if shares != any(np.may_share_memory(m.value, x.value) for x in twins):
            yield "memory", "shared" if shares else "not shared"


def fresh(value: Any) -> Any:
    """A copy whose tensors may be written: the next form starts from the same entries."""
    copies: dict[int, torch.Tensor] = {}

    def copy(v: Any) -> Any:
        if isinstance(v, torch.Tensor):
            if id(v) not in copies:
                copies[id(v)] = twin(v)
            return copies[id(v)]
        if isinstance(v, (tuple, list)) and not isinstance(v, torch.Size):
            return type(v)(map(copy, v))
        return {k: copy(w) for k, w in v.items()} if isinstance(v, dict) else v

    return copy(value)


def twin(t: torch.Tensor) -> torch.Tensor:
    """A leaf with the same entries and strides."""
    if t.layout != torch.strided or t.is_contiguous():
        return t.detach().clone().requires_grad_(t.requires_grad)
    memory = torch.empty(0, dtype=t.dtype).set_(t.detach().untyped_storage()).clone()
    return memory.as_strided(t.shape, t.stride(), t.storage_offset()).detach().requires_grad_(t.requires_grad)


def attempt(form: Form, call: Callable[..., Any], given: Any) -> tuple[Any, Exception | None]:
    """The answer, or what was raised. What is written in place is a clone, so that a leaf may be."""
    x, args, kwargs = given
    with quiet():
        try:
            if (before := BEFORE.get(form.op)) is not None:
                x, *args = before(x, *args, **kwargs)
                kwargs = {}
            return call(x.clone() if form.inplace else x, *args, **kwargs), None
        except Exception as error:  # whatever is raised is what we came to see
            return None, error


def processed(info: OpInfo, sample: SampleInput, given: Any, answers: Any) -> Any:
    """Both answers, brought to the part that is unique: by our rule or PyTorch's own (no signs of eigenvectors)."""
    if (settle := AFTER.get(info.name)) is not None:
        return [settle(x, found, *args, **kw) for (x, args, kw), found in zip(given, answers, strict=True)]
    try:
        return [sample.output_process_fn_grad(found) for found in answers]
    except Exception:  # PyTorch's rule may use names that we lack
        return answers


def gradients(info: OpInfo, given: Any, ours: Any, theirs: Any, answer: Any) -> Iterator[tuple[str, str]]:
    """What differs between the gradients by every input, and between the second ones."""
    inputs = [t for t in tensors(given, torch.Tensor) if t.requires_grad]
    twins = [m for m in tensors(ours, ml.Tensor) if m.requires_grad]
    roots = with_history(leaves(theirs), leaves(answer))
    once = info.full_name in KINKS or not info.supports_gradgrad
    for order in ("gradient",) if once else ("gradient", "second gradient"):
        if not inputs or not roots:
            return
        left, problem = walk(torch.autograd.grad, [t for t, _ in roots], inputs, torch.from_numpy)
        if problem is not None:
            return
        right, problem = walk(our_grad, [m for _, m in roots], twins, ml.tensor)
        if problem is not None:
            yield f"{order} raises", f"{type(problem).__name__}: {problem}".replace("\n", " ")
            return
        for t, m in zip(left, right, strict=True):
            if found := gap(t, m):
                yield order, found
                return
        roots = with_history(left, right)


def with_history(theirs: Any, ours: Any) -> list[tuple[torch.Tensor, ml.Tensor]]:
    """The pairs of results from which a backward pass can start."""
    pairs = zip(theirs, ours, strict=True)
    return [(t, m) for t, m in pairs if getattr(t, "requires_grad", False) and getattr(m, "requires_grad", False)]


def walk(grad: Callable[..., Any], outs: list[Any], inputs: list[Any], made: Callable[..., Any]) -> Any:
    """The gradients of all results, weighted by the same numbers on both sides, or what was raised."""
    rng = np.random.default_rng(0)
    weights = [made(np.asarray(rng.uniform(0.5, 1.5, tuple(t.shape)))) for t in outs]
    with quiet():
        try:
            return grad(outs, inputs, weights, create_graph=True, allow_unused=True), None
        except Exception as error:  # whatever is raised is what we came to see
            return None, error


def gap(t: torch.Tensor | None, m: ml.Tensor | None) -> str:
    """How far two gradients lie apart; one that is not there is zero."""
    if t is None and m is None:
        return ""
    if t is None:
        t = torch.zeros(m.shape, dtype=torch.float64)
    if m is None:
        m = ml.zeros(tuple(t.shape), dtype=ml.float64)
    if tuple(t.shape) != m.shape or str(m.dtype) not in str(t.dtype):
        return f"{tuple(t.shape)} {t.dtype} and {m.shape} {m.dtype}"
    return distance(t, m, 1e-7)


def why(problem: Exception) -> str:
    """The cause of a refusal: an argument that we lack, or the kind of error."""
    text = str(problem)
    if isinstance(problem, (ArgumentError, TypeError)):
        if keyword := re.search(r"got the keyword (\w+)|unexpected keyword argument '(\w+)'", text):
            return f"argument {keyword[1] or keyword[2]}"
        if " too many: " in text or re.search(r"takes .* positional arguments? but", text):
            return "argument by position"
    return type(problem).__name__


def refuse(row: Row, info: OpInfo) -> None:
    """The inputs that PyTorch says must be refused."""
    if info.error_inputs_func is None:
        return
    seed()
    with quiet():
        wrong = list(info.error_inputs("cpu"))
    first = next(forms(info), None)
    for number, each in enumerate(wrong if first else []):
        sample = each.sample_input
        try:
            ours = Translation()((sample.input, sample.args, sample.kwargs))
        except ForeignError:
            continue
        _, expected = attempt(first, first.theirs, fresh((sample.input, sample.args, sample.kwargs)))
        if expected is None:
            continue
        row.to_refuse += 1
        _, problem = attempt(first, first.ours, ours)
        if isinstance(problem, (MinitorchError, type(expected))):
            row.refused += 1
        else:
            found = f"{type(problem).__name__}: {problem}; torch: {str(expected)[:150]}".replace("\n", " ")
            row.notes.append(f"unrefused: #{number} {shown(sample)}: {found}")


def seed() -> None:
    """The same samples every time."""
    torch.manual_seed(0)
    np.random.seed(0)  # PyTorch draws some of its samples from it
    random.seed(0)


@contextmanager
def quiet() -> Iterator[None]:
    """PyTorch warns of its own ways, NumPy of 1 / 0: the values speak for themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def shown(sample: SampleInput) -> str:
    """A sample in a line."""

    def short(v: Any) -> str:
        if isinstance(v, torch.Tensor):
            return f"{str(v.dtype).removeprefix('torch.')}{list(v.shape)}"
        if isinstance(v, (tuple, list)):
            return "(" + ", ".join(map(short, v)) + ")"
        return repr(v)

    given = [short(sample.input), *map(short, sample.args), *(f"{k}={short(v)}" for k, v in sample.kwargs.items())]
    return f"({', '.join(given)})"
