"""How a tensor prints: as PyTorch does, four decimals, whole floats with a dot, long ones summarised."""

from __future__ import annotations

import sys
from typing import Any

from ..errors import ArgumentError
from .array import Array, bool_, device_of, float32, int64, is_narrow, memory_of, to_device, xp


def text_of(array: Array, grad_fn: Any, requires_grad: bool) -> str:
    """The text of a tensor that holds `array`."""
    device, array = device_of(array), to_device(array, "cpu")
    notes: list[str] = [f"dtype={array.dtype.name}"] if array.dtype not in (float32, int64, bool_) else []
    if is_narrow(array.dtype):
        array = array.astype(float32)
    if not array.size:
        notes.insert(0, f"size={array.shape}")
    if device != "cpu":
        notes.append(f"device={device!r}")
    if grad_fn is not None:
        notes.append(f"grad_fn=<{grad_fn.name()}>")
    elif requires_grad:
        notes.append("requires_grad=True")
    return f"tensor({', '.join([entries_of(array) if array.size else '[]', *notes])})"


PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80, "sci_mode": None},
    "full": {"precision": 4, "threshold": sys.maxsize, "edgeitems": 3, "linewidth": 80, "sci_mode": None},
}
OPTIONS = dict(PROFILES["default"])


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Say how tensors print from now on. What is left out stays as it is.

    Args:
        precision: How many decimals.
        threshold: From how many entries on the middle is left out.
        edgeitems: How many entries are shown at each end then.
        linewidth: How many characters a line has.
        profile: "default", "short" or "full" for all of it at once.
        sci_mode: Whether numbers have exponents; None as it fits.

    Raises:
        ArgumentError: There is no such profile.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.set_printoptions(precision=2)
        >>> ml.tensor([1.2345])
        tensor([1.23])
        >>> ml.set_printoptions(profile="default")
    """
    if profile is not None:
        if profile not in PROFILES:
            raise ArgumentError(
                f"set_printoptions got profile={profile!r}.",
                'It is "default", "short" or "full".',
                'Did you mean profile="default"?',
            )
        OPTIONS.update(PROFILES[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    OPTIONS.update({name: value for name, value in given.items() if value is not None})
    if profile is None or sci_mode is not None:
        OPTIONS["sci_mode"] = sci_mode


def entries_of(array: Array) -> str:
    """The entries in brackets, aligned and, if there are many, summarised."""
    layout: Any = {name: OPTIONS[name] for name in ("threshold", "edgeitems")}
    layout |= {"max_line_width": OPTIONS["linewidth"], "formatter": formatters(shown_of(array))}
    return xp.array2string(array, prefix="tensor(", separator=", ", **layout).replace(", ..., ", ",  ..., ")


def formatters(array: Array) -> Any:
    """One format for all entries, so that columns line up."""
    if array.dtype.kind != "f":
        width = max((len(str(v)) for v in (array.min(), array.max())), default=1)
        return {
            "bool": lambda v: str(bool(v)).rjust(width if array.ndim else 1),
            "int": lambda v: str(v).rjust(width if array.ndim else 1),
        }
    finite = xp.abs(array[xp.isfinite(array)])
    shown = finite[finite > 0]
    whole = bool((finite == xp.floor(finite)).all())
    wide = shown.size > 0 and (shown.max() >= 1e8 or shown.min() < 1e-4 or shown.max() / shown.min() > 1e4)
    digits, exponents = OPTIONS["precision"], OPTIONS["sci_mode"]
    wide = wide and not (whole and shown.max() < 1e8) if exponents is None else exponents
    spec = f".{digits}e" if wide else ".0f" if whole else f".{digits}f"

    def one(v: Any) -> str:
        return format(float(v), spec) + ("." if spec == ".0f" and xp.isfinite(v) else "")

    width = max(len(one(v)) for v in array.ravel()[:: max(1, array.size // 2000)])
    return {"float_kind": lambda v: one(v).rjust(width if array.ndim else 1)}


def shown_of(array: Array) -> Array:
    """The entries that are shown: those at the ends, if there are many."""
    if array.size <= OPTIONS["threshold"]:
        return array
    edge = OPTIONS["edgeitems"]
    for axis, n in enumerate(array.shape):
        if n > 2 * edge:
            array = xp.take(array, [*range(edge), *range(n - edge, n)], axis)
    return array


# ---- the account of describe() --------------------------------------------------------------------------------------


def account_of(x: Any) -> str:
    """All that there is to know about the tensor `x` besides its entries, one fact per line."""
    facts = {
        "shape": f"{tuple(x.shape)}: {many(x.numel(), 'entry', 'entries')}",
        "dtype": f"{x.dtype.name}: {many(x.itemsize, 'byte', 'bytes')} an entry",
        "device": x.device,
        "strides": f"{x.stride()} from entry {x.storage_offset()}: {'' if x.is_contiguous() else 'not '}contiguous",
        "memory": f"shows {x.nbytes} of {many(x.untyped_storage().nbytes, 'byte', 'bytes')}, {owner_of(x)}",
        "version": "not counted (inference_mode)" if x.is_inference() else f"{x._version}: {times(x._version)}",
        "history": history_of(x),
    }
    return "\n".join(f"{name:<9}{text}" for name, text in facts.items())


def many(n: int, one: str, more: str) -> str:
    """A number and what it counts."""
    return f"{n} {one if n == 1 else more}"


def times(n: int) -> str:
    """How often memory was written."""
    return "never written in place" if not n else f"written in place {'once' if n == 1 else f'{n} times'}"


def owner_of(x: Any) -> str:
    """Whose memory a tensor shows: by which view ops it hangs on which tensor."""
    if x.link is None:
        return "its own" if memory_of(x.value) is x.value else "shared, by no view op on record"
    path: list[str] = []
    while x.link is not None:
        path.append(x.link.op.name)
        x = x.link.base
    return f"as {' of '.join(path)} of a {'leaf' if x.is_leaf else 'tensor'} of shape {tuple(x.shape)}"


def history_of(x: Any) -> str:
    """Where a tensor stands on the tape."""
    if x.grad_fn is not None:
        return f"made by {x.grad_fn.name()}, so a backward pass goes through it"
    return "a leaf that requires a gradient" if x.requires_grad else "a leaf that requires no gradient"
