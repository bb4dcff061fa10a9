"""How a tensor prints: as PyTorch does, four decimals, whole floats with a dot, long ones summarised."""

from __future__ import annotations

from typing import Any

from .array import Array, bool_, device_of, float32, int64, is_narrow, xp


def text_of(array: Array, grad_fn: Any, requires_grad: bool) -> str:
    """The text of a tensor that holds `array`."""
    if device_of(array) == "cuda":
        array = array.get()
    notes: list[str] = [f"dtype={array.dtype.name}"] if array.dtype not in (float32, int64, bool_) else []
    if is_narrow(array.dtype):
        array = array.astype(float32)
    if not array.size:
        notes.insert(0, f"size={array.shape}")
    if grad_fn is not None:
        notes.append(f"grad_fn=<{grad_fn.name()}>")
    elif requires_grad:
        notes.append("requires_grad=True")
    return f"tensor({', '.join([entries_of(array) if array.size else '[]', *notes])})"


def entries_of(array: Array) -> str:
    """The entries in brackets, aligned and, beyond a thousand, summarised."""
    layout: Any = {"threshold": 1000, "edgeitems": 3, "max_line_width": 80, "formatter": formatters(array)}
    return xp.array2string(array, prefix="tensor(", separator=", ", **layout)


def formatters(array: Array) -> Any:
    """One format for all entries, so that columns line up."""
    if array.dtype.kind != "f":
        width = max((len(str(v)) for v in (array.min(), array.max())), default=1)
        return {
            "bool": lambda v: str(bool(v)).rjust(5 if array.ndim else 1),
            "int": lambda v: str(v).rjust(width if array.ndim else 1),
        }
    finite = xp.abs(array[xp.isfinite(array)])
    shown = finite[finite > 0]
    whole = bool((finite == xp.floor(finite)).all())
    wide = shown.size > 0 and (shown.max() >= 1e8 or shown.min() < 1e-4 or shown.max() / shown.min() > 1e4)
    spec = ".4e" if wide and not (whole and shown.max() < 1e8) else ".0f" if whole else ".4f"

    def one(v: Any) -> str:
        return format(float(v), spec) + ("." if spec == ".0f" and xp.isfinite(v) else "")

    width = max(len(one(v)) for v in array.ravel()[:: max(1, array.size // 2000)])
    return {"float_kind": lambda v: one(v).rjust(width if array.ndim else 1)}
