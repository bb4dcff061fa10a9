"""Hooks of modules: user's code around a call, and around the way back through it. Names and order are PyTorch's."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import ismethod, signature
from typing import Any, TypeAlias

from ..autograd import Function
from ..autograd.node import Handle
from ..core.interpret import grad_mode
from ..errors import ArgumentError
from ..tensors.tensor import Tensor

Hook: TypeAlias = Callable[..., Any]


class HookLists:
    """The hooks of one module, in the order in which they run."""

    def __init__(self) -> None:
        self.before: dict[int, Hook] = {}  # forward_pre
        self.after: dict[int, Hook] = {}  # forward
        self.back_before: dict[int, Hook] = {}  # full_backward_pre
        self.back_after: dict[int, Hook] = {}  # full_backward
        self.compiled: Hook | None = None  # what a call runs in place of `uncompiled`, after `module.compile()`


class Hooked:
    """What can be called, with hooks before and after. A call without hooks asks one question more than `forward`."""

    _hooks: HookLists | None = None
    forward: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, and the hooks around it."""
        hooks = self._hooks
        try:
            return self.forward(*args, **kwargs) if hooks is None else called(self, hooks, args, kwargs)
        except TypeError as error:
            if not str(error).startswith(f"{getattr(self.forward, '__qualname__', '')}() "):  # from inside
                raise
            told = miscalled(self, args, error)
        raise told

    def register_forward_pre_hook(self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False) -> Handle:
        """Call `hook(module, args)` before every forward. What it returns, one value or a tuple, replaces the args.

        Args:
            hook: The function. It sees positional arguments only.
            prepend: Run it before those that are there.
            with_kwargs: Call `hook(module, args, kwargs)`, which returns a pair (args, kwargs) or None.

        Returns:
            A handle: `handle.remove()` unregisters the hook.

        Example:
            >>> from minitorch_lab import nn, ones
            >>> layer = nn.Flatten()
            >>> handle = layer.register_forward_pre_hook(lambda module, args: print("in:", args[0].shape))
            >>> layer(ones(2, 3, 4)).shape
            in: (2, 3, 4)
            (2, 12)
        """
        return added(self.hook_lists().before, hook if with_kwargs else without_kwargs(hook), prepend)

    def register_forward_hook(self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False) -> Handle:
        """Call `hook(module, args, output)` after every forward. What it returns, if anything, replaces the output.

        Args:
            hook: The function.
            prepend: Run it before those that are there.
            with_kwargs: Call `hook(module, args, kwargs, output)`.

        Returns:
            A handle: `handle.remove()` unregisters the hook.
        """
        whole = hook if with_kwargs else lambda module, args, kwargs, out: hook(module, args, out)
        return added(self.hook_lists().after, whole, prepend)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call `hook(module, grad_output)` when a walk comes to this module. What it returns replaces grad_output.

        Args:
            hook: The function. grad_output is a tuple, one cotangent per output, None for what is no tensor.
            prepend: Run it before those that are there.

        Returns:
            A handle: `handle.remove()` unregisters the hook.
        """
        return added(self.hook_lists().back_before, hook, prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> Handle:
        """Call `hook(module, grad_input, grad_output)` when a walk leaves this module by its inputs.

        Args:
            hook: The function. Both are tuples, one cotangent per positional argument and per output, None for what is
                no tensor; what it returns, a tuple, replaces grad_input.
            prepend: Run it before those that are there.

        Returns:
            A handle: `handle.remove()` unregisters the hook.

        Raises:
            ArgumentError: During the walk: the hook returned something of another form.

        Example:
            >>> import minitorch_lab as ml
            >>> layer = ml.nn.ReLU()
            >>> handle = layer.register_full_backward_hook(lambda module, gi, go: print(gi, go))
            >>> layer(ml.tensor([-1.0, 2.0], requires_grad=True)).sum().backward()
            (tensor([0., 1.]),) (tensor([1., 1.]),)
        """
        return added(self.hook_lists().back_after, hook, prepend)

    def compile(self, **settings: Any) -> None:
        """Compile the calls of this module, where it is: `model.compile()` for `model = ml.compile(model)`.

        The module stays the same object. Its copies are compiled as well, each by itself.

        Args:
            settings: As for `ml.compile`.

        Raises:
            CaptureError: As `ml.compile`.

        Example:
            >>> from minitorch_lab import nn, ones
            >>> model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
            >>> model.compile(fullgraph=True)
            >>> model(ones(3, 2)).shape
            (3, 2)
        """
        from ..compiler.capture.api import compile

        self.hook_lists().compiled = compile(self.uncompiled, **settings)

    def uncompiled(self, *args: Any, **kwargs: Any) -> Any:
        """A call, run by Python."""
        hooks = self._hooks
        if hooks is None or not (hooks.before or hooks.after or hooks.back_before or hooks.back_after):
            return self.forward(*args, **kwargs)
        return hooked(self, hooks, args, kwargs)

    def hook_lists(self) -> HookLists:
        """The hooks of this module, made when first needed."""
        if self._hooks is None:
            self._hooks = HookLists()
        return self._hooks


def miscalled(module: Hooked, args: tuple[Any, ...], error: TypeError) -> ArgumentError:
    """The error of a call whose arguments are not those of `forward`."""
    cls, forward = type(module).__name__, module.forward
    code = getattr(getattr(forward, "__func__", forward), "__code__", None)
    first = code.co_varnames[:1] if code is not None else ("self",)
    named = [str(p.replace(annotation=p.empty)) for p in signature(forward).parameters.values()]
    lacking = ismethod(forward) and first != ("self",)
    hint = f"Did you mean def forward(self, {', '.join([*first, *named])})?" if lacking else ""
    if not lacking and len(args) > 1 and cls == "Sequential":
        hint = "Write a Module with a forward of its own for more than one input."
    text = str(error).partition("() ")[2] or str(error)
    text = re.sub(r"^missing", "is missing", text)
    text = re.sub(r"takes (\d+) positional arguments? but (\d+) (was|were) given", fewer, text)
    return ArgumentError(f"The call of {cls} {text}.", f"It calls forward({', '.join(named)}).", hint)


def fewer(found: re.Match[str]) -> str:
    """Python's count of arguments, without `self`."""
    takes, given = int(found[1]) - 1, int(found[2]) - 1
    return f"takes {takes} argument{'s' * (takes != 1)} and got {given}"


def without_kwargs(hook: Hook) -> Hook:
    """A hook of positional arguments as one of both kinds."""

    def whole(module: Any, args: Any, kwargs: Any) -> Any:
        new = hook(module, args)
        return None if new is None else (new if isinstance(new, tuple) else (new,), kwargs)

    return whole


def added(hooks: dict[int, Hook], hook: Hook, prepend: bool) -> Handle:
    """Register a hook at the end, or at the front."""
    others = dict(hooks)
    handle = Handle(hooks, hook)
    if prepend:
        for key in others:
            hooks[key] = hooks.pop(key)
    return handle


def called(module: Any, hooks: HookLists, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """One call of a module that has hooks, or is compiled."""
    if hooks.compiled is not None:
        return hooks.compiled(*args, **kwargs)
    return module.uncompiled(*args, **kwargs)


def hooked(module: Any, hooks: HookLists, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """One call: hooks on the arguments, forward, hooks on the output; the way back is watched at both ends.

    Raises:
        ArgumentError: A hook with_kwargs returned no pair.
    """
    for hook in list(hooks.before.values()):
        new = hook(module, args, kwargs)
        if new is not None:
            if not isinstance(new, tuple) or len(new) != 2:
                raise ArgumentError(
                    f"A forward pre-hook with_kwargs of {type(module).__name__} returned a {type(new).__name__}.",
                    "It returns the arguments as a pair (args, kwargs), or None to leave them.",
                    "Did you mean return (x,), kwargs?",
                )
            args, kwargs = new
    way = WayBack(module, list(hooks.back_before.values()), list(hooks.back_after.values()))
    out = module.forward(*way.entered(args), **kwargs)
    for hook in list(hooks.after.values()):
        new = hook(module, args, kwargs, out)
        out = out if new is None else new
    return way.left(out)


class Gate(Function):
    """The identity on several tensors: one node, so that a hook sees the cotangents of all of them at once."""

    @staticmethod
    def forward(*args: Any) -> Any:
        """The values. What asks for no gradient has none behind the gate either."""
        ctx, *values = args
        outs = tuple(x.detach() for x in values)
        ctx.mark_non_differentiable(*(x for x, needs in zip(outs, ctx.needs_input_grad, strict=True) if not needs))
        return outs

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The cotangents."""
        return grads


class WayBack:
    """The backward hooks during one call: a gate before the module and one behind it."""

    def __init__(self, module: Any, before: list[Hook], after: list[Hook]) -> None:
        self.module, self.before, self.after = module, before, after
        self.received: Any = None  # the cotangents of the outputs, between the two gates
        self.count, self.places = 0, ()  # how many arguments there are, and which of them pass the gate
        self.behind: Any = None  # the same of the outputs

    def entered(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, behind a gate."""
        if not self.after:
            return args
        node, args, self.places = gated(args)
        self.count = len(args)
        if node is not None:
            node.register_hook(self.leaves)
        return args

    def left(self, out: Any) -> Any:
        """The output, behind a gate."""
        if not self.before and not self.after:
            return out
        several = isinstance(out, (tuple, list))
        node, outs, places = gated(tuple(out) if several else (out,))
        if node is not None:
            self.behind = len(outs), places
            node.register_hook(self.comes)
        return type(out)(outs) if several else outs[0]

    def comes(self, _: Any, grads: tuple[Any, ...]) -> Any:
        """A walk comes to the module: the pre-hooks, and all hooks at once if it will not leave by the inputs."""
        count, places = self.behind
        self.received = given = spread(grads, count, places)
        for hook in self.before:
            new = hook(self.module, self.received)
            if new is not None:
                self.received = self.fitted(new, self.received, "grad_output")
        if not self.places:
            for hook in self.after:
                hook(self.module, (None,) * self.count, self.received)
        return None if self.received is given else tuple(self.received[i] for i in places)

    def leaves(self, sent: tuple[Any, ...], _: Any) -> Any:
        """A walk leaves the module by its inputs."""
        found = given = spread(sent, self.count, self.places)
        for hook in self.after:
            new = hook(self.module, found, self.received)
            if new is not None:
                found = self.fitted(new, found, "grad_input")
        return None if found is given else tuple(found[i] for i in self.places)

    def fitted(self, new: Any, old: tuple[Any, ...], what: str) -> tuple[Any, ...]:
        """What a hook has put in the place of cotangents.

        Raises:
            ArgumentError: There are not as many.
        """
        found = new if isinstance(new, tuple) else (new,)
        if len(found) != len(old):
            raise ArgumentError(
                f"A backward hook of {type(self.module).__name__} returned {len(found)} values for {what}.",
                f"There are {len(old)} cotangents, and as many take their place.",
                "Return a tuple with one entry per cotangent, or None to leave them.",
            )
        return found


def spread(parts: tuple[Any, ...], count: int, places: tuple[int, ...]) -> tuple[Any, ...]:
    """`count` entries, the parts at their places, None elsewhere."""
    found = dict(zip(places, parts, strict=True))
    return tuple(found.get(i) for i in range(count))


def gated(values: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...], tuple[int, ...]]:
    """The gate's node, None if no gradient flows through it; the values, tensors behind it; and which passed it."""
    places = tuple(i for i, x in enumerate(values) if isinstance(x, Tensor))
    if not grad_mode.get() or not any(values[i].requires_grad for i in places):
        return None, values, ()
    behind = dict(zip(places, Gate.apply(*(values[i] for i in places)), strict=True))
    node = next(x.grad_fn for x in behind.values() if x.grad_fn is not None)
    return node, tuple(behind.get(i, x) for i, x in enumerate(values)), places
