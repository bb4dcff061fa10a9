"""Words: how kernels compute an op entry by entry, as data that every back end reads.

An op with a word is computed in kernels, in the dtypes that it names. An op without one needs a `program` in simpler
ops for that; else NumPy runs it between the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

FLOATS = frozenset({"f32", "f64"})
WHOLE = frozenset({"i32", "i64"})
TRUTH = frozenset({"b8"})
NUMBERS = FLOATS | WHOLE
ANY = NUMBERS | TRUTH
SINGLE = frozenset({"f32"})
LITTLE, SOME, MUCH = 1, 2, 10  # one instruction, a few, a polynomial

WORDS: dict[str, Word] = {}


@dataclass(frozen=True, slots=True)
class Word:
    """An entry-by-entry op as kernels know it, under the name of the op.

    LLVM's instructions for it are written by the method of that name of its emitter, unless it has a `sign` that
    compares, or is an intrinsic.
    """

    dtypes: frozenset[str]  # of its inputs, where kernels compute it
    sign: str = ""  # what stands between its two arguments, in the text of a loop and, without `c`, in C
    c: str = ""  # in CUDA C: a form of its arguments {0}, {1}, …, or the name of the function for double
    helper: str = ""  # the function that C has not, in CUDA C
    intrinsic: bool = False  # whether LLVM has an intrinsic called `c`
    cost: int = SOME
    positive: bool = False  # whether it is never below 0
    of_truth: str = ""  # the word that says the same of truth values

    @property
    def function(self) -> str:
        """The function of C's library that computes it; "" if it is written otherwise."""
        return "" if "{" in self.c else self.c

    @property
    def own_function(self) -> str:
        """The name of the helper."""
        return self.helper.partition("(")[0].rpartition(" ")[2]
