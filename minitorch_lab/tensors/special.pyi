"""The public names of `minitorch_lab.tensors.special`. Written by `python -m tests.types.stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from typing import TypeAlias as _TypeAlias
from numpy import generic as _generic
from numpy import ndarray as _ndarray
from minitorch_lab.tensors.tensor import Tensor as Tensor

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "log1p", "log_ndtr",
    "log_softmax", "logit", "logsumexp", "ndtr", "ndtri", "polygamma", "psi", "round", "sinc", "softmax",
    "xlog1py", "xlogy"
]  # fmt: skip

_Operand: _TypeAlias = Tensor | _float | _ndarray[_Any, _Any] | _generic

def digamma(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """ψ(x), the derivative of `lgamma`. At 0 it is -inf, at -0.0 inf, at negative whole numbers NaN."""

def entr(x: _Operand) -> Tensor:
    """-x log x: 0 at 0, -inf below."""

def erf(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function of x."""

def erfc(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(x), the complement of the error function."""

def erfinv(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The number whose `erf` is x: infinite at -1 and 1, NaN beyond."""

def exp2(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of x."""

def expit(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x)), between 0 and 1."""

def expm1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(x) - 1, exact for small x."""

def gammaln(x: _Operand) -> Tensor:
    """log |Γ(x)|, the logarithm of the gamma function; Γ(n) is (n - 1)!."""

def i0(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind, of order 0."""

def log1p(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + x), exact for small x."""

def log_ndtr(x: _Operand) -> Tensor:
    """The logarithm of `ndtr`."""

def log_softmax(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`, more exact than taking it afterwards."""

def logit(x: _Operand, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(x / (1 - x)), which undoes `sigmoid`: NaN outside of [0, 1]."""

def logsumexp(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """log Σ exp(x) over `dim` (all axes if None), without overflow."""

def ndtr(x: _Operand) -> Tensor:
    """How much of the normal distribution lies below x."""

def ndtri(p: _Operand) -> Tensor:
    """The number below which a share `p` of the normal distribution lies."""

def polygamma(n: _int, input: _Any, *, out: Tensor | None = None) -> Tensor:
    """The `n`-th derivative of `digamma`, for entries above 0."""

def psi(x: _Operand) -> Tensor:
    """ψ(x), the derivative of `lgamma`. At 0 it is -inf, at -0.0 inf, at negative whole numbers NaN."""

def round(x: _Operand, decimals: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The nearest number with so many decimals; halfway between two, the even one."""

def sinc(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """sin(πx) / (πx), and 1 at 0."""

def softmax(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """exp(x) over its sum along `dim`: positive numbers that sum to 1."""

def xlog1py(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x log(1 + y), and 0 where x is 0. Shapes broadcast."""

def xlogy(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x log y, and 0 where x is 0. Shapes broadcast."""
