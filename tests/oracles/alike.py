"""The same line of code under PyTorch and here: values, dtypes, shared memory, gradients and the kind of an error."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import minitorch_lab as ml


def tensors(found: Any) -> list[Any]:
    """All tensors in a result."""
    if isinstance(found, (torch.Tensor, ml.Tensor)):
        return [found]
    return [t for part in found for t in tensors(part)] if isinstance(found, (tuple, list)) else []


def entries(x: Any) -> np.ndarray:
    """The entries of a tensor of either."""
    return x.detach().numpy()


def dtype_name(x: Any) -> str:
    """The name of its dtype."""
    return str(entries(x).dtype)


class Run:
    """One line, run under one of the two: what it gave or raised."""

    def __init__(self, lib: Any, line: str, arrays: dict[str, Any], grad: bool = False) -> None:
        self.lib = lib
        self.inputs = {name: lib.tensor(np.array(a)) for name, a in arrays.items()}
        if grad:
            for x in self.inputs.values():
                x.requires_grad_(entries(x).dtype.kind == "f")
        names = {**self.inputs, "L": lib, "F": lib.nn.functional, "t": lib.tensor, "inf": np.inf, "nan": np.nan}
        self.found, self.error = None, None
        try:
            body, _, last = line.rpartition("; ")
            exec(body, names)
            self.found = eval(last, names)
        except Exception as error:
            self.error = error
        self.outs = tensors(self.found)

    def shares(self) -> list[list[str]]:
        """For each result, the inputs that a write into it changes."""
        return [self.touched(out) for out in self.outs if out.numel()]

    def touched(self, out: Any) -> list[str]:
        """The inputs that a write into `out` changes."""
        before = {name: entries(x).copy() for name, x in self.inputs.items()}
        with self.lib.no_grad():
            out.copy_(self.lib.tensor(np.where(entries(out) == 0, 1, 0)).to(out.dtype))
        pairs = ((name, before[name], entries(x)) for name, x in self.inputs.items())
        return [name for name, a, b in pairs if not np.array_equal(a, b, equal_nan=a.dtype.kind == "f")]

    def gradients(self) -> dict[str, Any]:
        """The gradient of every input, of a sum of the results in which no two entries weigh the same."""
        live = [out for out in self.outs if out.requires_grad]
        weights = [np.cos(np.arange(out.numel())).reshape(tuple(out.shape)) for out in live]
        sum((out * self.lib.tensor(w).to(out.dtype)).sum() for out, w in zip(live, weights, strict=True)).backward()
        return {name: None if x.grad is None else entries(x.grad) for name, x in self.inputs.items()}


def assert_alike(line: str, **arrays: Any) -> None:
    """Both give the same entries, dtypes and shared memory, or refuse with the same kind of error."""
    theirs, ours = Run(torch, line, arrays), Run(ml, line, arrays)
    if theirs.error is not None:
        assert isinstance(ours.error, ml.errors.MinitorchError), f"accepted, or not taught: {ours.error!r}"
        wanted = RuntimeError if isinstance(theirs.error, NotImplementedError) else type(theirs.error)
        assert isinstance(ours.error, wanted)
        return
    if ours.error is not None:
        raise ours.error
    if not theirs.outs:
        assert ours.found == theirs.found
    assert len(ours.outs) == len(theirs.outs)
    for a, b in zip(ours.outs, theirs.outs, strict=True):
        assert (tuple(a.shape), dtype_name(a)) == (tuple(b.shape), dtype_name(b))
        np.testing.assert_allclose(entries(a), entries(b), rtol=1e-6, atol=1e-12)
    assert ours.shares() == theirs.shares()


def assert_same_gradients(line: str, **arrays: Any) -> None:
    """Both send the same gradients back."""
    theirs, ours = Run(torch, line, arrays, grad=True), Run(ml, line, arrays, grad=True)
    assert [out.requires_grad for out in ours.outs] == [out.requires_grad for out in theirs.outs]
    want, got = theirs.gradients(), ours.gradients()
    for name, g in want.items():
        assert (got[name] is None) == (g is None), name
        if g is not None:
            np.testing.assert_allclose(got[name], g, rtol=1e-6, atol=1e-12, err_msg=name)
