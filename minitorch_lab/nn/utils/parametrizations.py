"""Weights that are computed: of a length and a direction, of norm 1, orthogonal."""

from __future__ import annotations

from typing import Any

from ...autograd import no_grad
from ...core.array import float_limits
from ...errors import ArgumentError
from ...ops import FUNCTIONS
from ...ops.axes import one_dim
from ...tensors.factories import eye, zeros
from ...tensors.linalg import matrix_exp, qr, solve
from ...tensors.random import randn
from ...tensors.tensor import Tensor
from ..functional.distance import normalize
from ..module import Module
from .parametrize import register_parametrization

cat: Any = FUNCTIONS["cat"]
diag: Any = FUNCTIONS["diag"]


def length_except(x: Tensor, dim: int) -> Tensor:
    """The norms over all axes but `dim`, which are kept with length 1; over all of them if `dim` is -1."""
    if dim == -1:
        return x.norm()
    return x.norm(dim=tuple(a for a in range(x.ndim) if a != dim), keepdim=True)


def front_rows(x: Tensor, dim: int) -> Tensor:
    """`x` as a matrix: a row for each place along `dim`."""
    return x.movedim(dim, 0).flatten(1)


class WeightNorm(Module):
    """A weight from its lengths along `dim` and a direction: g · v / ‖v‖."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, length: Tensor, direction: Tensor) -> Tensor:
        """The weight."""
        return direction * (length / length_except(direction, self.dim))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The lengths of a weight, and the weight, which is a direction too."""
        return length_except(weight, self.dim), weight


class SpectralNorm(Module):
    """A weight over its largest singular value, which power iteration follows: one more with each call in training."""

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if n_power_iterations < 1:
            raise ArgumentError(
                f"spectral_norm got n_power_iterations={n_power_iterations}.",
                "Power iteration takes a step or more.",
                "Did you mean 1?",
            )
        self.n_power_iterations, self.eps = n_power_iterations, eps
        self.dim = one_dim("spectral_norm", dim, weight.ndim)
        if weight.ndim > 1:
            matrix = front_rows(weight.detach(), self.dim)
            for name, n in zip(("_u", "_v"), matrix.shape, strict=True):
                self.register_buffer(name, normalize(randn(n, dtype=weight.dtype, device=weight.device), 2, 0, eps))
            self.iterate(matrix, 15)

    def iterate(self, matrix: Tensor, times: int) -> None:
        """So many steps of power iteration, from where it stands."""
        with no_grad():
            for _ in range(times):
                self._u.copy_(normalize(matrix.mv(self._v), 2, 0, self.eps))
                self._v.copy_(normalize(matrix.T.mv(self._u), 2, 0, self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        """The weight, of norm 1."""
        if weight.ndim == 1:
            return normalize(weight, 2, 0, self.eps)
        matrix = front_rows(weight, self.dim)
        if self.training:
            self.iterate(matrix, self.n_power_iterations)
        return weight / self._u.clone().dot(matrix.mv(self._v.clone()))

    def right_inverse(self, value: Tensor) -> Tensor:
        """The weight itself: it is taken to have norm 1."""
        return value


class Orthogonal(Module):
    """A matrix with orthonormal columns (rows if it is wide): a rotation of `base` by a skew-symmetric matrix."""

    base: Tensor

    def __init__(self, weight: Tensor, orthogonal_map: str) -> None:
        super().__init__()
        self.cayley = orthogonal_map == "cayley"
        self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        """The matrix."""
        wide = x.shape[-2] < x.shape[-1]
        x = x.mT if wide else x
        n, k = x.shape[-2:]
        low = x.tril()
        if n != k:
            low = cat([low, low.new_zeros(*low.shape[:-2], n, n - k)], -1)
        skew = low - low.mT
        if self.cayley:
            one = diag(skew.new_ones(n))
            turned = solve(one - 0.5 * skew, one + 0.5 * skew)
        else:
            turned = matrix_exp(skew)
        out = self.base @ turned[..., :k]
        return out.mT if wide else out

    def right_inverse(self, value: Tensor) -> Tensor:
        """Start over at the orthogonal matrix that is nearest to `value` column by column: no rotation."""
        wide = value.shape[-2] < value.shape[-1]
        tall = value.mT if wide else value
        n, k = tall.shape[-2:]
        if n != k:
            tall = cat([tall, randn(*tall.shape[:-2], n, n - k, dtype=tall.dtype, device=tall.device)], -1)
        self.base = tall.clone() if is_orthogonal(tall) else made_orthogonal(tall)
        return zeros(*value.shape, dtype=value.dtype, device=value.device)


def is_orthogonal(x: Tensor) -> bool:
    """Whether the columns of a square matrix are orthonormal, as far as its dtype can tell."""
    n = x.shape[-1]
    off = (x.mT @ x - eye(n, dtype=x.dtype, device=x.device)).flatten(-2).norm(dim=-1)
    return bool((off < 10 * n * float(float_limits(x.dtype).eps)).all())


def made_orthogonal(x: Tensor) -> Tensor:
    """Q of the factors Q R whose R has a positive diagonal."""
    q, r = qr(x)
    return q * r.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Train the length and the direction of a weight apart: w = g · v / ‖v‖, with one length for each place on `dim`.

    `parametrizations.<name>.original0` holds the lengths, `original1` the directions. After Salimans and Kingma (2016).

    Args:
        module: The module, which is changed and returned.
        name: The name of its parameter.
        dim: The axis along which lengths differ; None: one length for all.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.utils.parametrizations.weight_norm(ml.nn.Linear(20, 40))
        >>> [tuple(p.shape) for name, p in layer.named_parameters() if "weight" in name]
        [(40, 1), (40, 20)]
    """
    return register_parametrization(module, name, WeightNorm(dim), unsafe=True)


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value whenever it is read. After Miyato et al. (2018).

    Args:
        module: The module, which is changed and returned.
        name: The name of its parameter.
        n_power_iterations: Steps of power iteration for each use in training.
        eps: The least length that is divided by.
        dim: The axis of outputs; None: 1 for transposed convolutions, else 0.

    Raises:
        ArgumentError: No step is to be taken.
        ShapeError: There is no such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.utils.parametrizations.spectral_norm(ml.nn.Linear(4, 3), n_power_iterations=50)
        >>> round(ml.linalg.matrix_norm(layer.weight, 2).item(), 3)
        1.0
    """
    axis = dim if dim is not None else int("ConvTranspose" in type(module).__name__)
    return register_parametrization(
        module, name, SpectralNorm(getattr(module, name), n_power_iterations, axis, eps), unsafe=True
    )


def orthogonal(module: Module, name: str = "weight", orthogonal_map: str | None = None) -> Module:
    """Keep a matrix orthogonal while it is trained: its columns are orthonormal, or its rows if it is wide.

    Args:
        module: The module, which is changed and returned.
        name: The name of its parameter, a matrix or a batch of them. One that is not orthogonal is made so.
        orthogonal_map: From skew-symmetric matrices to rotations: "matrix_exp" (if left out) or "cayley".

    Raises:
        ArgumentError: There is no such map, or the parameter is no matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.utils.parametrizations.orthogonal(ml.nn.Linear(3, 3))
        >>> (layer.weight @ layer.weight.T).allclose(ml.eye(3), atol=1e-5)
        True
    """
    weight: Tensor = getattr(module, name)
    if orthogonal_map not in (None, "matrix_exp", "cayley") or weight.ndim < 2:
        raise ArgumentError(
            f"orthogonal got a tensor of shape {tuple(weight.shape)} and orthogonal_map={orthogonal_map!r}.",
            'It takes matrices, and the map is "matrix_exp" or "cayley".',
            "Leave orthogonal_map away.",
        )
    return register_parametrization(module, name, Orthogonal(weight, orthogonal_map or "matrix_exp"), unsafe=True)
