"""Who runs an op?

An op is only a name until somebody gives it a meaning. Interpreters do, and they are stacked: the one on top receives
every op, does its part (records it, carries a tangent, adds a batch axis, writes a graph) and asks the ones below for
the rest. At the bottom, NumPy computes. All of automatic differentiation and the compiler are interpreters.
"""

from contextlib import contextmanager

import numpy as np

from .errors import MiniError, teach

NUMBERS = (np.ndarray, np.generic, int, float)


class Interpreter:
    """Gives ops a meaning. While it is not `recording`, what it computes counts as given, not as a function."""

    recording = True

    def run(self, op, args, params):
        """Do this interpreter's part of `op`, and return the result."""
        raise NotImplementedError


class Evaluate(Interpreter):
    """The bottom of the stack: arrays in, an array out."""

    def run(self, op, args, params):
        """Let NumPy compute."""
        check_numbers(op, args)
        try:
            return op.impl(*args, **params)
        except (ValueError, TypeError, IndexError) as error:
            raise explain(op, args, params, error) from error


stack = [Evaluate()]


def bind(op, *args, **params):
    """Hand `op` to the interpreter on top. While it works, the ones below it are in charge."""
    top = stack.pop()
    try:
        return top.run(op, args, params)
    finally:
        stack.append(top)


@contextmanager
def interpreting(interpreter):
    """Put `interpreter` on top for a while."""
    stack.append(interpreter)
    try:
        yield interpreter
    finally:
        stack.pop()


@contextmanager
def below(interpreter):
    """Take `interpreter`, which must be on top, away for a while."""
    if stack[-1] is not interpreter:
        raise teach("inside")
    stack.pop()
    try:
        yield
    finally:
        stack.append(interpreter)


@contextmanager
def no_grad():
    """Compute without recording: for all interpreters that are on the stack now, what runs in the block is given."""
    before = [(one, one.recording) for one in stack]
    for one in stack:
        one.recording = False
    try:
        yield
    finally:
        for one, recording in before:
            one.recording = recording


# ---- what cannot run, in words --------------------------------------------------------------------------------------
def check_numbers(op, args):
    """Refuse what is no number, and boxes that have outlived their transform."""
    for x in args:
        if not isinstance(x, NUMBERS):
            raise teach("leak" if hasattr(x, "number") else "operand", op=op.name, thing=x, kind=type(x).__name__)


def explain(op, args, params, error):
    """The error that teaches, in place of NumPy's."""
    if isinstance(error, MiniError):
        return error
    facts = {"op": op.name, "params": "".join(f", {key}={value}" for key, value in params.items())}
    shapes = [np.shape(x) for x in args]
    try:
        op.shape(*shapes, **params)
    except (ValueError, TypeError, IndexError):
        return teach("shapes", shapes=" and ".join(map(str, shapes)), rule=op.rule, **facts)
    types = " and ".join(str(getattr(x, "dtype", type(x).__name__)) for x in args)
    return teach("refused", types=types, error=str(error).rstrip("."), **facts)
