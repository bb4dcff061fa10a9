"""Mixed precision: blocks in which products run in a dtype of two bytes. What runs in what, the op's record says.

P. Micikevicius and others, Mixed Precision Training, 2018. The mode belongs to the running thread, so transforms,
captures and recordings inside a block are in it too; rules of a walk are not, for they have the dtypes of their ops.
"""

from __future__ import annotations

import warnings
from contextlib import ExitStack
from typing import Any

from ..core.array import as_dtype, bfloat16, float16, is_narrow
from ..core.device import device
from ..core.interpret import During, autocast_cache, autocast_mode, interpreting, stack
from ..errors import DeviceError, DTypeError
from ..ops.front import taught
from ..ops.misfit import check_flag
from ..tensors import cuda
from .eager import Eager
from .scope import Scope
from .short import EAGER

DEFAULTS = {"cpu": bfloat16, "cuda": float16}
CASTING = Eager()  # the plain tape without the short path, which knows nothing of blocks
CASTING.caches = True


class autocast(Scope):  # noqa: N801 (PyTorch's name)
    """A block in which products run in bfloat16 or float16, and what would lose digits there in float32.

    Parameters stay float32, and so do their gradients: a cast is an op on the tape. Put the forward pass and the loss
    into the block, and `backward()` and `optimizer.step()` behind it. Blocks may be nested; `enabled=False` makes one
    that leaves dtypes alone. `ml.amp.table()` says what runs in what. Also a decorator.

    Args:
        device_type: "cpu" or "cuda": what is cast is what lies there.
        dtype: bfloat16 or float16; if left out, bfloat16 on the CPU and float16 on CUDA, as in PyTorch.
        enabled: Whether this is a block at all.
        cache_enabled: Cast a parameter once for the whole of the outermost block, however often it is used.

    Raises:
        DeviceError: There is no such kind of device.
        DTypeError: The dtype is none of two bytes: there is nothing lower to go to.

    Example:
        >>> import minitorch_lab as ml
        >>> x, w = ml.ones(2, 3), ml.ones(3, 2, requires_grad=True)
        >>> with ml.autocast("cpu", dtype=ml.bfloat16):
        ...     y = x @ w
        ...     loss = y.sum()
        >>> str(y.dtype), str(loss.dtype)
        ('bfloat16', 'float32')
        >>> loss.backward()
        >>> str(w.grad.dtype)
        'float32'
    """

    @taught
    def __init__(self, device_type: str, dtype: Any = None, enabled: bool = True, cache_enabled: bool = True) -> None:
        """Check what is asked for; the block begins with `with`."""
        check_flag("autocast", enabled)
        self.device, self.fast_dtype = kind_of(device_type), low_dtype(device_type, dtype)
        self.enabled, self.cache_enabled = enabled, cache_enabled
        if self.device == "cuda" and enabled and not cuda.is_available():
            warnings.warn(
                'autocast("cuda") where there is no GPU: nothing lies there, so nothing is cast. '
                'Did you mean autocast("cpu")?',
                UserWarning,
                stacklevel=3,
            )
        super().__init__(self.block)

    def block(self) -> ExitStack:
        """One round of the block, not yet begun."""
        return Round(self)

    def mode(self) -> Any:
        """The mode inside a block that begins now."""
        others = {kind: dtype for kind, dtype in autocast_mode.get() if kind != self.device}
        return tuple(sorted((others | ({self.device: self.fast_dtype} if self.enabled else {})).items()))


class Round(ExitStack):
    """One round of a block: the mode, and the plain tape without its short path."""

    def __init__(self, scope: autocast) -> None:
        super().__init__()
        self.scope = scope

    def __enter__(self) -> Any:
        """Set the mode."""
        mode = self.scope.mode()
        try:
            if not autocast_mode.get():
                self.enter_context(During(autocast_cache, {} if self.scope.cache_enabled else None))
            self.enter_context(During(autocast_mode, mode))
            self.enter_context(interpreting(tape_for(mode)))
        except BaseException:
            self.close()
            raise
        return self.scope


def tape_for(mode: Any) -> Any:
    """Who runs ops in a mode: whoever does now, but for the short path of the plain tape, which knows of no modes."""
    top = stack.get()
    if top is EAGER or top is CASTING:
        return CASTING if mode else EAGER
    return top


def kind_of(device_type: Any) -> str:
    """The kind of a device.

    Raises:
        DeviceError: There is none of this name.
    """
    if not isinstance(device_type, str) or device_type not in DEFAULTS:
        raise DeviceError(
            f"autocast got device_type={device_type!r}.",
            'It is the kind of device whose ops are cast: "cpu" or "cuda".',
            'Did you mean autocast("cpu", dtype=ml.bfloat16)?',
        )
    return device(device_type).type


def low_dtype(device_type: str, dtype: Any) -> Any:
    """The dtype that products run in.

    Raises:
        DTypeError: It has not two bytes.
    """
    if dtype is None:
        return DEFAULTS[device_type]
    found = as_dtype(dtype)
    if not is_narrow(found):
        raise DTypeError(
            f"autocast got dtype={found}.",
            "It is the dtype of products, and has two bytes: bfloat16 or float16.",
            "Did you mean enabled=False, which leaves dtypes as they are? Or dtype=ml.bfloat16.",
        )
    return found


def is_autocast_enabled(device_type: str | None = None) -> bool:
    """Whether this is inside a block for a kind of device; for any, if none is named.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.autocast("cpu"):
        ...     ml.is_autocast_enabled("cpu"), ml.is_autocast_enabled("cuda")
        (True, False)
    """
    kinds = [kind for kind, _ in autocast_mode.get()]
    return bool(kinds) if device_type is None else kind_of(device_type) in kinds


def get_autocast_dtype(device_type: str) -> Any:
    """The dtype of products on a kind of device inside the block in force; that of a block with no dtype, outside.

    Example:
        >>> import minitorch_lab as ml
        >>> str(ml.get_autocast_dtype("cpu")), str(ml.get_autocast_dtype("cuda"))
        ('bfloat16', 'float16')
    """
    return dict(autocast_mode.get()).get(kind_of(device_type), DEFAULTS[device_type])


def is_autocast_cache_enabled() -> bool:
    """Whether the block in force casts each parameter once; True outside, as in PyTorch."""
    return not autocast_mode.get() or autocast_cache.get() is not None


def clear_autocast_cache() -> None:
    """Forget the casts of parameters in the block in force: they are made again."""
    cache = autocast_cache.get()
    if cache is not None:
        cache.clear()
