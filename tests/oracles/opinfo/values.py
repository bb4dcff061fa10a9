"""Values from one side to the other, and what differs between two answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

import minitorch_lab as ml

FLAG = "requires_grad"  # a difference that says nothing of the numbers
TOLERANCE = {"float64": 1e-9, "float32": 2e-4, "float16": 2e-2, "bfloat16": 5e-2}


class ForeignError(Exception):
    """An argument that has no counterpart here: a complex number, a sparse tensor, another device."""


class Translation:
    """PyTorch's arguments as ours. A tensor that comes twice is one tensor; strides are kept."""

    def __init__(self) -> None:
        self.twins: dict[int, ml.Tensor] = {}

    def __call__(self, value: Any) -> Any:
        """The counterpart of `value`."""
        if isinstance(value, torch.Tensor):
            if id(value) not in self.twins:
                self.twins[id(value)] = tensor(value)
            return self.twins[id(value)]
        if isinstance(value, torch.Size):
            return tuple(value)
        if isinstance(value, (tuple, list)):
            return type(value)(self(v) for v in value)
        if isinstance(value, dict):
            return {k: self(v) for k, v in value.items()}
        if isinstance(value, torch.dtype):
            return dtype(value)
        if isinstance(value, torch.device):
            return str(value)
        if isinstance(value, complex):
            raise ForeignError(repr(value))
        return value


def dtype(value: torch.dtype) -> Any:
    """Our dtype of that name."""
    name = str(value).removeprefix("torch.")
    if not hasattr(ml, name):
        raise ForeignError(name)
    return getattr(ml, name)


def tensor(t: torch.Tensor) -> ml.Tensor:
    """Our tensor with the same entries, strides and flag."""
    if t.layout != torch.strided or t.device.type != "cpu" or t.ndim > 64:
        raise ForeignError(f"{t.layout}, {t.ndim} axes")
    kind = dtype(t.dtype)
    plain = t.detach()
    if t.is_contiguous():
        ours = ml.tensor(array(plain), dtype=kind)
    else:
        memory = torch.empty(0, dtype=t.dtype).set_(plain.untyped_storage())
        ours = ml.tensor(array(memory), dtype=kind).as_strided(tuple(t.shape), t.stride(), t.storage_offset()).detach()
    return ours.requires_grad_() if t.requires_grad else ours


def array(t: torch.Tensor) -> np.ndarray:
    """The entries, in a dtype that NumPy has."""
    return (t.float() if t.dtype == torch.bfloat16 else t).numpy(force=True)


def leaves(value: Any) -> list[Any]:
    """The tensors and numbers in a nest of tuples, lists and dicts, in order."""
    if isinstance(value, (tuple, list)):
        return [leaf for v in value for leaf in leaves(v)]
    if isinstance(value, dict):
        return [leaf for v in value.values() for leaf in leaves(v)]
    return [value]


def tensors(value: Any, kind: type) -> list[Any]:
    """The tensors of `kind` in a nest."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, kind)]


def differences(theirs: Any, ours: Any, random: bool = False) -> Iterator[tuple[str, str]]:
    """What differs, as one word and the detail: structure, shape, dtype, flag, value."""
    left, right = leaves(theirs), leaves(ours)
    if len(left) != len(right):
        yield "structure", f"{len(left)} and {len(right)} results"
        return
    for t, m in zip(left, right, strict=True):
        if isinstance(t, torch.Tensor) != isinstance(m, ml.Tensor):
            yield "structure", f"{type(t).__name__} and {type(m).__name__}"
        elif isinstance(t, torch.Tensor):
            yield from tensor_differences(t, m, random)
        elif isinstance(t, torch.Size) or not random:
            if type(t) is not type(m):
                yield "structure", f"{type(t).__name__} and {type(m).__name__}"
            elif t != m and not (t != t and m != m):
                yield "value", f"{t} and {m}"


def tensor_differences(t: torch.Tensor, m: ml.Tensor, random: bool) -> Iterator[tuple[str, str]]:
    """What differs between two tensors."""
    name = str(t.dtype).removeprefix("torch.")
    if tuple(t.shape) != m.shape:
        yield "shape", f"{tuple(t.shape)} and {m.shape}"
        return
    if name != str(m.dtype):
        yield "dtype", f"{name} and {m.dtype}"
        return
    if t.requires_grad != m.requires_grad:
        yield FLAG, f"{t.requires_grad} and {m.requires_grad}"
    if not random and (gap := distance(t, m, TOLERANCE.get(name, 0))):
        yield "value", gap


def distance(t: torch.Tensor, m: ml.Tensor, tolerance: float) -> str:
    """How far two tensors of one shape lie apart, in words; nothing if they are equal to `tolerance`."""
    left, right = array(t.detach()), m.detach().value
    if not isinstance(right, np.ndarray):
        return f"no array but {type(right).__name__}"
    if left.dtype != right.dtype:
        right = right.astype(left.dtype)
    if left.dtype.kind != "f":
        wrong = left != right
    else:
        with np.errstate(all="ignore"):
            wrong = ~np.isclose(right, left, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not wrong.any():
        return ""
    return f"{int(wrong.sum())} of {wrong.size}: {left[wrong].flat[0]} and {right[wrong].flat[0]}"
