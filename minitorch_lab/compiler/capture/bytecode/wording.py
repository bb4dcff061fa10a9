"""How guards stand in the program: each in Python, or many as one question that the backend's machine code answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from ....tensors.tensor import Tensor
from ...runtime.apart import apart
from .guards import Answer, test
from .shapes import shape_text

FEWER = 3  # so many objects Python compares, pair by pair, as quickly


class Wording:
    """Writes the tests of guards.

    Args:
        pool: Writes a constant.
        asked: Gives the functions of the backend that ask many things at once (see `targets.llvm.questions`), if any.
            The first guard of a tensor calls it, since they may have to be compiled.
        keep: Gives a name to an object that tests use.
    """

    def __init__(self, pool: Callable[[Any], str], asked: Callable[[], Any], keep: Callable[[str, Any], str]) -> None:
        self.pool, self.asked, self.keep = pool, asked, keep
        self.tables: dict[tuple[Answer, ...], str] = {}

    @cached_property
    def questions(self) -> Any:
        """Those functions; None if there are none."""
        return self.asked()

    def test(self, subject: str, key: Answer) -> str:
        """The expression that is true where `subject` has the answer `key`. Python decides what machine code denies."""
        text = test(subject, key, self.pool)
        for slow, quick in (("labels_fit(", "labels"), ("plain_leaves(", "leaves")):
            if text == subject and text.startswith(slow) and self.questions is not None:
                name = self.keep(quick, getattr(self.questions, quick))
                return f"({name}({text.removeprefix(slow)} or {text})"
        return text

    def joins(self, key: Answer) -> bool:
        """Whether a guard can be asked together with others: that of a tensor with entries of its own.

        A length that the program knows by a name, such as `s0`, is another in each call, and no word of a table.
        """
        if key[0] != "tensor" or key[5] != "cpu" or not key[3] or self.questions is None:
            return False
        if any(type(length) is str for length in key[3]):
            return False
        kind: Any = key[1]
        return kind.link is None and kind.value is vars(Tensor)["value"] and kind.node is vars(Tensor)["node"]

    def together(self, subjects: list[str], keys: list[Answer]) -> tuple[str, str]:
        """The expression that is true where all these tensors have their facts; and the facts, in words."""
        known = tuple(keys)
        if known not in self.tables:
            facts = [(kind, dtype, shape, strides, grad) for _, kind, dtype, shape, strides, _, grad in keys]
            self.tables[known] = self.keep("facts", self.questions.table(facts))
        given = [s[1:-1] if s.startswith("(") else s for s in subjects]
        words = [f"{s.split(' ')[0]} {k[2]}{shape_text(k[3])}" for s, k in zip(given, keys, strict=True)]
        fits = self.keep("fits", self.questions.fits)
        return f"{fits}({self.tables[known]}, {', '.join(given)})", "; ".join(words)

    def apart(self, names: tuple[str, ...]) -> list[str]:
        """The tests that these objects are different ones."""
        if len(names) <= FEWER or self.questions is None:
            return apart(names).split(" and ")
        return [f"{self.keep('apart', self.questions.apart)}({len(names)}, {', '.join(names)})"]
