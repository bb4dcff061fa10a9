"""The first difference between two outcomes: results, errors, gradients, and all that the call changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....core.array import as_dtype, is_float, xp
from ....tensors.tensor import Tensor
from .holding import ATOMS, ENTRIES, GONE, Globals, once_only
from .outcome import Outcome, of_history
from .world import Memory

# What may be lost to rounding: relative to an entry, and to the largest one.
WIDTHS = {"float64": (1e-8, 1e-10), "float32": (1e-4, 1e-5), "float16": (2e-2, 2e-2), "bfloat16": (5e-2, 5e-2)}


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, in words. `kind` is `"result"`, `"effect"`, `"error"` or `"gradient"`."""

    kind: str
    where: str
    eager: str
    compiled: str

    def __str__(self) -> str:
        return f"{self.where} is {self.compiled}, and eagerly {self.eager}"


def first_difference(eager: Outcome, compiled: Outcome, before: Memory, roots: tuple[Any, ...]) -> Difference | None:
    """What differs first; None if nothing does."""
    if type(eager.error) is not type(compiled.error):
        return Difference("error", "the error", repr(eager.error), repr(compiled.error))
    pairs = Pairs(eager.after, compiled.after, before)
    for kind, where, a, b in (
        ("result", "the result", eager.value, compiled.value), *(("effect", "", root, root) for root in roots)
    ):  # fmt: skip
        if (found := pairs.differ(a, b, where)) is not None:
            return Difference(kind, *found)
    if eager.printed != compiled.printed:
        return Difference("effect", "what is printed", repr(eager.printed), repr(compiled.printed))
    for name, state in eager.after.modes.items():
        if repr(state) != repr(compiled.after.modes[name]):
            return Difference("effect", f"the state of {name}", "another", "one")
    return gradient_difference(eager.gradients, compiled.gradients)


def gradient_difference(eager: dict[str, list[Any]], compiled: dict[str, list[Any]]) -> Difference | None:
    """What differs first in the gradients."""
    if list(eager) != list(compiled):
        return Difference("gradient", "what has a history", ", ".join(eager) or "nothing", ", ".join(compiled))
    for name, xs in eager.items():
        if isinstance(xs[0], type) and all(x is None or isinstance(x, type) for x in compiled[name]):
            continue  # a history that the call itself has walked and freed
        for i, (a, b) in enumerate(zip(xs, compiled[name], strict=False)):
            if not (is_close(a, b) if isinstance(a, xp.ndarray) and isinstance(b, xp.ndarray) else a is b):
                return Difference("gradient", f"the gradient from {name} to leaf {i + 1}", brief(a), brief(b))
    return None


class Pairs:
    """Two worlds that should be alike: things from before are themselves in both, new ones stand for each other."""

    def __init__(self, eager: Memory, compiled: Memory, before: Memory) -> None:
        self.eager, self.compiled, self.before = eager, compiled, before
        self.partner: dict[int, Any] = {}
        self.taken: dict[int, Any] = {}

    def differ(self, a: Any, b: Any, where: str) -> tuple[str, str, str] | None:
        """Where two things differ first, and how."""
        pending = [(where, a, b)]
        while pending:
            where, a, b = pending.pop()
            if self.unlike(a, b):
                return where, brief(a), brief(b)
            if id(a) in self.partner or a not in self.eager or isinstance(a, ATOMS) or of_history(a):
                continue
            self.partner[id(a)], self.taken[id(b)] = b, a
            found = self.parts(where, a, b)
            if isinstance(found, tuple):
                return found
            pending += reversed(found)
        return None

    def unlike(self, a: Any, b: Any) -> bool:
        """Whether two things cannot stand for each other, whatever they hold."""
        if type(a) is not type(b):
            return not (once_only(a) and once_only(b))  # an iterator is looked into by nobody but who goes through it
        if isinstance(a, ATOMS):
            return not alike(a, b)
        if a not in self.eager or of_history(a) or isinstance(a, (tuple, frozenset, Globals)):
            return False
        if a in self.before or b in self.before:
            return a is not b
        return (id(a) in self.partner or id(b) in self.taken) and self.partner.get(id(a)) is not b

    def parts(self, where: str, a: Any, b: Any) -> list[tuple[str, Any, Any]] | tuple[str, str, str]:
        """The parts of two things, in pairs; or how the things themselves differ."""
        if isinstance(a, Tensor):
            x, y = self.facts(self.eager, a), self.facts(self.compiled, b)
            if x[1:] != y[1:] or not is_close(x[0], y[0]):
                return where, describe_tensor(*x), describe_tensor(*y)
            return [(f"{where}.grad", self.grad(self.eager, a), self.grad(self.compiled, b))]
        x, y = self.eager.of(a), self.compiled.of(b)
        if isinstance(x, xp.ndarray):
            return [] if is_close(x, y) else (where, brief(x), brief(y))
        pairs = paired(where, x, y)
        return (where, f"{len(x)} entries", f"{len(y)} entries") if pairs is None else pairs

    @staticmethod
    def facts(memory: Memory, x: Tensor) -> tuple[Any, ...]:
        """The entries of a tensor, its dtype, whether it wants a gradient, and whether an op has made it."""
        value, node = memory.part(x, "value"), memory.part(x, "node")
        entries = memory.of(value) if isinstance(value, xp.ndarray) else xp.asarray(value)
        return entries, as_dtype(entries.dtype).name, node is not None, node is not None and node.op is not None

    @staticmethod
    def grad(memory: Memory, x: Tensor) -> Any:
        """The gradient that a leaf has."""
        node = memory.part(x, "node")
        return memory.part(node, "grad") if node is not None and node.op is None and node in memory else None


def paired(where: str, x: Any, y: Any) -> list[tuple[str, Any, Any]] | None:
    """The parts of two contents, each with its place; None if there are not as many or they have other names."""
    if isinstance(x, dict):
        names = [k for k in x if isinstance(k, (*ATOMS, tuple)) or x[k] is GONE]
        if len(x) != len(y) or any(k not in y for k in names):
            return None
        return [p for (k, v), w in zip(x.items(), y.values(), strict=True) for p in entry(where, k, v, w)]
    if len(x) != len(y):
        return None
    return [(f"{where}[{i}]", v, w) for i, (v, w) in enumerate(zip(x, y, strict=True))]


def entry(where: str, key: Any, v: Any, w: Any) -> list[tuple[str, Any, Any]]:
    """One part of an object, or the entries of one that is a container."""
    if key is not ENTRIES:
        name = str(getattr(key, "__name__", key))
        return [(".".join(filter(None, (where, name))), v, w)]
    if isinstance(v, dict):
        if len(v) != len(w):
            return [(where, list(v), list(w))]
        return [(f"{where}[{k!r}]", x, y) for (k, x), y in zip(v.items(), w.values(), strict=True)]
    if len(v) != len(w):
        return [(f"len({where})", len(v), len(w))]
    return [(f"{where}[{i}]", x, y) for i, (x, y) in enumerate(zip(v, w, strict=True))]


def alike(a: Any, b: Any) -> bool:
    """Whether two plain values are the same, floats but for rounding."""
    if isinstance(a, (float, complex)) and a != b:
        return is_close(xp.asarray(a, "float32"), xp.asarray(b, "float32"))
    return a == b or (a != a and b != b)


def is_close(a: Any, b: Any) -> bool:
    """Whether two arrays are the same but for rounding."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not is_float(a.dtype):
        return bool((a == b).all())
    part, whole = WIDTHS.get(a.dtype.name, (5e-2, 5e-2))
    x, y = a.astype("float64"), b.astype("float64")
    largest = float(abs(x[xp.isfinite(x)]).max(initial=0.0))
    return bool(xp.allclose(y, x, rtol=part, atol=whole * (largest + 1e-30), equal_nan=True))


def describe_tensor(entries: Any, dtype: str, grad: bool, made: bool) -> str:
    """A tensor in a few words."""
    history = ", made by an op" if made else (", requires_grad" if grad else "")
    return f"{brief(entries)} ({dtype}{list(entries.shape)}{history})"


def brief(x: Any) -> str:
    """A value in a few words."""
    text = " ".join(repr(x).split())
    return text if len(text) <= 80 else text[:79] + "…"
