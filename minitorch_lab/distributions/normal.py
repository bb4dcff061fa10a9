"""Normal: the bell curve."""

from __future__ import annotations

from math import log as log_of
from math import pi
from math import sqrt as root

from ..ops.elementwise import erf
from ..ops.gamma import erfinv
from ..tensors.random import randn
from ..tensors.tensor import Tensor
from .location_scale import LocationScale


class Normal(LocationScale):
    """The bell curve: log-density -z²/2 - log √(2π) - log scale, with z = (value - loc) / scale.

    Args:
        loc: The mean: a tensor or a number.
        scale: The standard deviation, positive; it stretches with loc.
        validate_args: Whether parameters and values are checked.

    Raises:
        ArgumentError: A scale is not positive.

    Example:
        >>> import minitorch_lab as ml
        >>> d = ml.distributions.Normal(ml.tensor(0.0), 1.0)
        >>> d.log_prob(ml.tensor(1.0)), d.entropy(), d
        (tensor(-1.4189), tensor(1.4189), Normal(loc: 0.0, scale: 1.0))
    """

    standard_entropy = 0.5 + 0.5 * log_of(2 * pi)

    def standard_log_prob(self, z: Tensor) -> Tensor:
        """-z²/2 - log √(2π)."""
        return z * z * -0.5 - 0.5 * log_of(2 * pi)

    def standard_cdf(self, z: Tensor) -> Tensor:
        """(1 + erf(z/√2)) / 2."""
        return (erf(z * root(0.5)) + 1.0) * 0.5

    def standard_icdf(self, p: Tensor) -> Tensor:
        """√2 erf⁻¹(2p - 1)."""
        return erfinv(p * 2.0 - 1.0) * root(2.0)

    def standard_draw(self, shape: tuple[int, ...]) -> Tensor:
        """Normal random numbers."""
        return randn(*shape, dtype=self.loc.dtype, device=self.loc.device)
