"""Nested arguments and results: tuples, lists and dicts, taken apart and put together again (JAX's pytrees)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Build: TypeAlias = Callable[[list[Any]], Any]


def flatten(tree: Any) -> tuple[list[Any], Build]:
    """The leaves of `tree`, and the function that puts other leaves in their places.

    Example:
        >>> leaves, build = flatten({"w": 1, "b": (2, 3)})
        >>> leaves, build([10, 20, 30])
        ([1, 2, 3], {'w': 10, 'b': (20, 30)})
    """
    if isinstance(tree, dict):
        leaves, build = flatten(list(tree.values()))
        return leaves, lambda new: dict(zip(tree, build(new), strict=True))
    if isinstance(tree, (tuple, list)):
        parts = [flatten(part) for part in tree]
        kind = type(tree)
        make: Callable[[list[Any]], Any] = (lambda xs: kind(*xs)) if hasattr(tree, "_fields") else kind

        def rebuilt(new: list[Any]) -> Any:
            rest = iter(new)
            return make([sub([next(rest) for _ in leaves]) for leaves, sub in parts])

        return [leaf for leaves, _ in parts for leaf in leaves], rebuilt
    if tree is None:
        return [], lambda new: None
    return [tree], lambda new: new[0]


def mapped(fn: Callable[[Any], Any], tree: Any) -> Any:
    """`tree` with `fn` applied to every leaf."""
    leaves, build = flatten(tree)
    return build([fn(leaf) for leaf in leaves])


def broadcast_prefix(prefix: Any, tree: Any) -> list[Any]:
    """One value per leaf of `tree`, from a tree that may be cut off higher up: `0` stands for a whole subtree.

    Example:
        >>> broadcast_prefix((0, None), ([1, 2], 3))
        [0, 0, None]
    """
    if isinstance(prefix, (tuple, list)) and isinstance(tree, (tuple, list)):
        pairs: Sequence[tuple[Any, Any]] = list(zip(prefix, tree, strict=True))
        return [value for p, t in pairs for value in broadcast_prefix(p, t)]
    if isinstance(prefix, dict) and isinstance(tree, dict):
        return [value for key in tree for value in broadcast_prefix(prefix[key], tree[key])]
    return [prefix] * len(flatten(tree)[0])
