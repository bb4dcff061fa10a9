"""Runs recorded ops again, one input moving at a time: what does each of them add to the tangent of the result?"""

from __future__ import annotations

from typing import Any

from ..autograd.eager import Eager
from ..core.interpret import interpreting
from ..func.forward import jvp
from ..ops.op import OPS
from ..tensors.tensor import Tensor
from . import events as ev
from .replay import array_of, describe_param, missing
from .values import Value, summarise


def push_forward(op: ev.Op, inputs: list[Value], i: int, tangent: Value) -> Value:
    """How the result of `op` moves when its input `i` moves along `tangent` and the others stand still.

    Raises:
        RecordingError: The recording does not hold what that takes.

    Example:
        >>> product = ev.Op(0, "o1", "mul", ("t1", "t2"), "t3", {}, None, True, None, None)
        >>> two, three = (summarise(Tensor(array_of(Value((), "float32", x, x, x, (x,)))).value) for x in (2.0, 3.0))
        >>> push_forward(product, [two, three], 0, two).scalar
        6.0
    """
    if op.op not in OPS:
        raise missing(f"the rules of {op.op}, an op of the reader's own")
    rule, params = OPS[op.op], {key: describe_param(value) for key, value in op.params.items()}
    given = [array_of(value) for value in inputs]
    tensors: list[Any] = [
        Tensor(a) if value.dtype not in ("int", "float", "bool") else a for a, value in zip(given, inputs, strict=True)
    ]

    def along(x: Any) -> Any:
        return rule(*tensors[:i], x, *tensors[i + 1 :], **params)

    with interpreting(Eager()):
        _, moves = jvp(along, (tensors[i],), (Tensor(array_of(tangent)),))
    return summarise(moves.value)
