"""Module: something with parameters that can be called. It finds its parts as they are assigned to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import Any, Self

from ..core.array import as_dtype, is_float
from ..errors import ArgumentError, DTypeError
from ..ops.front import taught
from ..ops.meant import is_batch
from ..ops.misfit import check_flag, check_settings, class_made
from ..ops.movement import asked
from ..tensors.tensor import Tensor
from .blame import PACKAGE, NoAttributeError, meant_for, misfit, not_begun, too_early, unasked
from .buffer import Buffer
from .hooks import Hooked
from .parameter import Parameter
from .state import KeyReport, load_state

HOMES = ("_parameters", "_buffers", "_modules")  # where a module keeps its parts, by name


class Module(Hooked):
    """The base of every layer and every model.

    Assign parameters, buffers and other modules as attributes in `__init__`, say in `forward` what the module computes,
    and call it. A `Parameter` is found by `parameters()`, a `Module` by `modules()`; a plain tensor is an ordinary
    attribute, even if it requires grad. Names follow the attributes: `model.hidden.weight` is "hidden.weight".

    Raises:
        ArgumentError: A parameter or module is assigned before `super().__init__()`, or something else is assigned to a
            name that belongs to a parameter, a buffer or a module.

    Example:
        >>> import minitorch_lab as ml
        >>> class Scale(ml.nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.factor = ml.nn.Parameter(ml.tensor([2.0, 3.0]))
        ...
        ...     def forward(self, x):
        ...         return x * self.factor
        >>> model = Scale()
        >>> model(ml.tensor([1.0, 1.0])).tolist()
        [2.0, 3.0]
        >>> [name for name, _ in model.named_parameters()]
        ['factor']
    """

    training: bool
    _parameters: dict[str, Tensor | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _transient: set[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let every layer of this package answer arguments that do not fit it in words, and go where `device` says."""
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls) and cls.__module__.startswith(PACKAGE):
            cls.__init__ = taught(placed(cls.__init__))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make room for the parts. A subclass calls this first.

        Raises:
            ArgumentError: There are arguments, and no `__init__` of a subclass that takes them.
        """
        if args or kwargs:
            raise unasked(self, args, kwargs)
        self._parameters, self._buffers, self._modules = {}, {}, {}
        self._transient = set()  # names of buffers that are no part of the state
        self.training = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes. Every subclass writes its own.

        Raises:
            ArgumentError: This subclass has none.
        """
        cls = type(self).__name__
        near = meant_for(type(self), "forward")
        raise ArgumentError(
            f"{cls} was called, and it has no forward.",
            "Calling a module runs its forward method.",
            f"Did you mean forward by {cls}.{near}?" if near else f"Write def forward(self, x): ... in class {cls}.",
        )

    # ---- parts come in as attributes ----------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        """Keep `value` with the parts of its kind, or as an ordinary attribute."""
        if isinstance(value, Parameter):
            self._keep("_parameters", name, value)
        elif isinstance(value, Module) and vars(value) is not vars(self):  # not this module, compiled
            self._keep("_modules", name, value)
        elif isinstance(value, Buffer):
            self._keep("_buffers", name, value)
            self._count_in_state(name, value.persistent)
        elif (home := self._home(name)) is not None:
            self._keep(home, name, value)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:  # parts are attributes that a type checker cannot know
        """Say what was probably meant by an attribute that is not there."""
        own = vars(self)
        if name in HOMES and name not in own:
            raise not_begun(self)
        raise NoAttributeError(self, name)

    def __delattr__(self, name: str) -> None:
        """Forget the part or attribute called `name`."""
        home = self._home(name)
        if home is not None:
            del vars(self)[home][name]
        super().__delattr__(name)

    def register_parameter(self, name: str, parameter: Tensor | None) -> None:
        """The same as `self.name = parameter`, for a name held in a string. None keeps a place for a parameter.

        Raises:
            ArgumentError: `parameter` is not a `Parameter`, or the name is taken, empty or has a dot.
        """
        self._new("_parameters", name, parameter)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a tensor that belongs to the module and is not trained, such as a running mean.

        Args:
            name: The attribute's name.
            tensor: A tensor of any shape and dtype, or None to keep a place for one.
            persistent: Whether the buffer is part of `state_dict()`.

        Raises:
            ArgumentError: `tensor` is not a tensor, or the name is taken, empty or has a dot.

        Example:
            >>> import minitorch_lab as ml
            >>> model = ml.nn.Module()
            >>> model.register_buffer("mean", ml.zeros(3))
            >>> model.mean.tolist(), list(model.state_dict())
            ([0.0, 0.0, 0.0], ['mean'])
        """
        self._new("_buffers", name, tensor)
        self._count_in_state(name, persistent)

    def add_module(self, name: str, module: Module | None) -> None:
        """The same as `self.name = module`, for a name held in a string.

        Raises:
            ArgumentError: `module` is not a `Module`, or the name is taken, empty or has a dot.
        """
        self._new("_modules", name, module)

    register_module = add_module

    def _count_in_state(self, name: str, persistent: bool) -> None:
        (self._transient.discard if persistent else self._transient.add)(name)

    def _home(self, name: str) -> str | None:
        own = vars(self)
        for home in HOMES:
            if name in own.get(home, ()):
                return home
        return None

    def _new(self, home: str, name: str, value: Any) -> None:
        if not name or "." in name or ((name in vars(self) or hasattr(type(self), name)) and self._home(name) != home):
            raise ArgumentError(
                f"{type(self).__name__} cannot register the name {name!r}.",
                "A name is not empty, has no dot, and is not taken by another attribute.",
                "Choose another name.",
            )
        self._keep(home, name, value)

    def _keep(self, home: str, name: str, value: Any) -> None:
        own = vars(self)
        if home not in own:
            raise too_early(self, name)
        if not fits(home, value):
            raise misfit(self, home, name, value)
        for other in HOMES:
            if other != home:
                own[other].pop(name, None)
        if home != "_buffers":
            self._transient.discard(name)
        own[home][name] = own[name] = value  # the list of parts, and the attribute that forward() reads

    # ---- walking the tree ---------------------------------------------------------------------------------------

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly inside this one, with their names."""
        for name, module in self._modules.items():
            if module is not None:
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules directly inside this one."""
        for _, module in self.named_children():
            yield module

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """This module (named `prefix`) and all inside it, parents first; one that appears twice is given once.

        Example:
            >>> from minitorch_lab import nn
            >>> [name for name, _ in nn.Sequential(nn.Linear(2, 3), nn.ReLU()).named_modules()]
            ['', '0', '1']
        """
        seen: set[int] = set()
        for path, module in paths(self, prefix):
            if id(module) not in seen:
                seen.add(id(module))
                yield path, module

    def modules(self) -> Iterator[Module]:
        """This module and all inside it."""
        for _, module in self.named_modules():
            yield module

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """All parameters, with dotted names; one that is shared by two modules is given once.

        `recurse=False` gives those of this module alone.
        """
        return tensors(self, "_parameters", prefix, recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """All parameters: what an optimizer wants."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """All buffers, with dotted names."""
        return tensors(self, "_buffers", prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """The module with a dotted name, such as "encoder.0"; this one for "".

        Raises:
            ArgumentError: There is none.

        Example:
            >>> from minitorch_lab import nn
            >>> nn.Sequential(nn.Sequential(nn.ReLU())).get_submodule("0.0")
            ReLU()
        """
        return self._found(target, dict(paths(self, "")), "module")

    def get_parameter(self, target: str) -> Tensor:
        """The parameter with a dotted name.

        Raises:
            ArgumentError: There is none.
        """
        return self._found(target, dict(held(self, "_parameters")), "parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with a dotted name.

        Raises:
            ArgumentError: There is none.
        """
        return self._found(target, dict(held(self, "_buffers")), "buffer")

    def _found(self, target: str, parts: Mapping[str, Any], kind: str) -> Any:
        if target not in parts:
            near = get_close_matches(target, [name for name in parts if name], 1)
            raise ArgumentError(
                f"{type(self).__name__} has no {kind} {target!r}.",
                f"A {kind} is found by its dotted name.",
                f"Did you mean {near[0]!r}?" if near else f"List them with named_{kind}s().",
            )
        return parts[target]

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call `fn` on every module inside, then on this one. Good for giving weights other starting values."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # ---- switches -----------------------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Self:
        """Switch this module and all inside to training (`Dropout` drops) or, with False, to evaluation."""
        check_flag("train", mode)
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        """Switch to evaluation: the same input gives the same output."""
        return self.train(False)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero where they are."""
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Freeze (False) or thaw all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def to(self, *target: Any, dtype: Any = None, device: Any = None) -> Self:
        """Give all parameters and buffers another dtype (those that hold floats), another device, or both, in place.

        Parameters stay the same objects, so an optimizer that was given them goes on with them; buffers are replaced.

        Raises:
            DTypeError: There is no such dtype, or it is not one of floats.
            DeviceError: There is no such device here.

        Example:
            >>> import minitorch_lab as ml
            >>> layer = ml.nn.Linear(2, 3)
            >>> weight = layer.weight
            >>> layer.to(ml.float64).weight is weight, weight.dtype
            (True, dtype('float64'))
        """
        dtype, device = asked(target, dtype, device)
        if dtype is not None and not is_float(as_dtype(dtype)):
            raise DTypeError(
                f"to({as_dtype(dtype)}) of a {type(self).__name__}.",
                "Its parameters learn by small steps, which whole numbers cannot take.",
                "Did you mean ml.float64?",
            )
        for parameter in self.parameters():
            moved(parameter, dtype if is_float(parameter.dtype) else None, device)
        for own in map(vars, self.modules()):
            for name, buffer in own["_buffers"].items():
                if buffer is not None:
                    width = dtype if is_float(buffer.dtype) else None
                    own["_buffers"][name] = own[name] = buffer.to(dtype=width, device=device)
        return self

    def float(self) -> Self:
        """`to(ml.float32)`."""
        return self.to(dtype="float32")

    def double(self) -> Self:
        """`to(ml.float64)`.

        Example:
            >>> import minitorch_lab as ml
            >>> ml.nn.Linear(2, 3).double().weight.dtype
            dtype('float64')
        """
        return self.to(dtype="float64")

    def half(self) -> Self:
        """`to(ml.float16)`."""
        return self.to(dtype="float16")

    def bfloat16(self) -> Self:
        """`to(ml.bfloat16)`."""
        return self.to(dtype="bfloat16")

    def type(self, dst_type: Any) -> Self:
        """`to(dst_type)`."""
        return self.to(dtype=dst_type)

    def cpu(self) -> Self:
        """Move all parameters and buffers to the memory of the CPU."""
        return self.to(device="cpu")

    def cuda(self) -> Self:
        """Move all parameters and buffers to the memory of the GPU."""
        return self.to(device="cuda")

    # ---- state --------------------------------------------------------------------------------------------------

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> dict[str, Tensor]:
        """All parameters and persistent buffers by name, detached. They share memory: clone to keep a copy.

        Args:
            prefix: What each name begins with.
            keep_vars: Give the parameters themselves, not detached.

        Example:
            >>> from minitorch_lab import nn
            >>> {name: t.shape for name, t in nn.Linear(2, 3).state_dict().items()}
            {'weight': (3, 2), 'bias': (3,)}
        """
        return {prefix + name: tensor if keep_vars else tensor.detach() for name, tensor in state(self)}

    @taught
    def load_state_dict(self, state_dict: Mapping[str, Tensor], strict: bool = True) -> KeyReport:
        """Copy the values of `state_dict` into this module's parameters and buffers, where they are.

        Args:
            state_dict: Tensors by name, of the shapes in `self.state_dict()`. Values are cast to the dtype here.
            strict: False lets names be missing or unexpected, and reports them.

        Returns:
            The names that were missing and unexpected.

        Raises:
            ArgumentError: Names do not match while `strict`, or shapes differ. Nothing is copied then.
        """
        return load_state(type(self).__name__, dict(state(self)), state_dict, strict)

    # ---- words --------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What `repr` writes between this module's parentheses."""
        return ""

    def __repr__(self) -> str:
        """The tree of modules, one per line."""
        name, extra = type(self).__name__, self.extra_repr()
        inner = [f"({key}): {child!r}".replace("\n", "\n  ") for key, child in self._modules.items()]
        if not inner:
            return f"{name}({extra})"
        return "\n  ".join([f"{name}(", *([extra] if extra else []), *inner]) + "\n)"


def placed(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor that refuses tensors where settings stand, and moves what it has made to its `device`."""
    moves = "device" in init.__code__.co_varnames

    @wraps(init)
    def call(self: Module, *args: Any, **kwargs: Any) -> None:
        if any(map(is_batch, args)) or any(map(is_batch, kwargs.values())):
            check_settings(class_made(call, (self,)), signature(init), args, kwargs)
        init(self, *args, **kwargs)
        if moves and kwargs.get("device") is not None:
            self.to(device=kwargs["device"])

    return call


def paths(module: Module, prefix: str) -> Iterator[tuple[str, Module]]:
    """Every way to reach a module from `module`, parents first."""
    yield prefix, module
    for name, child in module.named_children():
        yield from paths(child, f"{prefix}.{name}" if prefix else name)


def tensors(module: Module, home: str, prefix: str, recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
    """The tensors that all modules keep in `home`, each once, with dotted names."""
    seen: set[int] = set()
    for path, owner in module.named_modules(prefix) if recurse else [(prefix, module)]:
        for name, tensor in getattr(owner, home).items():
            if tensor is not None and id(tensor) not in seen:
                seen.add(id(tensor))
                yield f"{path}.{name}" if path else name, tensor


def held(module: Module, home: str) -> Iterator[tuple[str, Tensor]]:
    """The tensors that all modules keep in `home`, under every name they can be reached by."""
    for path, owner in paths(module, ""):
        for name, tensor in vars(owner)[home].items():
            if tensor is not None:
                yield f"{path}.{name}" if path else name, tensor


def state(module: Module) -> Iterator[tuple[str, Tensor]]:
    """Parameters and persistent buffers under every name they can be reached by."""
    for path, owner in paths(module, ""):
        for home in ("_parameters", "_buffers"):
            for name, tensor in vars(owner)[home].items():
                if tensor is not None and name not in vars(owner)["_transient"]:
                    yield f"{path}.{name}" if path else name, tensor


def clear_grad(parameter: Tensor, set_to_none: bool) -> None:
    """Drop the gradient of `parameter`, or zero it in place."""
    if set_to_none:
        parameter.grad = None
    elif parameter.grad is not None:
        parameter.grad.detach().zero_()


def moved(tensor: Tensor, dtype: Any, device: Any) -> None:
    """Give `tensor` and its gradient another dtype and device, where they are."""
    grad = tensor.grad
    tensor.grad = None
    tensor.data = tensor.detach().to(dtype=dtype, device=device)
    tensor.grad = None if grad is None else grad.detach().to(dtype=dtype, device=device)


def fits(home: str, value: Any) -> bool:
    """Whether `value` may stand in `home`."""
    kind = {"_parameters": Parameter, "_buffers": Tensor, "_modules": Module}[home]
    return value is None or isinstance(value, kind)


Module.__init__ = taught(placed(Module.__init__))
