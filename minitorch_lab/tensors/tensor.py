"""Tensor: a value, the tape node that made it, and a storage once its memory is shared, saved or written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, TypeAlias

from .. import ops
from ..core import array
from ..core.array import Array, DType, Shape, as_dtype, device_of, is_float, is_number, to_device, xp
from ..core.device import CPU, CUDA, Size, device
from ..core.interpret import grad_mode, owner, run, stack
from ..core.printing import account_of, text_of
from ..errors import ArgumentError, DeviceError, DTypeError, GradientError, ScalarError, ShapeError
from ..ops.front import FUNCTIONS, METHODS, taught
from ..ops.meant import describe_value, remedy
from ..ops.op import OPS, Op
from .facts import Facts
from .outside import Outside
from .storage import Storage, Unversioned, grounded, storage_of

Node: TypeAlias = Any  # an `autograd.node.Node`: a tensor carries its node and asks it little, so it need not know more


class Tensor(Outside, Facts):
    """A grid of numbers that knows how it was computed. Made by `ml.tensor` and the other factories.

    `value` is the array, `node` the tape node whose output it is (a Leaf for a tensor that requires a gradient),
    `storage` is made when first needed. `resting`, which most tensors lack, holds the gradient of one that requires
    none: the Leaf that it had, or a Rest. Names and meanings are PyTorch's.
    """

    __slots__ = ("__weakref__", "node", "resting", "storage", "value")
    level = 0
    link: Link | None = None  # a view knows its base
    _put: Callable[..., Any]  # a write at an index that holds no arrays: `autograd.short` writes it and the next two
    _put_at: Callable[..., Any]  # at one that holds an array
    _add_multiple: Callable[..., Any]  # x + alpha · y, into x

    def __init__(self, value: Array = (), node: Node | None = None, storage: Storage | None = None, *more: int) -> None:
        self.value, self.node, self.storage = value, node, storage
        if type(value) in OLDER:  # as older scripts make tensors, of data or of a size
            size = tuple(n for n in (value, node, storage, *more) if n is not None)
            self.value, self.node, self.storage = written_out(size), None, None

    # ---- facts ----------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> Shape:
        """The length of each axis."""
        return self.value.shape

    @property
    def dtype(self) -> DType:
        """The type of the entries."""
        return self.value.dtype

    @property
    def device(self) -> device:
        """Where the memory lies: `"cpu"` or `"cuda"`."""
        return CUDA if device_of(self.value) == "cuda" else CPU

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the length of one axis."""
        return self.shape if dim is None else self.shape[ops.axes.one_dim("size", dim, self.ndim)]

    def numel(self) -> int:
        """The number of entries."""
        return self.value.size

    def stride(self, dim: int | None = None) -> Any:
        """How many entries of memory lie between neighbours along each axis, or along one."""
        steps = tuple(step // self.itemsize for step in self.value.strides)
        return steps if dim is None else steps[ops.axes.one_dim("stride", dim, self.ndim)]

    def storage_offset(self) -> int:
        """How many entries of memory lie before the first one shown."""
        return array.offset_of(grounded(self).value)

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the entries lie in row order without gaps, which is the only memory format here."""
        return bool(grounded(self).value.flags.c_contiguous)

    def data_ptr(self) -> int:
        """The address of the first entry, in bytes."""
        return array.address(grounded(self).value)

    def untyped_storage(self) -> Storage:
        """The storage: memory and version, shared by all views of it."""
        storage = storage_of(self)
        storage.memory = grounded(self).value
        return storage

    def is_inference(self) -> bool:
        """Whether `inference_mode()` made this tensor."""
        return isinstance(self.storage, Unversioned)

    @property
    def _version(self) -> int:
        """How many times the memory was written in place."""
        return self.storage.version if self.storage else 0

    # ---- history --------------------------------------------------------------------------------------------------
    @property
    def grad_fn(self) -> Node | None:
        """The tape node that made this tensor; None for a leaf."""
        node = tracked(self)
        return None if node is None or node.op is None else node.function

    @property
    def output_nr(self) -> int:
        """Which of the results of its `grad_fn` this tensor is: 0 unless a Function has returned several."""
        node = tracked(self)
        return 0 if node is None else node.output_nr

    @property
    def is_leaf(self) -> bool:
        """Whether this tensor was made by no recorded op."""
        return self.grad_fn is None

    @property
    def requires_grad(self) -> bool:
        """Whether a backward pass reaches this tensor."""
        return tracked(self) is not None

    @requires_grad.setter
    def requires_grad(self, on: bool) -> None:
        self.requires_grad_(on)

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes have added up here: on leaves, and where `retain_grad()` asked for it.

        It stays when the tensor is frozen by `requires_grad_(False)`.
        """
        node = tracked(self)
        return getattr(getattr(self, "resting", None) if node is None else node, "grad", None)

    @grad.setter
    def grad(self, g: Tensor | None) -> None:
        if g is not None and not isinstance(g, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise needs_tensor("grad", g)
        if g is not None and g.shape != self.shape:
            raise ShapeError(
                f"A gradient of shape {g.shape} for a tensor of shape {self.shape}.",
                "The two shapes must be equal.",
                "Did you mean None? It forgets the gradient.",
            )
        if g is not None and g.dtype != self.dtype:
            raise DTypeError(
                f"A gradient of dtype {g.dtype} for a tensor of dtype {self.dtype}.",
                "A gradient is added up in the dtype of its tensor.",
                f"Did you mean g.to(ml.{self.dtype})?",
            )
        if g is not None and g.device != self.device:
            raise DeviceError(
                f"A gradient on {g.device} for a tensor on {self.device}.",
                "The two must lie on one device.",
                f'Did you mean g.to("{self.device}")?',
            )
        node = tracked(self) or getattr(self, "resting", None)
        if node is None:
            node = self.resting = Rest()
        node.grad = g

    @property
    def data(self) -> Tensor:
        """The same memory without history *and without its version counter*: writes through it are not noticed.

        Kept as PyTorch's pitfall, for the lesson. `detach()` is the safe way.
        """
        return Tensor(grounded(self).value)

    @data.setter
    def data(self, other: Tensor) -> None:
        """Show the memory of `other` from now on, with whatever shape, dtype and device it has.

        The history and the version counter stay, as in PyTorch, so writes by either are not noticed by the other.

        Raises:
            GradientError: This is a view, whose memory is its base's; or it has a gradient, and `other` is integer.
        """
        if not isinstance(other, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise needs_tensor("data", other)
        if self.link is not None or (self.requires_grad and not is_float(other.dtype)):
            raise GradientError(
                f"data of a {'view' if self.link else 'tensor with a gradient'} set to a {other.dtype} tensor.",
                "A view shows its base's memory, and only floats have gradients.",
                "Did you mean x.copy_(other), under no_grad()?",
            )
        self.value = grounded(other).value
        if self.node is not None:
            self.node.shape = other.shape

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for a gradient of this leaf, or stop asking."""
        return home(self).require(self, requires_grad)

    def backward(self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False) -> None:
        """Add to every leaf's `.grad` the gradient of this tensor, weighted by `gradient`.

        Args:
            gradient: The cotangent of this tensor, of its shape. May be left out for a single number: it is then 1.
            retain_graph: Keep the saved tensors for another pass. If left out, as `create_graph`.
            create_graph: Record the backward pass itself, so that it can be differentiated.

        Raises:
            GradientError: Nothing here requires a gradient; this is not a single number and no cotangent is given; the
                cotangent has NaN entries; a saved tensor was freed, or written in place since.
            ShapeError: The cotangent has another shape.
        """
        retain = create_graph if retain_graph is None else retain_graph
        home(self).backward(self, gradient, retain, create_graph)

    def retain_grad(self) -> None:
        """Keep the gradient of this intermediate tensor in `.grad` when a backward pass goes through it."""
        watched(self, "retain_grad").expose().hook_list().retain = True

    @property
    def retains_grad(self) -> bool:
        """Whether `retain_grad()` was asked for on an intermediate tensor."""
        node = tracked(self)
        return not self.is_leaf and node is not None and node.hooks is not None and node.hooks.retain

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Call `hook(cotangent)` in every backward pass; what it returns, if anything, replaces the cotangent.

        Returns:
            A handle: `handle.remove()` unregisters the hook.
        """
        return watched(self, "register_hook").expose().on_tensor(hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Any:
        """Call `hook(tensor)` once a backward pass has added to the `.grad` of this leaf.

        Returns:
            A handle: `handle.remove()` unregisters the hook.

        Raises:
            GradientError: The tensor requires no gradient, or is no leaf.
        """
        return watched(self, "register_post_accumulate_grad_hook").on_filled(self, hook)

    # ---- writes -----------------------------------------------------------------------------------------------------
    def __setitem__(self, index: Any, new: Any) -> None:
        """Write `new` at the index, in place."""
        template, arrays = ops.indexing.split_index(index, self)
        if len(arrays) > 1:
            stack.get().inplace(ops.indexing.setitem, self, (new, *arrays), {"index": template})
        elif arrays:
            self._put_at(new, *arrays, template)
        else:
            self._put(new, template)

    def add_(self, other: Any, alpha: float = 1) -> Tensor:
        """Add alpha · other, in place."""
        return self.__iadd__(other) if alpha == 1 else self._add_scaled(other, alpha)

    def sub_(self, other: Any, alpha: float = 1) -> Tensor:
        """Subtract alpha · other, in place."""
        return self.__isub__(other) if alpha == 1 else self._add_scaled(other, alpha, -1)

    @taught
    def _add_scaled(self, other: Any, alpha: float, sign: int = 1) -> Tensor:
        """Add sign · alpha · other, in place."""
        if is_number(other) or not is_number(alpha):
            return stack.get().inplace(OPS["add"], self, (other * (sign * alpha),), {})
        return self._add_multiple(other, sign * alpha)

    def copy_(self, source: Any) -> Tensor:
        """Write `source`, stretched to this shape, in place.

        Raises:
            ShapeError: It has more axes, or does not stretch to this shape.
        """
        shape = tuple(getattr(source, "shape", ()))
        if len(shape) > self.ndim:
            raise ShapeError(
                f"copy_ got a source of shape {shape} for a tensor of shape {self.shape}.",
                "What is written keeps its shape: the source may stretch, but has no more axes.",
                "Did you mean source.squeeze(0)?"
                if shape[:1] == (1,) and len(shape) == self.ndim + 1
                else "Take a part of the source, or reshape it.",
            )
        self._put(source, (...,))
        return self

    def fill_(self, value: float) -> Tensor:
        """Write one number everywhere, in place."""
        self._put(value, (...,))
        return self

    def zero_(self) -> Tensor:
        """Write 0 everywhere, in place."""
        return self.fill_(0)

    def where(self, condition: Any, other: Any) -> Tensor:
        """This where the condition holds, else `other`: `ml.where(condition, x, other)`."""
        return run(ops.compare.where, (condition, self, other), {})

    # ---- Python's protocols -----------------------------------------------------------------------------------------
    __hash__ = object.__hash__

    def __getitem__(self, index: Any) -> Tensor:
        """A part of the tensor."""
        return ops.indexing.getitem(self, index)

    def __iter__(self) -> Iterator[Tensor]:
        """The parts along axis 0.

        Raises:
            ScalarError: This is a single number.
        """
        if not self.ndim:
            raise ScalarError(
                "Iteration over a 0-d tensor.", "A single number has no axis to go along.", "Did you mean item()?"
            )
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        """The length of axis 0.

        Raises:
            ScalarError: This is a single number.
        """
        if not self.ndim:
            raise ScalarError(
                "len() of a 0-d tensor.", "A single number has no axis to count along.", "Did you mean numel()?"
            )
        return self.shape[0]

    def __bool__(self) -> bool:
        """The truth of a single number."""
        return bool(check_truth(self).value.item())

    def __pos__(self) -> Tensor:
        """The tensor itself."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """A leaf of its own with the same entries, and a copy of the gradient. Copies share memory as the originals do.

        Raises:
            GradientError: The tensor was made by a recorded op, whose history cannot be copied.
        """
        if not self.is_leaf:
            raise GradientError(
                "deepcopy of a tensor that an op has made.",
                "Its history belongs to the original.",
                "Did you mean x.detach().clone()?",
            )
        memo[id(self)] = twin = made_again(*kind_of(self), array.copied(grounded(self).value, memo))
        twin.storage = self.storage and memo.setdefault(id(self.storage), Storage())
        if self.grad is not None:
            twin.grad = Tensor(xp.copy(self.grad.value))
        return marked(twin, deepcopy(marks_of(self), memo))

    def __copy__(self) -> Tensor:
        """A leaf on the same memory, as PyTorch's."""
        twin = made_again(*kind_of(self), grounded(self).value)
        twin.storage = storage_of(self)
        return marked(twin, marks_of(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """What pickle keeps: the entries, whether they require a gradient, and marks. The history stays behind."""
        array = to_device(grounded(self.detach()).value, "cpu")
        return made_again, (*kind_of(self), array, self.device), marks_of(self) or None

    def __repr__(self) -> str:
        """The entries, and where they came from."""
        return text_of(grounded(self).value, self.grad_fn, self.requires_grad)

    def describe(self) -> str:
        """Everything but the entries, in words: layout, memory and who shares it, version, place on the tape.

        Example:
            >>> import minitorch_lab as ml
            >>> print(ml.arange(6).reshape(2, 3).T[1:].describe())
            shape    (2, 2): 4 entries
            dtype    int64: 8 bytes an entry
            device   cpu
            strides  (1, 3) from entry 1: not contiguous
            memory   shows 32 of 48 bytes, as getitem of permute of reshape of a leaf of shape (6,)
            version  0: never written in place
            history  a leaf that requires no gradient
        """
        return account_of(self)


OLDER: set[type] = {int, list, tuple, Size, str, dict, set}


def written_out(given: tuple[Any, ...]) -> Array:
    """The array of `ml.Tensor(2, 3)`, whose entries have yet to be written, or of `ml.Tensor([1, 2])`."""
    if all(type(n) is int for n in given):
        return xp.empty(given, array.default_dtype())
    return array.as_array(array.as_array(given[0], None), array.default_dtype())


class View(Tensor):
    """A tensor made by a view op: it can be made again from its base, and can put a new value back into it."""

    __slots__ = ("link",)


class Rest:
    """Where the gradient lies of a tensor that never required one."""

    __slots__ = ("grad",)


class Link:
    """How a view hangs on its base: the op that made it, and the version of the memory that its node speaks of.

    `unwatched` is a view that was made under no_grad(), or a view of one.
    """

    __slots__ = ("base", "op", "params", "seen", "unwatched")

    def __init__(self, base: Tensor, op: Op, params: dict[str, Any]) -> None:
        self.base, self.op, self.params, self.seen = base, op, params, storage_of(base).version
        self.unwatched = not grad_mode.get() or (base.link is not None and base.link.unwatched)


PLAIN: set[type] = {Tensor, View}  # the classes of tensors that are nothing but an array and its history


def kind_of(x: Tensor) -> tuple[type[Tensor], bool]:
    """The class of a copy of `x`, a view being copied as a plain tensor, and whether it requires a gradient."""
    return type(x) if x.link is None else Tensor, x.requires_grad


def made_again(kind: type[Tensor], requires_grad: bool, array: Array, device: str | None = None) -> Tensor:
    """A leaf of the class `kind` that holds `array`."""
    twin = kind.__new__(kind)
    array = array.view(as_dtype(array.dtype))  # pickle makes dtypes anew, and ours are known by identity
    twin.value, twin.node, twin.storage = array if device is None else to_device(array, device), None, None
    return twin.requires_grad_() if requires_grad else twin


def marks_of(x: Tensor) -> dict[str, Any]:
    """What a user has written on a tensor whose class has room for it: a Parameter, or one of the user's own."""
    return getattr(x, "__dict__", {})


def marked(x: Tensor, marks: dict[str, Any]) -> Tensor:
    """`x` with these marks."""
    if marks:
        x.__dict__.update(marks)
    return x


def check_truth(x: Tensor) -> Tensor:
    """`x`, if it is a single number.

    Raises:
        ShapeError: It is not.
    """
    if x.numel() != 1:
        raise ShapeError(
            f"The truth of a tensor of shape {tuple(x.shape)}.",
            "Only a single number is true or false.",
            "Did you mean .any() or .all()?",
        )
    return x


def needs_tensor(name: str, value: Any) -> ArgumentError:
    """The error of an attribute that was set to no tensor."""
    return ArgumentError(f"{name} was set to {describe_value(value)}.", f"x.{name} is a tensor.", remedy(value, True))


def tracked(x: Tensor) -> Node | None:
    """The node of `x`; a view whose memory was written since is made again from its base first."""
    link = x.link
    if link is not None and link.seen != (version := storage_of(x).version):
        link.seen = version
        home(x).remake(x)
    return x.node


def watched(x: Tensor, what: str) -> Node:
    """The node of a tensor that a backward pass reaches."""
    node = tracked(x)
    if node is None:
        raise GradientError(
            f"{what} on a tensor that requires no gradient.",
            "No backward pass will reach it.",
            "Did you mean x.requires_grad_()?",
        )
    return node


def home(x: Tensor) -> Any:
    """The interpreter that `x` belongs to: the imperative tape, or a running transform.

    Raises:
        GradientError: The transform has ended; the tensor should not have left it.
    """
    found = stack.get()
    if found.level == x.level:
        return found
    found = owner(x.level)
    if found is None:
        raise GradientError(
            "A tensor that belongs to a transform that has ended.",
            "What a function computes inside grad, vjp, jvp or vmap means nothing outside.",
            "Return the value from the function instead of storing it.",
        )
    return found


# ---- methods from the registry --------------------------------------------------------------------------------------


def named(fn: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """`fn` under the name and the sentence that help() shows."""
    fn.__name__, fn.__qualname__, fn.__doc__ = name, f"Tensor.{name}", doc
    return fn


for op in (*ops.ELEMENTWISE, ops.clone, ops.detach, ops.matmul):
    if op is not ops.compare.where:  # its method has another order
        setattr(Tensor, op.name, op.call if len(op.vjp) == 1 else FUNCTIONS[op.name])
for public, front in METHODS.items():
    setattr(Tensor, public, front)
