"""Inference mode: `no_grad`, and a promise that its results will never be needed for a gradient."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..core.interpret import grad_enabled, interpreting, stack
from ..ops.front import taught
from ..ops.op import Op
from ..tensors.tensor import Tensor, Unversioned
from .custom import Call, Flat
from .eager import Eager
from .layer import Layer
from .scope import Opening, Scope
from .short import EAGER


class Inference(Layer):
    """Records nothing, and marks the memory of what it makes as one whose writes nobody counts."""

    counts_writes = False

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op` unrecorded; a view shares the storage of its base, marked or not."""
        with grad_enabled(False):
            out = self.under.run(op, args, params)
        if out.storage is None:
            out.storage = Unversioned()
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run the call unrecorded."""
        with grad_enabled(False):
            outs = self.under.custom(call, args)
        for out in outs:
            if isinstance(out, Tensor) and out.storage is None:
                out.storage = Unversioned()
        return outs

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write unrecorded."""
        with grad_enabled(False):
            return self.under.inplace(op, x, args, params)


def unrecorded() -> bool:
    """Whether inference mode is in force, on the plain tape, and nothing above it."""
    top = stack.get()
    return type(top) is Inference and top.under is EAGER


def is_inference_mode_enabled() -> bool:
    """Whether what is made now is made by `inference_mode()`."""
    layer: Any = stack.get()
    while layer is not None and type(layer) is not Inference:
        layer = getattr(layer, "under", None)
    return layer is not None


@Opening
@taught
def inference_mode(mode: Any = True) -> Any:
    """As `no_grad()`, and what is made inside can never enter a recorded computation that would have to save it.

    Its memory has no version counter: outside, it cannot be written in place, nor saved for a gradient. That is an
    error at once, where `no_grad()` would go on. `x.clone()`, outside, is an ordinary tensor. Also a decorator.
    PyTorch's is the faster of the two; here it is `no_grad()`, which keeps to the short path.

    Args:
        mode: False makes the block an ordinary one, that records. A function, where the decorator is written without
            brackets, is run in the mode.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> with ml.inference_mode():
        ...     score = w * 2
        >>> score.requires_grad, score.is_inference()
        (False, True)
        >>> w * score  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        minitorch_lab.errors.GradientError: A tensor made in inference_mode() was to be saved for a gradient, ...
    """

    @contextmanager
    def block() -> Generator[None]:
        tape: Any = stack.get()
        if isinstance(tape, Eager):  # a transform's own tensors are no matter of versions
            tape = tape.under if isinstance(tape, Inference) else tape
            tape = Inference(tape) if mode else tape
        with grad_enabled(not mode), interpreting(tape):
            yield

    return Scope(block) if not callable(mode) else Scope(block)(mode)
