"""Mini in the words of this package: what its ops and their parameters are called here, and what its nodes keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..ops.op import OPS
from ..ops.template import HOLE

TRANSLATED: dict[str, tuple[str, Callable[..., dict[Any, Any]]]] = {  # a parameter that is an input here has no name
    "sum": ("sum", lambda axes: {"axis": axes, "keepdims": True}),
    "max": ("amax", lambda axes: {"axis": axes, "keepdims": True}),
    "power": ("pow", lambda exponent: {None: exponent}),
    "greater": ("gt", dict),
    "crop": ("getitem", lambda bounds: {"index": tuple(slice(*bound) for bound in bounds)}),
    "pad": ("pad", lambda widths: {"widths": widths, "value": 0.0}),
    "take": ("getitem", lambda lead=0: {"index": (HOLE,)}),
    "region": ("Compiled_region", lambda **_: {}),
}
RENAMED = {"index": "*", "table": "x"}  # parameters of rules

Save = tuple[str, str | None, int, Any]


def translate(op: str, params: dict[str, Any]) -> tuple[str, dict[str, Any], list[Any]]:
    """Name and parameters of an op of mini as they are here, and the numbers that are inputs here.

    Example:
        >>> translate("power", {"exponent": 3})
        ('pow', {}, [3])
    """
    name, renamed = TRANSLATED.get(op, (op, dict))
    found = renamed(**params)
    return name, {key: value for key, value in found.items() if key}, [found[None]] if None in found else []


def read_saved(op: str, node: Any, args: Sequence[Any], inputs: Sequence[str], output: str) -> Iterator[Save]:
    """What a node of mini keeps: the fields of `Save` after the node.

    Of shapes also those that the rule of the same op here asks for, since views run it.

    Args:
        op: What the op is called here.
        node: The node of mini's tape.
        args: What the op was given, and the numbers that are inputs here.
        inputs: The ids of these.
        output: The id of the result.
    """
    if not hasattr(node.op, "keeps"):  # a compiled region
        known = {id(getattr(x, "value", x)): name for x, name in zip(args, inputs, strict=True)}
        for x in node.saved[1:]:
            given = known.get(id(x))
            yield "ctx", given, 0, None if given else f"a tensor of shape {x.shape}"
        return
    sources = dict(zip("xyz", inputs, strict=False)) | {"*": inputs[-1], "out": output}
    names = [RENAMED.get(name) or str(name) for name in node.op.keeps]
    kept: dict[str, Any] = dict(zip(names, node.saved, strict=False))
    tracked = sum(1 << k for k, edge in enumerate(node.edges) if edge)
    shapes = {f"{name}_shape": getattr(x, "shape", ()) for name, x in zip("xyz", args, strict=False)}
    # `put`, which only derivatives meet, has no like here.
    asked = [name for name in OPS[op].keeps[tracked] if name] if op in OPS else []
    for name in dict.fromkeys((*(n for n in kept if kept[n] is not None), *asked)):
        if name in sources:
            yield name, sources[name], 0, None
        else:
            yield name, None, 0, shapes.get(name, kept.get(name))
