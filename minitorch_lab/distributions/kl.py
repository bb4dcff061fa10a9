"""The Kullback-Leibler divergence: how many nats more it costs to code draws of p as if they came from q.

S. Kullback and R. Leibler, On Information and Sufficiency, 1951.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from ..errors import ArgumentError
from ..nn.functional.loss import binary_cross_entropy_with_logits
from ..ops.compare import logical_or, where
from ..ops.elementwise import exp, log
from ..ops.front import taught
from ..ops.kinks import abs
from ..tensors import linalg
from ..tensors.tensor import Tensor
from .bernoulli import Bernoulli, Geometric
from .categorical import Classes
from .distribution import Distribution
from .exponential import Exponential
from .half import HalfNormal
from .independent import Independent
from .location_scale import Cauchy, Laplace
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .transformed_distribution import LogNormal
from .uniform import Uniform
from .utils import sum_rightmost

Rule = Callable[[Any, Any], Tensor]
RULES: dict[tuple[type, type], Rule] = {}


def register_kl(type_p: type, type_q: type) -> Callable[[Rule], Rule]:
    """A decorator for a function (p, q) → divergence of two kinds of distributions.

    Example:
        >>> from minitorch_lab.distributions import Normal, Uniform
        >>> @register_kl(Normal, Uniform)
        ... def endless(p, q):
        ...     return p.loc * 0.0 + float("inf")
    """

    def keep(rule: Rule) -> Rule:
        RULES[type_p, type_q] = rule
        return rule

    return keep


@taught
def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """KL(p ‖ q) = mean over draws of p of log p - log q, in closed form; of the batch's shape.

    Raises:
        ArgumentError: No closed form of the pair is known.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.distributions import Normal
        >>> kl_divergence(Normal(ml.tensor(1.0), 1.0), Normal(ml.tensor(0.0), 1.0))
        tensor(0.5000)
    """
    for one in type(p).__mro__:
        for other in type(q).__mro__:
            if (one, other) in RULES:
                return RULES[one, other](p, q)
    raise ArgumentError(
        f"kl_divergence got a {type(p).__name__} and a {type(q).__name__}.",
        "It knows pairs that have a closed form.",
        "Estimate it: x = p.sample((1000,)); (p.log_prob(x) - q.log_prob(x)).mean(0).",
    )


@register_kl(Normal, Normal)
def normals(p: Normal, q: Normal) -> Tensor:
    """((σp/σq)² + ((μp - μq)/σq)² - 1)/2 - log(σp/σq)."""
    ratio, apart = (p.scale / q.scale) ** 2, ((p.loc - q.loc) / q.scale) ** 2
    return (ratio + apart - 1.0 - log(ratio)) * 0.5


@register_kl(LogNormal, LogNormal)
def under_exp(p: LogNormal, q: LogNormal) -> Tensor:
    """A map that can be undone changes no divergence."""
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(HalfNormal, HalfNormal)
def halves(p: HalfNormal, q: HalfNormal) -> Tensor:
    """That of the whole curves."""
    return normals(p.base_dist, q.base_dist)  # pyright: ignore[reportArgumentType]


@register_kl(Laplace, Laplace)
def laplaces(p: Laplace, q: Laplace) -> Tensor:
    """log(σq/σp) + |Δ|/σq + σp/σq exp(-|Δ|/σp) - 1."""
    ratio, apart = p.scale / q.scale, abs(p.loc - q.loc)
    return -log(ratio) + apart / q.scale + ratio * exp(-apart / p.scale) - 1.0


@register_kl(Cauchy, Cauchy)
def cauchies(p: Cauchy, q: Cauchy) -> Tensor:
    """log(((σp + σq)² + Δ²) / (4 σp σq))."""
    return log(((p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2) / (p.scale * q.scale * 4.0))


@register_kl(Uniform, Uniform)
def uniforms(p: Uniform, q: Uniform) -> Tensor:
    """The log of the ratio of the widths; infinite where p reaches out of q."""
    out = logical_or(q.low > p.low, q.high < p.high)
    return where(out, inf, log((q.high - q.low) / (p.high - p.low)))


@register_kl(Exponential, Exponential)
def exponentials(p: Exponential, q: Exponential) -> Tensor:
    """r - log r - 1, with r = rate of q / rate of p."""
    ratio = q.rate / p.rate
    return ratio - log(ratio) - 1.0


@register_kl(Bernoulli, Bernoulli)
def bernoullis(p: Bernoulli, q: Bernoulli) -> Tensor:
    """The cross entropy less the entropy."""
    return (
        binary_cross_entropy_with_logits(q.logits + p.probs * 0.0, p.probs + q.probs * 0.0, reduction="none")
        - p.entropy()
    )


@register_kl(Geometric, Geometric)
def geometrics(p: Geometric, q: Geometric) -> Tensor:
    """-entropy - log(1 - q)/p - logit q."""
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Classes, Classes)
def classes(p: Classes, q: Classes) -> Tensor:
    """Σ p (log p - log q)."""
    terms = p.probs * (p.logits - q.logits)
    terms = where(q.probs == 0, inf, terms)
    return where(p.probs == 0, 0.0, terms).sum(-1)


@register_kl(Independent, Independent)
def independents(p: Independent, q: Independent) -> Tensor:
    """That of the bases, added up over the event."""
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(MultivariateNormal, MultivariateNormal)
def multivariate_normals(p: MultivariateNormal, q: MultivariateNormal) -> Tensor:
    """log det Lq - log det Lp + (|Lq⁻¹ Lp|² + |Lq⁻¹ Δ|² - k)/2."""
    spread = linalg.solve_triangular(q.factor, p.factor, upper=False)
    apart = linalg.solve_triangular(q.factor, (q.loc - p.loc).unsqueeze(-1), upper=False).squeeze(-1)
    terms = (spread * spread).sum((-2, -1)) + (apart * apart).sum(-1) - p.event_shape[0]
    return q.log_det() - p.log_det() + terms * 0.5


__all__ = ["kl_divergence", "register_kl"]
