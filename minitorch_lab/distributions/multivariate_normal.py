"""MultivariateNormal: a bell curve in several dimensions."""

from __future__ import annotations

from math import log as log_of
from math import pi
from typing import Any, ClassVar

from ..ops.elementwise import log
from ..tensors import linalg
from ..tensors.random import randn
from ..tensors.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import exactly_one, joint_shape


class MultivariateNormal(Distribution):
    """Log-density -(|L⁻¹ (value - loc)|² + k log 2π)/2 - log det L, where L Lᵀ is the covariance.

    Args:
        loc: (..., k): the mean.
        covariance_matrix: (..., k, k), positive definite.
        precision_matrix: Its inverse, instead.
        scale_tril: Its Cholesky factor L, instead.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: Not exactly one matrix is given.
        LinAlgError: It is not positive definite.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.MultivariateNormal(ml.zeros(2), ml.eye(2) * 4.0)
        >>> d.log_prob(ml.zeros(2)), d.variance
        (tensor(-3.2242), tensor([4., 4.]))
    """

    arg_constraints: ClassVar = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        """Keep the mean and the matrix that is given, and factorise it."""
        given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        name = exactly_one("MultivariateNormal", **given)
        matrix: Any = given[name]
        batch, k = joint_shape(tuple(loc.shape[:-1]), tuple(matrix.shape[:-2])), loc.shape[-1]
        self.loc = loc.expand(*batch, k)
        vars(self)[name] = matrix.expand(*batch, k, k)
        super().__init__(batch, (k,), validate_args)
        whole = vars(self)[name]
        if name != "scale_tril":
            whole = linalg.cholesky(whole if name == "covariance_matrix" else linalg.inv(whole))
        self.factor: Tensor = whole

    def __getattr__(self, name: str) -> Any:
        """The other forms of the matrix."""
        if name == "scale_tril":
            return vars(self)["factor"]
        if name == "covariance_matrix":
            return self.factor @ self.factor.mT
        if name == "precision_matrix":
            return linalg.inv(self.factor @ self.factor.mT)
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach the mean and the matrix."""
        z = randn(*self.shape_of(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + (self.factor @ z.unsqueeze(-1)).squeeze(-1)

    def log_det(self) -> Tensor:
        """log det L."""
        return log(self.factor.diagonal(dim1=-2, dim2=-1)).sum(-1)

    def log_prob(self, value: Any) -> Tensor:
        """The log-density."""
        apart = (self.validate(value) - self.loc).unsqueeze(-1)
        z = linalg.solve_triangular(self.factor, apart, upper=False).squeeze(-1)
        return (z * z).sum(-1) * -0.5 - 0.5 * self.event_shape[0] * log_of(2 * pi) - self.log_det()

    def entropy(self) -> Tensor:
        """k (1 + log 2π)/2 + log det L."""
        return self.log_det() + 0.5 * self.event_shape[0] * (1 + log_of(2 * pi))

    @property
    def mean(self) -> Tensor:
        """The mean."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        """The mean."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The diagonal of the covariance."""
        return (self.factor * self.factor).sum(-1)
