"""Nested arguments and results: tuples, lists and dicts, taken apart and put together again (JAX's pytrees)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..errors import ArgumentError
from ..ops.front import taught

Build: TypeAlias = Callable[[list[Any]], Any]


class Kind(NamedTuple):
    """How a container of the user's is taken apart, and made again."""

    flatten: Callable[[Any], tuple[Sequence[Any], Any]]
    unflatten: Callable[[Any, Any], Any]


KINDS: dict[type[Any], Kind] = {}


@taught
def register_pytree_node(
    nodetype: type[Any],
    flatten_func: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten_func: Callable[[Any, Any], Any],
) -> None:
    """Teach the transforms a container of yours, such as a dataclass: its parts may then hold tensors.

    Args:
        nodetype: The class. A subclass is another kind.
        flatten_func: From a container to (parts, what else is needed to make it again).
        unflatten_func: From that rest and new parts to a container.

    Raises:
        ArgumentError: The class is known already.

    Example:
        >>> import minitorch_lab as ml
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Line:
        ...     slope: object
        ...     offset: object
        >>> ml.func.register_pytree_node(Line, lambda l: ((l.slope, l.offset), None), lambda _, parts: Line(*parts))
        >>> ml.func.grad(lambda line: line.slope * 3 + line.offset)(Line(ml.tensor(2.0), ml.tensor(1.0)))
        Line(slope=tensor(3.), offset=tensor(1.))
    """
    if nodetype in KINDS or nodetype in (dict, list, tuple):
        raise ArgumentError(
            f"register_pytree_node got {nodetype.__name__} a second time.",
            "A container is taken apart in one way.",
            "Register each class once, where it is defined.",
        )
    KINDS[nodetype] = Kind(flatten_func, unflatten_func)


def children(tree: Any) -> tuple[list[Any], Build] | None:
    """The parts of a container, and how it is made of new ones; None for a leaf.

    A dict's parts go by sorted keys, and a dict that is made of new ones has its keys in the order of the old.
    """
    if type(tree) in KINDS:
        kind = KINDS[type(tree)]
        parts, rest = kind.flatten(tree)
        return list(parts), lambda new: kind.unflatten(rest, new)
    if isinstance(tree, dict):
        order, keys = list(tree), in_order(tree)
        return [tree[key] for key in keys], lambda new: ordered(order, dict(zip(keys, new, strict=True)))
    if isinstance(tree, (tuple, list)):
        kind = type(tree)
        return list(tree), (lambda new: kind(*new)) if hasattr(tree, "_fields") else kind
    return ([], lambda new: None) if tree is None else None


def ordered(keys: list[Any], found: dict[Any, Any]) -> dict[Any, Any]:
    """`found` with its keys in this order."""
    return {key: found[key] for key in keys}


def in_order(tree: dict[Any, Any]) -> list[Any]:
    """The keys of a dict, sorted, so that two dicts with the same keys have their parts in the same order.

    Raises:
        ArgumentError: The keys cannot be compared.
    """
    try:
        return sorted(tree)
    except TypeError:
        pass
    raise ArgumentError(
        f"A dict with the keys {', '.join(map(repr, tree))} as an argument of a transform.",
        "Its parts are taken in the order of their keys, and these cannot be compared.",
        "Did you mean to write all keys as strings?",
    )


def flatten(tree: Any) -> tuple[list[Any], Build]:
    """The leaves of `tree`, and the function that puts other leaves in their places.

    Example:
        >>> leaves, build = flatten({"w": 1, "b": (2, 3)})
        >>> leaves, build([10, 20, 30])
        ([2, 3, 1], {'w': 30, 'b': (10, 20)})
    """
    found = children(tree)
    if found is None:
        return [tree], lambda new: new[0]
    parts, make = [flatten(part) for part in found[0]], found[1]

    def rebuilt(new: list[Any]) -> Any:
        rest = iter(new)
        return make([sub([next(rest) for _ in leaves]) for leaves, sub in parts])

    return [leaf for leaves, _ in parts for leaf in leaves], rebuilt


def mapped(fn: Callable[[Any], Any], tree: Any) -> Any:
    """`tree` with `fn` applied to every leaf."""
    leaves, build = flatten(tree)
    return build([fn(leaf) for leaf in leaves])


def form(tree: Any) -> Any:
    """What two trees have in common that differ only in their leaves."""
    found = children(tree)
    if found is None:
        return "*"
    keys = tuple(in_order(tree)) if isinstance(tree, dict) else None
    return type(tree).__name__, keys, tuple(form(part) for part in found[0])


def broadcast_prefix(prefix: Any, tree: Any) -> list[Any]:
    """One value per leaf of `tree`, from a tree that may be cut off higher up: `0` stands for a whole subtree.

    Example:
        >>> broadcast_prefix((0, None), ([1, 2], 3))
        [0, 0, None]
    """
    ours, theirs = (None if x is None else children(x) for x in (prefix, tree))
    if ours is None:
        return [prefix] * len(flatten(tree)[0])
    if (
        theirs is None
        or len(ours[0]) != len(theirs[0])
        or (isinstance(tree, dict) and in_order(tree) != in_order(prefix))
    ):
        raise ArgumentError(
            f"The axes {prefix!r} for {'a tensor' if theirs is None else f'{len(theirs[0])} values'}.",
            "Axes are one number for all, or nested as the arguments are, down to any depth.",
            "Did you mean one number, or one entry per argument? None stands for what all examples share.",
        )
    return [value for p, t in zip(ours[0], theirs[0], strict=True) for value in broadcast_prefix(p, t)]
