"""einsum: sums of products, spelled by naming the axes. It comes down to permute, reshape and matmul.

Nothing here is an op of its own, so gradients of any order, jvp and vmap follow from the parts.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ..core.array import beside, xp
from ..errors import ArgumentError, ShapeError
from .broadcast import sum_op
from .front import function
from .indexing import getitem_op
from .linalg import matmul
from .movement import permute_op, reshape_op
from .template import HOLE

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def problem(equation: str, operands: tuple[Any, ...], rule: str, hint: str = "") -> ShapeError:
    """What is wrong with an equation."""
    shapes = ", ".join(str(tuple(x.shape)) for x in operands)
    return ShapeError(f"einsum got {equation!r} for the shapes {shapes}.", rule, hint or "For example 'ij,jk->ik'.")


def named(equation: str, operands: tuple[Any, ...]) -> tuple[list[str], str]:
    """The letters of each operand's axes, and those of the result; dots become letters that are free.

    Raises:
        ShapeError: The equation does not fit the operands.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise problem(equation, operands, "There is one group of letters for each operand.")
    free = [c for c in LETTERS if c not in equation]
    dots = [len(x.shape) - len(t.replace("...", "")) if "..." in t else 0 for t, x in zip(terms, operands, strict=True)]
    most = max(dots)
    filler = free[:most]
    terms = [t.replace("...", "".join(filler[most - n :])) for t, n in zip(terms, dots, strict=True)]
    if not arrow:
        seen = "".join(terms)
        right = "..." + "".join(c for c in sorted(set(seen)) if seen.count(c) == 1 and c not in filler)
    out = right.replace("...", "".join(filler))
    if any(len(t) != len(x.shape) for t, x in zip(terms, operands, strict=True)):
        raise problem(
            equation, operands, "There is one letter for each axis of an operand.", "Dots stand for the rest."
        )
    if len(set(out)) < len(out) or not set(out) <= set("".join(terms)):
        raise problem(equation, operands, "A letter of the result stands there once, and in some operand too.")
    return terms, out


def check_lengths(equation: str, operands: tuple[Any, ...], terms: list[str]) -> None:
    """Refuse a letter that names axes of different lengths; an axis of length 1 stretches.

    Raises:
        ShapeError: There is one.
    """
    lengths: dict[str, int] = {}
    for term, x in zip(terms, operands, strict=True):
        for letter, n in zip(term, x.shape, strict=True):
            if lengths.setdefault(letter, n) != n and 1 not in (n, lengths[letter]):
                raise problem(equation, operands, f"{letter!r} names axes of the lengths {lengths[letter]} and {n}.")
            lengths[letter] = max(n, lengths[letter]) if lengths[letter] else 0


def on_diagonal(x: Any, term: str) -> tuple[Any, str]:
    """`x` with a letter that it has twice left once: the entries where both indices agree."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            i, j = (k for k, c in enumerate(term) if c == letter and term[:k].count(letter) < 2)
            others = [k for k in range(len(term)) if k not in (i, j)]
            walk = beside(xp.arange(x.shape[i]), x)
            x = getitem_op(permute_op(x, axes=(i, j, *others)), walk, walk, index=(HOLE, HOLE))
            term = letter + "".join(term[k] for k in others)
    return x, term


def without(x: Any, term: str, kept: set[str]) -> tuple[Any, str]:
    """`x` summed over the letters that nobody else needs."""
    lone = tuple(k for k, c in enumerate(term) if c not in kept)
    return (sum_op(x, axis=lone, keepdims=False) if lone else x), "".join(c for c in term if c in kept)


def arranged(x: Any, term: str, *groups: str) -> Any:
    """`x` with its axes in the order of `groups`; a missing letter becomes an axis of length 1."""
    order = "".join(groups)
    present = [c for c in order if c in term]
    moved = permute_op(x, axes=tuple(term.index(c) for c in present))
    length = dict(zip(term, x.shape, strict=True))
    return reshape_op(moved, shape=tuple(length.get(c, 1) for c in order))


def joined(x: Any, a: str, y: Any, b: str, kept: set[str]) -> tuple[Any, str]:
    """The product of two operands, summed over the letters they share that nobody else needs, by one matmul."""
    x, a = without(x, a, kept | set(b))
    y, b = without(y, b, kept | set(a))
    size = [dict(zip(term, z.shape, strict=True)) for term, z in ((a, x), (b, y))]
    both = [c for c in a if c in b]
    inner = "".join(c for c in both if c not in kept)
    stretched = "".join(c for c in inner if size[0][c] != size[1][c])
    if stretched:  # an axis of length 1 against a longer one: sum the longer one first
        x, a = without(x, a, set(a) - set(stretched))
        y, b = without(y, b, set(b) - set(stretched))
        return joined(x, a, y, b, kept)
    shared = "".join(c for c in both if c in kept)
    left, right = "".join(c for c in a if c not in b), "".join(c for c in b if c not in a)
    lead = [tuple(s[c] for c in shared) for s in size]
    rows, columns = [size[0][c] for c in left], [size[1][c] for c in right]
    k = prod(size[0][c] for c in inner)
    p = reshape_op(arranged(x, a, shared, left, inner), shape=(*lead[0], prod(rows), k))
    q = reshape_op(arranged(y, b, shared, inner, right), shape=(*lead[1], k, prod(columns)))
    out = matmul(p, q)
    return reshape_op(out, shape=(*out.shape[:-2], *rows, *columns)), shared + left + right


def spelled(parts: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The equation and the operands of a call in which lists of numbers name the axes.

    Raises:
        ArgumentError: An operand has no list, or a number has no letter.
    """
    operands, lists = parts[: len(parts) // 2 * 2 : 2], [*parts[1::2], *(parts[-1:] if len(parts) % 2 else ())]
    if not lists or not all(isinstance(axes, (tuple, list)) for axes in lists):
        raise ArgumentError(
            "einsum got an operand without the list of its axes.",
            "It takes an equation first, or each operand with its list.",
            'Did you mean ml.einsum("ij->i", x), or ml.einsum(x, [0, 1], [0])?',
        )
    order = LETTERS[26:] + LETTERS[:26]  # as letters are sorted, so that a result without a list is in order
    numbers = [n for axes in lists for n in axes if n is not ...]
    if not all(isinstance(n, int) and 0 <= n < len(order) for n in numbers):
        raise ArgumentError(
            f"einsum got the axes {lists}.", f"Axes are numbered from 0 to {len(order) - 1}.", "Did you mean [0, 1]?"
        )
    terms = ["".join("..." if n is ... else order[n] for n in axes) for axes in lists]
    result = f"->{terms.pop()}" if len(parts) % 2 else ""
    return f"{','.join(terms)}{result}", operands


@function
def einsum(equation: str | Any, *operands: Any) -> Any:
    """The sum of products that `equation` spells: letters name axes, and letters that the result lacks are summed.

    Dots stand for the axes that have no letter. Operands, which may stand in one list, are joined from left to right.
    Axes may be numbered instead: each operand is followed by the list of its axes, and the result's may come last.

    Raises:
        ShapeError: The letters do not fit the shapes.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> ml.einsum("ij,kj->ik", x, x).tolist(), ml.einsum("ii", x).item()
        ([[5.0, 11.0], [11.0, 25.0]], 5.0)
        >>> ml.einsum(x, [0, 1], [0]).tolist()
        [3.0, 7.0]
    """
    if not isinstance(equation, str):
        equation, operands = spelled((equation, *operands))
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    terms, out = named(equation, operands)
    check_lengths(equation, operands, terms)
    parts = [on_diagonal(x, term) for x, term in zip(operands, terms, strict=True)]
    x, a = parts[0]
    for i, (y, b) in enumerate(parts[1:], 2):
        needed = set(out).union(*(set(term) for _, term in parts[i:]))
        x, a = joined(x, a, y, b, needed)
    x, a = without(x, a, set(out))
    return permute_op(x, axes=tuple(a.index(c) for c in out))
