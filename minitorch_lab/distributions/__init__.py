"""Distributions: random variables that draw, say how likely a value is, and how far one is from another."""

from . import constraints, kl, transforms
from .bernoulli import Bernoulli, Geometric
from .categorical import Categorical, OneHotCategorical, OneHotCategoricalStraightThrough
from .distribution import Distribution
from .exponential import Exponential
from .half import HalfCauchy, HalfNormal
from .independent import Independent
from .kl import kl_divergence, register_kl
from .location_scale import Cauchy, Gumbel, Laplace
from .mixture_same_family import MixtureSameFamily
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .transformed_distribution import LogNormal, TransformedDistribution
from .transforms import (
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    Transform,
)
from .uniform import Uniform

__all__ = [
    "AffineTransform",
    "Bernoulli",
    "Categorical",
    "Cauchy",
    "ComposeTransform",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "Laplace",
    "LogNormal",
    "MixtureSameFamily",
    "MultivariateNormal",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "PowerTransform",
    "SigmoidTransform",
    "SoftplusTransform",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "constraints",
    "kl",
    "kl_divergence",
    "register_kl",
    "transforms",
]
