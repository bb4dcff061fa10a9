"""`jit.script`: a function compiled from its source, every path of it, before it runs once. As PyTorch's."""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Callable
from functools import update_wrapper
from inspect import getclosurevars, getsourcelines, signature
from textwrap import dedent
from typing import Any

from ....errors import CaptureError
from ....func.boxing import as_tensor
from .ir import Block, Type, printed
from .lower import Lowering
from .refusals import Source
from .run import run


class Scripted:
    """A scripted function: its blocks, and the machine that runs them."""

    def __init__(self, fn: Callable[..., Any], block: Block, result: Type) -> None:
        self.block, self.result, self.signature = block, result, signature(fn)
        self.name = fn.__name__
        update_wrapper(self, fn)
        del self.__dict__["__wrapped__"]  # the user's Python is not needed any more

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run.

        Raises:
            CaptureError: The arguments do not fit the signature, or the types.
        """
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise CaptureError(f"{self.name}: {error}.", f"It is {self.name}{self.signature}.") from None
        bound.apply_defaults()
        values = [self.taken(p, x) for p, x in zip(self.block.params, bound.arguments.values(), strict=True)]
        return run(self.block, values)[0]

    def taken(self, param: Any, x: Any) -> Any:
        """An argument, checked against the type of its parameter."""
        kinds = {"int": (int,), "float": (int, float), "bool": (bool,), "str": (str,)}
        if param.type == "Tensor":
            return as_tensor(x)
        if not isinstance(x, kinds[param.type]):
            raise CaptureError(
                f"{self.name} got a {type(x).__name__} for {param.name}: {param.type}.",
                "A script is compiled for the types of its arguments.",
            )
        return float(x) if param.type == "float" else x

    @property
    def graph(self) -> str:
        """The IR as text."""
        return printed(self.name, self.block, self.result)

    def __repr__(self) -> str:
        """The IR."""
        return self.graph


def script(fn: Callable[..., Any]) -> Scripted:
    """Compile a function from its source: both branches of every `if`, loops as loops. Also a decorator.

    The subset: arguments that are tensors (unannotated), `int`, `float`, `bool` or `str`; arithmetic, comparisons,
    `and` and `or`, indexing, tuples; `if`, `while`, `for` over a range; methods and functions of this package that
    give tensors, `math`, and other functions of the subset. Every variable keeps one type.

    Raises:
        CaptureError: The source is not at hand, or holds something outside the subset: the text shows the place.

    Example:
        >>> import minitorch_lab as ml
        >>> script(ml.nn.functional.flatten)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        minitorch_lab.errors.CaptureError: script cannot compile ...
    """
    return compiled(fn, ())


def compiled(fn: Callable[..., Any], within: tuple[Callable[..., Any], ...]) -> Scripted:
    """`script` of a function that is called in others, which are being compiled.

    Raises:
        CaptureError: As `script` does.
    """
    try:
        text, first = getsourcelines(fn)
    except (OSError, TypeError):
        raise CaptureError(
            f"script got {getattr(fn, '__name__', type(fn).__name__)}, whose source is not at hand.",
            "A script is compiled from the text of the function.",
            "Did you mean a function that stands in a file or a notebook cell? Or ml.jit.trace, which needs no source.",
        ) from None
    lines = dedent("".join(text)).splitlines()
    tree = ast.parse("\n".join(lines)).body[0]
    source = Source(fn.__name__, os.path.basename(fn.__code__.co_filename), lines, first)
    if not isinstance(tree, ast.FunctionDef):
        raise source.refusal(tree, "this", "A script is a function written with def.", "Write the lambda as a def.")
    if len(tree.decorator_list) > 1:
        raise source.refusal(tree.decorator_list[1], "a second decorator", "It would run Python around the script.")
    around = getclosurevars(fn)
    names = {**vars(builtins), **around.globals, **around.nonlocals}
    inside = (*within, fn)
    script_of = lambda inner: None if inner in inside else compiled(inner, inside)  # noqa: E731
    block, result = Lowering(source, names, script_of).function(tree)
    return Scripted(fn, block, result)
