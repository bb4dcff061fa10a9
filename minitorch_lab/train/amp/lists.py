"""Which op runs in what inside a block of autocast, as a table to be read. It is made of the ops' own records."""

from __future__ import annotations

from importlib import import_module

from ...ops.op import OPS
from ...ops.precision import FUNCTIONS

HEADS = {
    "low": "in the low dtype (products)",
    "full": "in float32 (what overflows, or adds up)",
    "": "in the widest dtype of its inputs (all else)",
}
WIDTH = 118


def table() -> str:
    """What runs in what inside a block of `autocast`, one heading per answer.

    Two things differ from PyTorch's list for CUDA: exp2, logaddexp and logcumsumexp run in float32 as their families
    do, and so does linear algebra with no kernels of two bytes.

    Example:
        >>> import minitorch_lab as ml
        >>> print(ml.amp.table().split("in float32")[0])
        in the low dtype (products)
          addmm addmv baddbmm conv1d conv2d conv_transpose1d conv_transpose2d linear matmul scaled_dot_product_attention
        <BLANKLINE>
        <BLANKLINE>
    """
    import_module("minitorch_lab.nn.functional")  # its functions say what they run in when they are made
    answers = FUNCTIONS | {name: op.autocast for name, op in OPS.items()}
    return "\n\n".join(
        f"{head}\n{wrapped(sorted(n for n, how in answers.items() if how == key))}" for key, head in HEADS.items()
    )


def wrapped(names: list[str]) -> str:
    """Names in lines of at most WIDTH characters."""
    lines = [" "]
    for name in names:
        if len(lines[-1]) + len(name) + 1 > WIDTH:
            lines.append(" ")
        lines[-1] += f" {name}"
    return "\n".join(lines)
