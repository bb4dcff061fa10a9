"""What is compared otherwise than entry by entry, and every difference and refusal that stays, each with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# ---- brought to the part that PyTorch itself promises; each line runs on its tensors and on ours


def lower_or_upper(x: Any, factor: Any, upper: bool = False) -> tuple[Any, ...]:
    """A factor without the triangle that is not read: PyTorch's formula gives that triangle a gradient all the same."""
    return x, factor.triu() if upper else factor.tril(), upper


def with_plus(x: Any, answer: Any, mode: str = "reduced") -> Any:
    """Q and R with the diagonal of R not negative. LAPACK leaves the signs open."""
    if mode == "r":
        return answer
    q, r = answer
    signs = r.detach().diagonal(0, -2, -1).sign()
    return q * signs.unsqueeze(-2), r * signs.unsqueeze(-1)


def picked(x: Any, answer: Any, dim: int) -> Any:
    """Values, and the entries at the indices: which of equal entries is named, PyTorch leaves open."""
    values, indices = answer
    if not x.ndim:
        return answer
    where = indices if indices.ndim == x.ndim else indices.unsqueeze(dim)
    return values, x.detach().take_along_dim(where, dim), indices * 0


def kth(x: Any, answer: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """For `kthvalue`."""
    return picked(x, answer, dim)


def top(x: Any, answer: Any, k: int, dim: int = -1, *args: Any, **kwargs: Any) -> Any:
    """For `topk`."""
    return picked(x, answer, dim)


def middle(x: Any, answer: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """For `median`."""
    return answer if dim is None else picked(x, answer, dim)


def factor(x: Any, upper: bool = False) -> tuple[Any, ...]:
    """For `cholesky_inverse`."""
    return x.triu() if upper else x.tril(), upper


def most(x: Any, answer: Any, dim: int = -1, keepdim: bool = False) -> Any:
    """For `mode`."""
    return picked(x, answer, dim)


BEFORE: dict[str, Callable[..., tuple[Any, ...]]] = {"cholesky_solve": lower_or_upper, "cholesky_inverse": factor}
AFTER: dict[str, Callable[..., Any]] = {
    "linalg.qr": with_plus,
    "kthvalue": kth,
    "topk": top,
    "median": middle,
    "mode": most,
}

# samples where the first gradient is a choice and there is no second one: PyTorch checks none there either
# or where weights in float32 round it
KINKS = {"linalg.norm.subgradients_at_zero", "cov"}

# ---- what stays, and why

FLAT = "flat wherever it is smooth: PyTorch says that it requires a gradient, which is 0; we say that it has none"
DIFFERS = {
    "div floor_rounding": f"whole steps are {FLAT}",
    "linalg.lstsq": f"the rank is {FLAT}, and singular values that are not asked for are empty",
    "linalg.lstsq grad_oriented": f"the rank is {FLAT}, and singular values that are not asked for are empty",
    "matrix_exp": "in float32 only, where PyTorch's is less exact: ours is computed in float64",
    "round": "whole numbers are whole already; PyTorch refuses them in `special` alone",
    "bernoulli": f"the draw is {FLAT}",
    "linalg.matrix_power": f"the power 0, which is the identity, is {FLAT}",
    "linalg.slogdet": f"the sign is {FLAT}",
}
REFUSES = {
    "addbmm": "a start that stretches is no place for the result, which has another shape",
    "__rpow__": "a whole number to a negative power is a fraction; PyTorch gives 0 for it",
    "add": "truth values times alpha=False",
    "addmv": "fractions as factors of whole numbers; PyTorch drops them",
    "baddbmm": "fractions as factors of whole numbers; PyTorch drops them",
    "gather": "an empty index of bytes; PyTorch looks at the dtype only if there are numbers",
    "linalg.norm": "matrices without entries, in float32 only",
    "linalg.norm subgradients_at_zero": "matrices without entries, in float32 only",
    "nn.functional.avg_pool1d": "the mean of whole numbers; PyTorch rounds it down",
    "nn.functional.avg_pool2d": "the mean of whole numbers; PyTorch rounds it down",
    "nn.functional.batch_norm": "one axis that is batch and channels at once, of length 0",
    "nn.functional.avg_pool3d": "the mean of whole numbers; PyTorch rounds it down",
    "nn.functional.cosine_embedding_loss": "vectors of whole numbers have no length here until they are made floats",
    "nn.functional.grid_sample": "bicubic interpolation: not written",
    "nn.functional.local_response_norm": "the mean of whole numbers; PyTorch rounds it down",
    "nn.functional.triplet_margin_with_distance_loss": "the distance is a module of PyTorch's, which takes its tensors",
}
