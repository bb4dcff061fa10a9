"""A Ctrl-C while a function is compiled, at any instruction that changes who runs ops: all is as it was before."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from traceback import walk_tb
from types import FrameType
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.core import interpret
from minitorch_lab.core.interpret import grad_mode, stack

K = 3.0
INTERPRETERS = {interpret.__file__}
BLOCKS = {interpret.__file__, contextlib.__file__}


class CtrlC:
    """Raises KeyboardInterrupt at instruction number `at` of those of some files; counts them."""

    def __init__(self, at: int, files: set[str]) -> None:
        self.at, self.met, self.files = at, 0, files

    def entered(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        if frame.f_code.co_filename not in self.files:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self.within

    def within(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any]:
        if event == "opcode":
            self.met += 1
            if self.met == self.at:
                raise KeyboardInterrupt
        return self.within


def at_instruction(
    at: int, run: Callable[[], Any], files: set[str] = INTERPRETERS, held: list[KeyboardInterrupt] | None = None
) -> int:
    """Run with a Ctrl-C at some instruction; how many there were until then, or until the end."""
    c, before = CtrlC(at, files), sys.gettrace()
    sys.settrace(c.entered)
    try:
        run()
    except KeyboardInterrupt as error:
        if held is not None:
            held.append(error)
    finally:
        sys.settrace(before)
    return c.met


def forward(x: Any, w: Any) -> Any:
    with ml.no_grad():
        scale = x.amax()
    return ((x @ w).relu() * K / scale).softmax(1)


def trained(x: Any, w: Any) -> Any:
    loss = (forward(x, w) ** 2).sum()
    (g,) = ml.autograd.grad(loss, [w])
    return loss.detach(), g


@pytest.mark.parametrize("program", [forward, trained])
def test_ctrl_c_wherever_another_interpreter_begins_or_ends(program: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    x, w = ml.tensor(rng.random((5, 7), "float32")), ml.tensor(rng.random((7, 9), "float32"), requires_grad=True)
    wanted, top = [y.detach().numpy() for y in ml.func.trees.flatten(program(x, w))[0]], stack.get()
    last = at_instruction(-1, lambda: ml.compile(program)(x, w))
    assert last > 300
    for at in range(1, last + 1, max(1, last // 23)):
        compiled = ml.compile(program)
        assert at_instruction(at, lambda compiled=compiled: compiled(x, w)) == at
        assert stack.get() is top
        assert grad_mode.get()
        for y, want in zip(ml.func.trees.flatten(compiled(x, w))[0], wanted, strict=True):
            np.testing.assert_allclose(y.detach().numpy(), want, rtol=1e-5)


def interrupted(error: KeyboardInterrupt) -> str:
    """The function in which it came."""
    return [*walk_tb(error.__traceback__)][-2][0].f_code.co_qualname  # the last one is that of `CtrlC`


def test_blocks_that_were_interrupted_disturb_nobody_later() -> None:
    """Who catches the error may hold it, and with it the blocks that were open, until others have ended."""
    top, outer, inner = stack.get(), interpret.Interpreter(), interpret.Interpreter()

    def nested() -> None:
        with interpret.interpreting(inner), interpret.grad_enabled(True):
            pass

    met = list[str]()
    for at in range(1, at_instruction(-1, nested, BLOCKS) + 1):
        held = list[KeyboardInterrupt]()
        with interpret.interpreting(outer), interpret.grad_enabled(False):
            assert at_instruction(at, nested, BLOCKS, held) == at
        assert (stack.get(), grad_mode.get(), len(held)) == (top, True, 1)
        met.append(interrupted(held[0]))
        held.clear()
        assert (stack.get(), grad_mode.get()) == (top, True)
    assert {"During.__init__", "During.__enter__", "During.__exit__"} <= {*met}
    if sys.version_info < (3, 12):  # later ones have fewer instructions for the same
        assert len(met) > 40
