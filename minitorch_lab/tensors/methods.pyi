"""What the ops' records give to a Tensor: methods and operators. Written by `python -m tests.types.stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from typing import Literal as _Literal
from typing import TypeAlias as _TypeAlias
from typing import overload as _overload
from numpy import generic as _generic
from numpy import ndarray as _ndarray
from minitorch_lab.tensors.tensor import Tensor as Tensor
from minitorch_lab.ops.axes import Extremes
from minitorch_lab.ops.factors import Factors
from minitorch_lab.ops.random import Generator
from minitorch_lab.ops.statistics import Histogram
from minitorch_lab.ops.statistics import Range
from minitorch_lab.ops.cumulative import Running
from minitorch_lab.ops.solve import SignedLog
from minitorch_lab.ops.order import Sorted

_Operand: _TypeAlias = Tensor | _float | _ndarray[_Any, _Any] | _generic

class Methods:
    """A part of `Tensor`: to type checkers and completion alone."""

    def __abs__(self) -> Tensor:
        """The size of x without its sign."""
    def __add__(self, y: _Operand) -> Tensor:
        """`ml.add`, as an operator."""
    def __and__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_and`, as an operator."""
    def __hash__(self) -> _int: ...
    def __eq__(self, y: _Operand) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`ml.eq`, as an operator."""
    def __floordiv__(self, y: _Operand) -> Tensor:
        """`ml.floor_divide`, as an operator."""
    def __ge__(self, y: _Operand) -> Tensor:
        """`ml.ge`, as an operator."""
    def __gt__(self, y: _Operand) -> Tensor:
        """`ml.gt`, as an operator."""
    def __iadd__(self, y: _Operand) -> Tensor:
        """`ml.add`, in place."""
    def __iand__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_and`, in place."""
    def __ifloordiv__(self, y: _Operand) -> Tensor:
        """`ml.floor_divide`, in place."""
    def __ilshift__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_left_shift`, in place."""
    def __imod__(self, y: _Operand) -> Tensor:
        """`ml.remainder`, in place."""
    def __imul__(self, y: _Operand) -> Tensor:
        """`ml.mul`, in place."""
    def __invert__(self) -> Tensor:
        """All bits turned over: ~x, which is -x - 1."""
    def __ior__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_or`, in place."""
    def __ipow__(self, y: _Operand) -> Tensor:
        """`ml.pow`, in place."""
    def __irshift__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_right_shift`, in place."""
    def __isub__(self, y: _Operand) -> Tensor:
        """`ml.sub`, in place."""
    def __itruediv__(self, y: _Operand) -> Tensor:
        """`ml.div`, in place."""
    def __ixor__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_xor`, in place."""
    def __le__(self, y: _Operand) -> Tensor:
        """`ml.le`, as an operator."""
    def __lshift__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_left_shift`, as an operator."""
    def __lt__(self, y: _Operand) -> Tensor:
        """`ml.lt`, as an operator."""
    def __matmul__(self, y: _Operand) -> Tensor:
        """`ml.matmul`, as an operator."""
    def __mod__(self, y: _Operand) -> Tensor:
        """`ml.remainder`, as an operator."""
    def __mul__(self, y: _Operand) -> Tensor:
        """`ml.mul`, as an operator."""
    def __ne__(self, y: _Operand) -> Tensor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`ml.ne`, as an operator."""
    def __neg__(self) -> Tensor:
        """-x."""
    def __or__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_or`, as an operator."""
    def __pow__(self, y: _Operand) -> Tensor:
        """`ml.pow`, as an operator."""
    def __radd__(self, y: _Operand) -> Tensor:
        """`ml.add`, as an operator."""
    def __rand__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_and`, as an operator."""
    def __rfloordiv__(self, y: _Operand) -> Tensor:
        """`ml.floor_divide`, as an operator."""
    def __rlshift__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_left_shift`, as an operator."""
    def __rmatmul__(self, y: _Operand) -> Tensor:
        """`ml.matmul`, as an operator."""
    def __rmod__(self, y: _Operand) -> Tensor:
        """`ml.remainder`, as an operator."""
    def __rmul__(self, y: _Operand) -> Tensor:
        """`ml.mul`, as an operator."""
    def __ror__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_or`, as an operator."""
    def __rpow__(self, y: _Operand) -> Tensor:
        """`ml.pow`, as an operator."""
    def __rrshift__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_right_shift`, as an operator."""
    def __rshift__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_right_shift`, as an operator."""
    def __rsub__(self, y: _Operand) -> Tensor:
        """`ml.sub`, as an operator."""
    def __rtruediv__(self, y: _Operand) -> Tensor:
        """`ml.div`, as an operator."""
    def __rxor__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_xor`, as an operator."""
    def __sub__(self, y: _Operand) -> Tensor:
        """`ml.sub`, as an operator."""
    def __truediv__(self, y: _Operand) -> Tensor:
        """`ml.div`, as an operator."""
    def __xor__(self, y: _Operand) -> Tensor:
        """`ml.bitwise_xor`, as an operator."""
    def abs(self) -> Tensor:
        """The size of x without its sign."""
    def abs_(self) -> Tensor:
        """`ml.abs`, written into `x`."""
    def absolute(self) -> Tensor:
        """The size of x without its sign."""
    def absolute_(self) -> Tensor:
        """`ml.abs`, written into `x`."""
    def acos(self) -> Tensor:
        """The angle whose cosine is x, from 0 to π."""
    def acos_(self) -> Tensor:
        """`ml.acos`, written into `x`."""
    def acosh(self) -> Tensor:
        """The number from 0 up whose hyperbolic cosine is x."""
    def acosh_(self) -> Tensor:
        """`ml.acosh`, written into `x`."""
    def add(self, y: _Any, alpha: _float = 1) -> Tensor:
        """x + alpha · y. Shapes broadcast."""
    def addbmm(self, batch1: _Any, batch2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """beta · x + alpha · the sum of the products of two batches of matrices."""
    def addbmm_(self, batch1: _Any, batch2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """`x.addbmm(...)`, written into `x`."""
    def addcdiv(self, tensor1: _Any, tensor2: _Any, value: _float = 1) -> Tensor:
        """x + value · tensor1 / tensor2. Shapes broadcast."""
    def addcdiv_(self, tensor1: _Any, tensor2: _Any, value: _float = 1) -> Tensor:
        """`x.addcdiv(...)`, written into `x`."""
    def addcmul(self, tensor1: _Any, tensor2: _Any, value: _float = 1) -> Tensor:
        """x + value · tensor1 · tensor2. Shapes broadcast."""
    def addcmul_(self, tensor1: _Any, tensor2: _Any, value: _float = 1) -> Tensor:
        """`x.addcmul(...)`, written into `x`."""
    def addmm(self, mat1: _Any, mat2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """beta · x + alpha · (mat1 @ mat2): GEMM. `x` stretches to the shape of the product; with beta=0 it is not read."""
    def addmm_(self, mat1: _Any, mat2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """`x.addmm(...)`, written into `x`."""
    def addmv(self, mat: _Any, vec: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """beta · x + alpha · (mat @ vec): GEMV."""
    def addmv_(self, mat: _Any, vec: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """`x.addmv(...)`, written into `x`."""
    def addr(self, vec1: _Any, vec2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """beta · x + alpha · the outer product of two vectors."""
    def addr_(self, vec1: _Any, vec2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """`x.addr(...)`, written into `x`."""
    def all(self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether no entry over `dim` (all axes if None) is 0."""
    def allclose(self, other: _Any, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
        """Whether all entries are close, as `isclose` has it, as a Python truth value."""
    def amax(self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """The largest entry over `dim` (all axes if None). Ties share the gradient evenly."""
    def amin(self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """The smallest entry over `dim` (all axes if None). Ties share the gradient evenly."""
    def aminmax(self, dim: _int | None = None, keepdim: _bool = False) -> Range:
        """The smallest and the largest entry along `dim` (of all if None): (min, max)."""
    def any(self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """Whether some entry over `dim` (all axes if None) is not 0."""
    def arccos(self) -> Tensor:
        """The angle whose cosine is x, from 0 to π."""
    def arccos_(self) -> Tensor:
        """`ml.acos`, written into `x`."""
    def arccosh(self) -> Tensor:
        """The number from 0 up whose hyperbolic cosine is x."""
    def arccosh_(self) -> Tensor:
        """`ml.acosh`, written into `x`."""
    def arcsin(self) -> Tensor:
        """The angle whose sine is x, from -π/2 to π/2."""
    def arcsin_(self) -> Tensor:
        """`ml.asin`, written into `x`."""
    def arcsinh(self) -> Tensor:
        """The number whose hyperbolic sine is x."""
    def arcsinh_(self) -> Tensor:
        """`ml.asinh`, written into `x`."""
    def arctan(self) -> Tensor:
        """The angle whose tangent is x, from -π/2 to π/2."""
    def arctan2(self, y: _Operand) -> Tensor:
        """The angle of the point (y, x): first the height, then the width, as in C. Shapes broadcast."""
    def arctan2_(self, y: _Operand) -> Tensor:
        """`ml.atan2`, written into `x`."""
    def arctan_(self) -> Tensor:
        """`ml.atan`, written into `x`."""
    def arctanh(self) -> Tensor:
        """The number whose hyperbolic tangent is x."""
    def arctanh_(self) -> Tensor:
        """`ml.atanh`, written into `x`."""
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the largest entry along `dim` stands (in the flattened tensor if None), int64."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the smallest entry along `dim` stands (in the flattened tensor if None), int64."""
    def argsort(self, dim: _int = -1, descending: _bool = False, stable: _bool = True) -> Tensor:
        """Where the entries along `dim` stand in sorted order, int64. The sort is always stable."""
    def argwhere(self) -> Tensor:
        """The positions of the entries that are not 0, one row for each: `nonzero`."""
    def as_strided(self, size: _Any, stride: _Any, storage_offset: _int | None = None) -> Tensor:
        """A view of the memory under `x`: entry (i, j) is number storage_offset + i stride[0] + j stride[1] in it."""
    def asin(self) -> Tensor:
        """The angle whose sine is x, from -π/2 to π/2."""
    def asin_(self) -> Tensor:
        """`ml.asin`, written into `x`."""
    def asinh(self) -> Tensor:
        """The number whose hyperbolic sine is x."""
    def asinh_(self) -> Tensor:
        """`ml.asinh`, written into `x`."""
    def atan(self) -> Tensor:
        """The angle whose tangent is x, from -π/2 to π/2."""
    def atan2(self, y: _Operand) -> Tensor:
        """The angle of the point (y, x): first the height, then the width, as in C. Shapes broadcast."""
    def atan2_(self, y: _Operand) -> Tensor:
        """`ml.atan2`, written into `x`."""
    def atan_(self) -> Tensor:
        """`ml.atan`, written into `x`."""
    def atanh(self) -> Tensor:
        """The number whose hyperbolic tangent is x."""
    def atanh_(self) -> Tensor:
        """`ml.atanh`, written into `x`."""
    def baddbmm(self, batch1: _Any, batch2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """beta · x + alpha · (batch1 @ batch2), matrix by matrix: batched GEMM."""
    def baddbmm_(self, batch1: _Any, batch2: _Any, beta: _float = 1, alpha: _float = 1) -> Tensor:
        """`x.baddbmm(...)`, written into `x`."""
    def bernoulli(self, generator: Generator | None = None) -> Tensor:
        """1 with the probability that stands at the same place of `input`, else 0; in its shape and dtype."""
    def bernoulli_(self, p: _Any = 0.5, generator: Generator | None = None) -> Tensor:
        """Write 1 with probability `p`, else 0, in place. `p` is a number, or a tensor with one for each entry."""
    def bfloat16(self) -> Tensor:
        """`x` in bfloat16; `x` itself if it is already."""
    def bincount(self, weights: _Any = None, minlength: _int = 0) -> Tensor:
        """How often each of 0, 1, 2, … occurs in a vector of whole numbers; with `weights`, the sum of theirs."""
    def bitwise_and(self, y: _Operand) -> Tensor:
        """The bits that both have: x & y. Shapes broadcast."""
    def bitwise_and_(self, y: _Operand) -> Tensor:
        """`ml.bitwise_and`, written into `x`."""
    def bitwise_left_shift(self, y: _Operand) -> Tensor:
        """The bits moved up by y places: x << y, which is x times 2 to the y. Shapes broadcast."""
    def bitwise_left_shift_(self, y: _Operand) -> Tensor:
        """`ml.bitwise_left_shift`, written into `x`."""
    def bitwise_not(self) -> Tensor:
        """All bits turned over: ~x, which is -x - 1."""
    def bitwise_not_(self) -> Tensor:
        """`ml.bitwise_not`, written into `x`."""
    def bitwise_or(self, y: _Operand) -> Tensor:
        """The bits that one of the two has: x | y. Shapes broadcast."""
    def bitwise_or_(self, y: _Operand) -> Tensor:
        """`ml.bitwise_or`, written into `x`."""
    def bitwise_right_shift(self, y: _Operand) -> Tensor:
        """The bits moved down by y places, the sign kept: x >> y, which is x // 2**y. Shapes broadcast."""
    def bitwise_right_shift_(self, y: _Operand) -> Tensor:
        """`ml.bitwise_right_shift`, written into `x`."""
    def bitwise_xor(self, y: _Operand) -> Tensor:
        """The bits in which they differ: x ^ y. Shapes broadcast."""
    def bitwise_xor_(self, y: _Operand) -> Tensor:
        """`ml.bitwise_xor`, written into `x`."""
    def bmm(self, mat2: _Any) -> Tensor:
        """Matrices (batch, n, m) times matrices (batch, m, k), one by one."""
    def bool(self) -> Tensor:
        """`x` in bool; `x` itself if it is already."""
    def broadcast_to(self, size: _Any) -> Tensor:
        """As `expand`, with the size as one sequence."""
    def byte(self) -> Tensor:
        """`x` in uint8; `x` itself if it is already."""
    def cauchy_(self, median: _float = 0.0, sigma: _float = 1.0, generator: Generator | None = None) -> Tensor:
        """Write numbers of the Cauchy distribution around `median`, half of them within `sigma` of it, in place."""
    def ceil(self) -> Tensor:
        """The next whole number at or above x."""
    def ceil_(self) -> Tensor:
        """`ml.ceil`, written into `x`."""
    def char(self) -> Tensor:
        """`x` in int8; `x` itself if it is already."""
    def cholesky_inverse(self, upper: _bool = False) -> Tensor:
        """The inverse of the matrices whose Cholesky factors are `x`: of L Lᵀ, or of Rᵀ R."""
    def cholesky_solve(self, L: _Any, upper: _bool = False) -> Tensor:
        """The X with A X = x, where A = L Lᵀ is given by its factor (Lᵀ L with `upper`): two substitutions."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` views of `x` along `dim`, of one length but for the last."""
    def clamp(self, min: _Any = None, max: _Any = None) -> Tensor:
        """`x` with entries below `min` raised to it and entries above `max` lowered to it. `max` wins over a larger `min`."""
    def clamp_(self, min: _Any = None, max: _Any = None) -> Tensor:
        """`x.clamp(...)`, written into `x`."""
    def clamp_max(self, y: _Operand) -> Tensor:
        """x, lowered to y where it is above; at a tie the gradient is x's. Shapes broadcast."""
    def clamp_max_(self, y: _Operand) -> Tensor:
        """`ml.clamp_max`, written into `x`."""
    def clamp_min(self, y: _Operand) -> Tensor:
        """x, raised to y where it is below; at a tie the gradient is x's. Shapes broadcast."""
    def clamp_min_(self, y: _Operand) -> Tensor:
        """`ml.clamp_min`, written into `x`."""
    def clip(self, min: _Any = None, max: _Any = None) -> Tensor:
        """`x` with entries below `min` raised to it and entries above `max` lowered to it. `max` wins over a larger `min`."""
    def clip_(self, min: _Any = None, max: _Any = None) -> Tensor:
        """`x.clip(...)`, written into `x`."""
    def clone(self) -> Tensor:
        """A copy in memory of its own, through which gradients flow."""
    def contiguous(self) -> Tensor:
        """`x` itself if its entries lie in row order without gaps, else a copy that does."""
    def copysign(self, y: _Any) -> Tensor:
        """The size of x with the sign of y. Shapes broadcast."""
    def copysign_(self, y: _Any) -> Tensor:
        """`x.copysign(...)`, written into `x`."""
    def corrcoef(self) -> Tensor:
        """The correlations of variables, which are the rows of `x`: covariances over the product of the deviations."""
    def cos(self) -> Tensor:
        """The cosine of x, in radians."""
    def cos_(self) -> Tensor:
        """`ml.cos`, written into `x`."""
    def cosh(self) -> Tensor:
        """The hyperbolic cosine of x."""
    def cosh_(self) -> Tensor:
        """`ml.cosh`, written into `x`."""
    def count_nonzero(self, dim: _int | tuple[_int, ...] | list[_int] | None = None) -> Tensor:
        """How many entries over `dim` (all axes if None) are not 0, int64."""
    def cov(self, correction: _float = 1, fweights: _Any = None, aweights: _Any = None) -> Tensor:
        """The covariances of variables, which are the rows of `x`, over its columns: a matrix, a number for one variable."""
    def cpu(self) -> Tensor:
        """`x` in the memory of the CPU; `x` itself if it is there already."""
    def cross(self, other: _Any, dim: _int | None = None) -> Tensor:
        """The vector product along an axis of length 3: the first such one if `dim` is left out."""
    def cuda(self) -> Tensor:
        """`x` in the memory of the GPU; `x` itself if it is there already."""
    def cummax(self, dim: _int) -> Running:
        """The largest entry so far along `dim`, and where it stands: (values, indices)."""
    def cummin(self, dim: _int) -> Running:
        """The smallest entry so far along `dim`, and where it stands: (values, indices)."""
    def cumprod(self, dim: _int, *, dtype: _Any = None) -> Tensor:
        """Running products along `dim`; of integers in int64. The gradient is right where entries are 0."""
    def cumprod_(self, dim: _int) -> Tensor:
        """`x.cumprod(...)`, written into `x`."""
    def cumsum(self, dim: _int, *, dtype: _Any = None) -> Tensor:
        """Running sums along `dim`; of integers in int64."""
    def cumsum_(self, dim: _int) -> Tensor:
        """`x.cumsum(...)`, written into `x`."""
    def deg2rad(self) -> Tensor:
        """Degrees as radians."""
    def deg2rad_(self) -> Tensor:
        """`x.deg2rad(...)`, written into `x`."""
    def det(self) -> Tensor:
        """The determinant of each square matrix. Its gradient needs the inverse, so that of a singular one is refused."""
    def detach(self) -> Tensor:
        """The same memory without the history: gradients stop here."""
    def detach_(self) -> Tensor:
        """Forget how the tensor was computed: it becomes a leaf that requires no gradient."""
    def diag(self, diagonal: _int = 0) -> Tensor:
        """A copy of the diagonal of a matrix; of a vector, the matrix that has it on its diagonal."""
    def diag_embed(self, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
        """Square matrices over the axes `dim1` and `dim2` of the result, with the last axis of `x` on a diagonal."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A view of the diagonal over two axes, as the last axis. `offset` counts to the right, negative ones downwards."""
    def diagonal_scatter(self, src: _Any, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """`x` with `src` in place of `x.diagonal(offset, dim1, dim2)`."""
    def diff(self, n: _int = 1, dim: _int = -1, prepend: _Any = None, append: _Any = None) -> Tensor:
        """The differences of neighbours along `dim`, taken `n` times: each time the axis loses an entry."""
    def digamma(self) -> Tensor:
        """ψ(x), the derivative of `lgamma`. At 0 it is -inf, at -0.0 inf, at negative whole numbers NaN."""
    def digamma_(self) -> Tensor:
        """`x.digamma(...)`, written into `x`."""
    def dist(self, other: _Any, p: _float = 2) -> Tensor:
        """The norm `p` of x - other, all entries counted as one vector. Shapes broadcast."""
    def div(self, y: _Any, rounding_mode: str | None = None) -> Tensor:
        """x / y, or the whole steps of y in x: towards 0 ('trunc') or down ('floor'). Shapes broadcast."""
    def div_(self, y: _Any, rounding_mode: str | None = None) -> Tensor:
        """`x.div(...)`, written into `x`."""
    def divide(self, y: _Any, rounding_mode: str | None = None) -> Tensor:
        """x / y, or the whole steps of y in x: towards 0 ('trunc') or down ('floor'). Shapes broadcast."""
    def divide_(self, y: _Any, rounding_mode: str | None = None) -> Tensor:
        """`x.div(...)`, written into `x`."""
    def dot(self, tensor: _Any) -> Tensor:
        """The inner product of two vectors of one length, a single number."""
    def double(self) -> Tensor:
        """`x` in float64; `x` itself if it is already."""
    def dsplit(self, indices_or_sections: _Any) -> tuple[Tensor, ...]:
        """Equal parts of `x` along axis 2, or parts that begin at the given indices: views."""
    def eq(self, y: _Operand) -> Tensor:
        """Whether x equals y. Shapes broadcast."""
    def eq_(self, y: _Operand) -> Tensor:
        """`x.eq(...)`, written into `x`."""
    def equal(self, other: _Any) -> _bool:
        """Whether both have the same shape and the same entries, as a Python truth value."""
    def erf(self) -> Tensor:
        """The error function of x."""
    def erf_(self) -> Tensor:
        """`ml.erf`, written into `x`."""
    def erfc(self) -> Tensor:
        """1 - erf(x), the complement of the error function."""
    def erfc_(self) -> Tensor:
        """`x.erfc(...)`, written into `x`."""
    def erfinv(self) -> Tensor:
        """The number whose `erf` is x: infinite at -1 and 1, NaN beyond."""
    def erfinv_(self) -> Tensor:
        """`x.erfinv(...)`, written into `x`."""
    def exp(self) -> Tensor:
        """e to the power of x."""
    def exp2(self) -> Tensor:
        """2 to the power of x."""
    def exp2_(self) -> Tensor:
        """`ml.exp2`, written into `x`."""
    def exp_(self) -> Tensor:
        """`ml.exp`, written into `x`."""
    def expand(self, *size: _Any) -> Tensor:
        """A view in which axes of length 1 are stretched to `size`, without copying: their stride is 0. -1 keeps a length."""
    def expand_as(self, other: _Any) -> Tensor:
        """`x.expand` with the shape of `other`."""
    def expm1(self) -> Tensor:
        """exp(x) - 1, exact for small x."""
    def expm1_(self) -> Tensor:
        """`ml.expm1`, written into `x`."""
    def exponential_(self, lambd: _float = 1.0, generator: Generator | None = None) -> Tensor:
        """Write waiting times at the rate `lambd`, in place."""
    def fill(self, value: _Any) -> Tensor:
        """One number everywhere, in the shape and the dtype of `x`."""
    def fill_diagonal(self, fill_value: _float, wrap: _bool = False) -> Tensor:
        """`x` with one number on its main diagonal; with `wrap` a tall matrix has one every n + 1 rows."""
    def fill_diagonal_(self, fill_value: _float, wrap: _bool = False) -> Tensor:
        """`x.fill_diagonal(...)`, written into `x`."""
    def fix(self) -> Tensor:
        """x without its fraction."""
    def fix_(self) -> Tensor:
        """`ml.trunc`, written into `x`."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """The axes from `start_dim` to `end_dim` joined into one; by default all of them."""
    def flip(self, dims: _Any) -> Tensor:
        """A copy with the entries along `dims` in reverse order."""
    def fliplr(self) -> Tensor:
        """The columns in reverse order: `flip(1)`."""
    def flipud(self) -> Tensor:
        """The rows in reverse order: `flip(0)`."""
    def float(self) -> Tensor:
        """`x` in float32; `x` itself if it is already."""
    def float_power(self, y: _Any) -> Tensor:
        """x to the power y, in float64. Shapes broadcast."""
    def floor(self) -> Tensor:
        """The next whole number at or below x."""
    def floor_(self) -> Tensor:
        """`ml.floor`, written into `x`."""
    def floor_divide(self, y: _Operand) -> Tensor:
        """How many whole steps of y lie in x, rounded down: x // y. Shapes broadcast."""
    def floor_divide_(self, y: _Operand) -> Tensor:
        """`ml.floor_divide`, written into `x`."""
    def fmax(self, y: _Any) -> Tensor:
        """The larger of the two, and of a NaN and a number the number. Shapes broadcast."""
    def fmin(self, y: _Any) -> Tensor:
        """The smaller of the two, and of a NaN and a number the number. Shapes broadcast."""
    def fmod(self, y: _Operand) -> Tensor:
        """What is left of x after whole steps of y, with the sign of x, as in C. Shapes broadcast."""
    def fmod_(self, y: _Operand) -> Tensor:
        """`ml.fmod`, written into `x`."""
    def frac(self) -> Tensor:
        """What `trunc` takes away: x - trunc(x). Of floats."""
    def frac_(self) -> Tensor:
        """`x.frac(...)`, written into `x`."""
    def gather(self, dim: _int, index: _Any) -> Tensor:
        """out[i, j] = x[index[i, j], j] along dim 0, and so on for other dims. `index` is int64, of the rank of `x`."""
    def gcd(self, y: _Operand) -> Tensor:
        """The largest number that divides both. Shapes broadcast."""
    def gcd_(self, y: _Operand) -> Tensor:
        """`ml.gcd`, written into `x`."""
    def ge(self, y: _Operand) -> Tensor:
        """Whether x is at least y. Shapes broadcast."""
    def ge_(self, y: _Operand) -> Tensor:
        """`x.ge(...)`, written into `x`."""
    def gelu(self) -> Tensor:
        """x times the normal distribution function of x."""
    def gelu_(self) -> Tensor:
        """`ml.gelu`, written into `x`."""
    def geometric_(self, p: _float, generator: Generator | None = None) -> Tensor:
        """Write how many trials there are up to the first success, each of probability `p`, in place: 1, 2, 3, ..."""
    def ger(self, vec2: _Any) -> Tensor:
        """The matrix x[i] · vec2[j] of two vectors."""
    def greater(self, y: _Operand) -> Tensor:
        """Whether x is greater than y. Shapes broadcast."""
    def greater_(self, y: _Operand) -> Tensor:
        """`x.gt(...)`, written into `x`."""
    def greater_equal(self, y: _Operand) -> Tensor:
        """Whether x is at least y. Shapes broadcast."""
    def greater_equal_(self, y: _Operand) -> Tensor:
        """`x.ge(...)`, written into `x`."""
    def gt(self, y: _Operand) -> Tensor:
        """Whether x is greater than y. Shapes broadcast."""
    def gt_(self, y: _Operand) -> Tensor:
        """`x.gt(...)`, written into `x`."""
    def half(self) -> Tensor:
        """`x` in float16; `x` itself if it is already."""
    def heaviside(self, values: _Any) -> Tensor:
        """0 below 0, 1 above it, and `values` at 0, which are of the dtype of x. Shapes broadcast."""
    def heaviside_(self, values: _Any) -> Tensor:
        """`x.heaviside(...)`, written into `x`."""
    def histc(self, bins: _int = 100, min: _float = 0, max: _float = 0) -> Tensor:
        """How many entries lie in each of `bins` equal steps from `min` to `max`; if both are equal, of the entries' range."""
    def histogram(
        self, bins: _Any, range: tuple[_float, _float] | None = None, weight: _Any = None, density: _bool = False
    ) -> Histogram:
        """How many entries lie in each step, and the edges of the steps."""
    def hsplit(self, indices_or_sections: _Any) -> tuple[Tensor, ...]:
        """Equal parts of `x` along axis 1 (of a vector, 0), or parts that begin at the indices: views."""
    def hypot(self, y: _Operand) -> Tensor:
        """The length of the vector (x, y), without overflow. Shapes broadcast."""
    def hypot_(self, y: _Operand) -> Tensor:
        """`ml.hypot`, written into `x`."""
    def i0(self) -> Tensor:
        """The modified Bessel function of the first kind, of order 0."""
    def i0_(self) -> Tensor:
        """`x.i0(...)`, written into `x`."""
    def index_add(self, dim: _int, index: _Any, source: _Any, alpha: _float = 1) -> Tensor:
        """`x` with the slices of `source` along `dim` added to those whose numbers stand in `index`; repeats add up."""
    def index_add_(self, dim: _int, index: _Any, source: _Any, alpha: _float = 1) -> Tensor:
        """`x.index_add(...)`, written into `x`."""
    def index_copy(self, dim: _int, index: _Any, source: _Any) -> Tensor:
        """`x` with the slices of `source` along `dim` in place of those whose numbers stand in `index`."""
    def index_copy_(self, dim: _int, index: _Any, source: _Any) -> Tensor:
        """`x.index_copy(...)`, written into `x`."""
    def index_fill(self, dim: _int, index: _Any, value: _Any) -> Tensor:
        """`x` with one number in all slices along `dim` whose numbers stand in `index`."""
    def index_fill_(self, dim: _int, index: _Any, value: _Any) -> Tensor:
        """`x.index_fill(...)`, written into `x`."""
    def index_put(self, indices: _Any, values: _Any, accumulate: _bool = False) -> Tensor:
        """A copy of `x` with `index_put_` done to it."""
    def index_put_(self, indices: _Any, values: _Any, accumulate: _bool = False) -> Tensor:
        """`x[indices] = values` as a call, for a tuple of index tensors; with `accumulate` they are added, repeats too."""
    def index_select(self, dim: _int, index: _Any) -> Tensor:
        """The slices of `x` along `dim` whose numbers stand in the vector `index`."""
    def inner(self, other: _Any) -> Tensor:
        """The products of entries, summed over the last axis of both; with a number, the product."""
    def int(self) -> Tensor:
        """`x` in int32; `x` itself if it is already."""
    def inverse(self) -> Tensor:
        """The inverse of each square matrix. To solve a system, `linalg.solve` is cheaper and more exact."""
    def isclose(self, other: _Any, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
        """Whether |x - other| ≤ atol + rtol · |other|, entry by entry. Equal infinities are close, NaN only if asked."""
    def isfinite(self) -> Tensor:
        """Whether x is neither infinite nor NaN."""
    def isinf(self) -> Tensor:
        """Whether x is infinite, on either side."""
    def isnan(self) -> Tensor:
        """Whether x is not a number."""
    def isneginf(self) -> Tensor:
        """Whether the entries are -inf."""
    def isposinf(self) -> Tensor:
        """Whether the entries are inf."""
    def isreal(self) -> Tensor:
        """Whether the entries are real numbers: all are."""
    def kron(self, other: _Any) -> Tensor:
        """The Kronecker product: `x` with every entry replaced by that entry times `other`. Any two ranks."""
    def kthvalue(self, k: _int, dim: _int = -1, keepdim: _bool = False) -> Sorted:
        """The k-th smallest entry along `dim`, counted from 1, and where it stands: (values, indices)."""
    def lcm(self, y: _Operand) -> Tensor:
        """The smallest number that both divide. Shapes broadcast."""
    def lcm_(self, y: _Operand) -> Tensor:
        """`ml.lcm`, written into `x`."""
    def ldexp(self, y: _Any) -> Tensor:
        """x · 2ʸ. Shapes broadcast."""
    def ldexp_(self, y: _Any) -> Tensor:
        """`x.ldexp(...)`, written into `x`."""
    def le(self, y: _Operand) -> Tensor:
        """Whether x is at most y. Shapes broadcast."""
    def le_(self, y: _Operand) -> Tensor:
        """`x.le(...)`, written into `x`."""
    def lerp(self, end: _Any, weight: _Any) -> Tensor:
        """x + weight · (end - x): from `x` at weight 0 to `end` at weight 1. Floats of one dtype; shapes broadcast."""
    def lerp_(self, end: _Any, weight: _Any) -> Tensor:
        """`x.lerp(...)`, written into `x`."""
    def less(self, y: _Operand) -> Tensor:
        """Whether x is less than y. Shapes broadcast."""
    def less_(self, y: _Operand) -> Tensor:
        """`x.lt(...)`, written into `x`."""
    def less_equal(self, y: _Operand) -> Tensor:
        """Whether x is at most y. Shapes broadcast."""
    def less_equal_(self, y: _Operand) -> Tensor:
        """`x.le(...)`, written into `x`."""
    def lgamma(self) -> Tensor:
        """log |Γ(x)|, the logarithm of the gamma function; Γ(n) is (n - 1)!."""
    def lgamma_(self) -> Tensor:
        """`x.lgamma(...)`, written into `x`."""
    def log(self) -> Tensor:
        """The natural logarithm of x."""
    def log10(self) -> Tensor:
        """The logarithm of x to the base 10."""
    def log10_(self) -> Tensor:
        """`ml.log10`, written into `x`."""
    def log1p(self) -> Tensor:
        """log(1 + x), exact for small x."""
    def log1p_(self) -> Tensor:
        """`ml.log1p`, written into `x`."""
    def log2(self) -> Tensor:
        """The logarithm of x to the base 2."""
    def log2_(self) -> Tensor:
        """`ml.log2`, written into `x`."""
    def log_(self) -> Tensor:
        """`ml.log`, written into `x`."""
    def log_normal_(self, mean: _float = 1.0, std: _float = 2.0, generator: Generator | None = None) -> Tensor:
        """Write numbers whose logarithms are normal with `mean` and `std`, in place."""
    def log_softmax(self, dim: _int, *, dtype: _Any = None) -> Tensor:
        """The logarithm of `softmax`, more exact than taking it afterwards."""
    def logaddexp(self, y: _Operand) -> Tensor:
        """log(exp(x) + exp(y)), without overflow. Shapes broadcast."""
    def logaddexp2(self, y: _Any) -> Tensor:
        """log₂(2ˣ + 2ʸ), without overflow. Shapes broadcast."""
    def logaddexp2_(self, y: _Any) -> Tensor:
        """`x.logaddexp2(...)`, written into `x`."""
    def logaddexp_(self, y: _Operand) -> Tensor:
        """`ml.logaddexp`, written into `x`."""
    def logcumsumexp(self, dim: _int, *, dtype: _Any = None) -> Tensor:
        """The logarithms of the running sums of exp(x) along `dim`, without overflow."""
    def logcumsumexp_(self, dim: _int) -> Tensor:
        """`x.logcumsumexp(...)`, written into `x`."""
    def logdet(self) -> Tensor:
        """The logarithm of the determinant of each matrix; NaN where it is negative."""
    def logical_and(self, y: _Operand) -> Tensor:
        """Whether both are true. Shapes broadcast."""
    def logical_and_(self, y: _Operand) -> Tensor:
        """`x.logical_and(...)`, written into `x`."""
    def logical_not(self) -> Tensor:
        """Whether x is false."""
    def logical_not_(self) -> Tensor:
        """`x.logical_not(...)`, written into `x`."""
    def logical_or(self, y: _Operand) -> Tensor:
        """Whether one of the two is true. Shapes broadcast."""
    def logical_or_(self, y: _Operand) -> Tensor:
        """`x.logical_or(...)`, written into `x`."""
    def logical_xor(self, y: _Operand) -> Tensor:
        """Whether just one is true. Shapes broadcast."""
    def logical_xor_(self, y: _Operand) -> Tensor:
        """`x.logical_xor(...)`, written into `x`."""
    def logit(self, eps: _float | None = None) -> Tensor:
        """log(x / (1 - x)), which undoes `sigmoid`: NaN outside of [0, 1]."""
    def logit_(self, eps: _float | None = None) -> Tensor:
        """`x.logit(...)`, written into `x`."""
    def logsumexp(self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """log Σ exp(x) over `dim` (all axes if None), without overflow."""
    def long(self) -> Tensor:
        """`x` in int64; `x` itself if it is already."""
    def lt(self, y: _Operand) -> Tensor:
        """Whether x is less than y. Shapes broadcast."""
    def lt_(self, y: _Operand) -> Tensor:
        """`x.lt(...)`, written into `x`."""
    def masked_fill(self, mask: _Any, value: _Any) -> Tensor:
        """`x` with `value` where `mask` is true, in the dtype of `x`; the mask stretches to the shape of `x`."""
    def masked_fill_(self, mask: _Any, value: _Any) -> Tensor:
        """`x.masked_fill(...)`, written into `x`."""
    def masked_scatter(self, mask: _Any, source: _Any) -> Tensor:
        """`x` with the entries of `source`, in order, where the mask is true. The mask stretches to the shape of `x`."""
    def masked_scatter_(self, mask: _Any, source: _Any) -> Tensor:
        """`x.masked_scatter(...)`, written into `x`."""
    def masked_select(self, mask: _Any) -> Tensor:
        """The entries where `mask` is true, in one vector; the two shapes broadcast. Gradients go back to their places."""
    def matmul(self, y: _Operand) -> Tensor:
        """The matrix product x @ y, of all ranks from 1 up; leading axes are batches. Shapes broadcast."""
    def matrix_exp(self) -> Tensor:
        """The exponential of matrices: the sum of A^k / k!, of A halved ten times, which is then squared ten times."""
    def matrix_power(self, n: _int) -> Tensor:
        """The product of `n` copies of a square matrix, by squaring; of the inverse if `n` is negative."""
    @_overload
    def max(self, dim: None = None) -> Tensor:
        """The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."""
    @_overload
    def max(self, dim: Tensor) -> Tensor:
        """The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."""
    @_overload
    def max(self, dim: _int, keepdim: _bool = False) -> Extremes:
        """The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."""
    def maximum(self, y: _Operand) -> Tensor:
        """The larger of x and y; a tie splits the gradient. Shapes broadcast."""
    def maximum_(self, y: _Operand) -> Tensor:
        """`ml.maximum`, written into `x`."""
    def mean(
        self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False, *, dtype: _Any = None
    ) -> Tensor:
        """The arithmetic mean over `dim` (all axes if None). Of floats."""
    @_overload
    def median(self, dim: None = None) -> Tensor:
        """The middle entry, the lower one of two; with `dim`, the pair (values, indices) along it. NaN if one entry is."""
    @_overload
    def median(self, dim: _int, keepdim: _bool = False) -> Sorted:
        """The middle entry, the lower one of two; with `dim`, the pair (values, indices) along it. NaN if one entry is."""
    @_overload
    def min(self, dim: None = None) -> Tensor:
        """The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."""
    @_overload
    def min(self, dim: Tensor) -> Tensor:
        """The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."""
    @_overload
    def min(self, dim: _int, keepdim: _bool = False) -> Extremes:
        """The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."""
    def minimum(self, y: _Operand) -> Tensor:
        """The smaller of x and y; a tie splits the gradient. Shapes broadcast."""
    def minimum_(self, y: _Operand) -> Tensor:
        """`ml.minimum`, written into `x`."""
    def mm(self, mat2: _Any) -> Tensor:
        """A matrix (n, m) times a matrix (m, k). `matmul` takes batches too."""
    def mode(self, dim: _int = -1, keepdim: _bool = False) -> Sorted:
        """The entry that occurs most often along `dim`, the smallest of several, and where it last stands."""
    def moveaxis(self, source: _Any, destination: _Any) -> Tensor:
        """A view with the axes `source` moved to the places `destination`; the others keep their order."""
    def movedim(self, source: _Any, destination: _Any) -> Tensor:
        """A view with the axes `source` moved to the places `destination`; the others keep their order."""
    def msort(self) -> Tensor:
        """The entries along axis 0 in order."""
    def mul(self, y: _Operand) -> Tensor:
        """x times y. Shapes broadcast."""
    def mul_(self, y: _Operand) -> Tensor:
        """`ml.mul`, written into `x`."""
    def multinomial(self, num_samples: _int, replacement: _bool = False, generator: Generator | None = None) -> Tensor:
        """The numbers of `num_samples` entries, each drawn with a probability in proportion to its weight; int64."""
    def multiply(self, y: _Operand) -> Tensor:
        """x times y. Shapes broadcast."""
    def multiply_(self, y: _Operand) -> Tensor:
        """`ml.mul`, written into `x`."""
    def mv(self, vec: _Any) -> Tensor:
        """A matrix (n, m) times a vector (m,)."""
    def nan_to_num(self, nan: _float = 0.0, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """`x` with `nan` for NaN, and `posinf` and `neginf` for the infinities: if None, the dtype's largest and smallest."""
    def nan_to_num_(self, nan: _float = 0.0, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """`x.nan_to_num(...)`, written into `x`."""
    def nanmean(
        self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False, *, dtype: _Any = None
    ) -> Tensor:
        """The mean over `dim` (all axes if None) of what is no NaN; NaN where nothing is left."""
    @_overload
    def nanmedian(self, dim: None = None) -> Tensor:
        """The middle of the entries that are no NaN, the lower one of two; with `dim`, (values, indices) along it."""
    @_overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> Sorted:
        """The middle of the entries that are no NaN, the lower one of two; with `dim`, (values, indices) along it."""
    def nanquantile(
        self, q: _Any, dim: _int | None = None, keepdim: _bool = False, interpolation: str = "linear"
    ) -> Tensor:
        """`quantile` of the entries that are no NaN."""
    def nansum(
        self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False, *, dtype: _Any = None
    ) -> Tensor:
        """The sum over `dim` (all axes if None) of what is no NaN."""
    def narrow(self, dim: _int, start: _Any, length: _int) -> Tensor:
        """The slices `start` to start + length - 1 along `dim`, as a view."""
    def ne(self, y: _Operand) -> Tensor:
        """Whether x differs from y. Shapes broadcast."""
    def ne_(self, y: _Operand) -> Tensor:
        """`x.ne(...)`, written into `x`."""
    def neg(self) -> Tensor:
        """-x."""
    def neg_(self) -> Tensor:
        """`ml.neg`, written into `x`."""
    def negative(self) -> Tensor:
        """-x."""
    def negative_(self) -> Tensor:
        """`ml.neg`, written into `x`."""
    def new_empty(
        self, *size: _Any, dtype: _Any = None, device: str | None = None, requires_grad: _bool = False
    ) -> Tensor:
        """A tensor of the given size: empty, with the dtype and device of this one unless said."""
    def new_full(
        self, size: _Any, fill_value: _float, dtype: _Any = None, device: _Any = None, requires_grad: _bool = False
    ) -> Tensor:
        """A tensor of `size` with one number everywhere, with the dtype and device of this one unless said."""
    def new_ones(
        self, *size: _Any, dtype: _Any = None, device: str | None = None, requires_grad: _bool = False
    ) -> Tensor:
        """A tensor of the given size: ones, with the dtype and device of this one unless said."""
    def new_tensor(self, data: _Any, dtype: _Any = None, device: _Any = None, requires_grad: _bool = False) -> Tensor:
        """A new tensor with a copy of `data`, with the dtype and device of this one unless said."""
    def new_zeros(
        self, *size: _Any, dtype: _Any = None, device: str | None = None, requires_grad: _bool = False
    ) -> Tensor:
        """A tensor of the given size: zeros, with the dtype and device of this one unless said."""
    @_overload
    def nonzero(self, as_tuple: _Literal[False] = False) -> Tensor:
        """The positions of the entries that are not 0: int64 of shape (how many, axes), or a vector for each axis."""
    @_overload
    def nonzero(self, as_tuple: _Literal[True]) -> tuple[Tensor, ...]:
        """The positions of the entries that are not 0: int64 of shape (how many, axes), or a vector for each axis."""
    def norm(
        self, p: _Any = "fro", dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False
    ) -> Tensor:
        """The vector norm of order `p` over `dim` (all axes if None); 'fro' is order 2, 'nuc' a norm of matrices."""
    def normal_(self, mean: _float = 0.0, std: _float = 1.0, generator: Generator | None = None) -> Tensor:
        """Write normal random numbers, in place."""
    def not_equal(self, y: _Operand) -> Tensor:
        """Whether x differs from y. Shapes broadcast."""
    def not_equal_(self, y: _Operand) -> Tensor:
        """`x.ne(...)`, written into `x`."""
    def outer(self, vec2: _Any) -> Tensor:
        """The matrix x[i] · vec2[j] of two vectors."""
    def permute(self, *dims: _Any) -> Tensor:
        """A view with the axes in the order `dims`."""
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """The pseudo-inverse, without the singular values below `rcond` times the largest one."""
    def polygamma(self, n: _Operand) -> Tensor: ...
    def positive(self) -> Tensor:
        """x itself."""
    def positive_(self) -> Tensor:
        """`x.positive(...)`, written into `x`."""
    def pow(self, y: _Operand) -> Tensor:
        """x to the power of y. Shapes broadcast."""
    def pow_(self, y: _Operand) -> Tensor:
        """`ml.pow`, written into `x`."""
    def prod(self, dim: _int | None = None, keepdim: _bool = False, *, dtype: _Any = None) -> Tensor:
        """The product over `dim`, or of all entries; of integers in int64. The gradient is right where entries are 0."""
    def put(self, index: _Any, source: _Any, accumulate: _bool = False) -> Tensor:
        """`x` with `source` written at `index`, counted in the vector of all entries; with `accumulate` added to them."""
    def put_(self, index: _Any, source: _Any, accumulate: _bool = False) -> Tensor:
        """`x.put(...)`, written into `x`."""
    def quantile(
        self, q: _Any, dim: _int | None = None, keepdim: _bool = False, interpolation: str = "linear"
    ) -> Tensor:
        """The entry below which a share `q` of the entries along `dim` lies (of all entries if None)."""
    def rad2deg(self) -> Tensor:
        """Radians as degrees."""
    def rad2deg_(self) -> Tensor:
        """`x.rad2deg(...)`, written into `x`."""
    def random_(self, low: _int = 0, high: _int | None = None, generator: Generator | None = None) -> Tensor:
        """Write random whole numbers from `low` up to below `high`, in place; with one bound from 0, with none to 2^24."""
    def ravel(self) -> Tensor:
        """The entries in row order along one axis: a view where they lie in row order without gaps, else a copy."""
    def reciprocal(self) -> Tensor:
        """1 over x."""
    def reciprocal_(self) -> Tensor:
        """`ml.reciprocal`, written into `x`."""
    def relu(self) -> Tensor:
        """x where it is positive, else 0."""
    def relu_(self) -> Tensor:
        """`ml.relu`, written into `x`."""
    def remainder(self, y: _Operand) -> Tensor:
        """What is left of x after whole steps of y, with the sign of y: x % y. Shapes broadcast."""
    def remainder_(self, y: _Operand) -> Tensor:
        """`ml.remainder`, written into `x`."""
    def renorm(self, p: _float, dim: _int, maxnorm: _float) -> Tensor:
        """`x` with each slice along `dim` whose norm `p` is above `maxnorm` scaled down to it."""
    def renorm_(self, p: _float, dim: _int, maxnorm: _float) -> Tensor:
        """`x.renorm(...)`, written into `x`."""
    def repeat(self, *sizes: _Any) -> Tensor:
        """Copies of `x` side by side: sizes[i] of them along axis i. More sizes than axes put new axes in front."""
    def repeat_interleave(
        self, repeats: _Any = None, dim: _int | None = None, output_size: _int | None = None
    ) -> Tensor:
        """Each slice along `dim` `repeats` times, one after the other. `repeats` is a number, or one number for each slice."""
    def reshape(self, *shape: _Any) -> Tensor:
        """The entries of `x`, in order, in another shape; one size may be -1. A view if the strides allow it, else a copy."""
    def reshape_as(self, other: _Any) -> Tensor:
        """`x.reshape` with the shape of `other`."""
    def roll(self, shifts: _Any, dims: _Any = None) -> Tensor:
        """A copy whose entries are moved by `shifts` along `dims`; what falls off the end comes back at the start."""
    def rot90(self, k: _int = 1, dims: _Any = ...) -> Tensor:
        """`x` turned by `k` right angles, from the first of two dims towards the second."""
    def round(self, decimals: _int = 0) -> Tensor:
        """The nearest number with so many decimals; halfway between two, the even one."""
    def round_(self, decimals: _int = 0) -> Tensor:
        """`x.round(...)`, written into `x`."""
    def rsqrt(self) -> Tensor:
        """1 over the square root of x."""
    def rsqrt_(self) -> Tensor:
        """`ml.rsqrt`, written into `x`."""
    def scatter(self, dim: _int, index: _Any, src: _Any, reduce: str | None = None) -> Tensor:
        """`x` with src[i, j] written to out[index[i, j], j] along dim 0, and so on. `index` is int64 without repeats."""
    def scatter_(self, dim: _int, index: _Any, src: _Any, reduce: str | None = None) -> Tensor:
        """`x.scatter(...)`, written into `x`."""
    def scatter_add(self, dim: _int, index: _Any, src: _Any) -> Tensor:
        """`x` with src[i, j] added to out[index[i, j], j] along dim 0, and so on; repeats add up."""
    def scatter_add_(self, dim: _int, index: _Any, src: _Any) -> Tensor:
        """`x.scatter_add(...)`, written into `x`."""
    def scatter_reduce(self, dim: _int, index: _Any, src: _Any, reduce: str, *, include_self: _bool = True) -> Tensor:
        """`x` with src[i, j] brought into out[index[i, j], j] along dim 0, and so on, by a reduction."""
    def scatter_reduce_(self, dim: _int, index: _Any, src: _Any, reduce: str, *, include_self: _bool = True) -> Tensor:
        """`x.scatter_reduce(...)`, written into `x`."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """The slice number `index` along `dim`, as a view without that axis."""
    def select_scatter(self, src: _Any, dim: _int, index: _int) -> Tensor:
        """`x` with `src` in place of `x.select(dim, index)`."""
    def sgn(self) -> Tensor:
        """-1, 0 or 1: the sign of x; of NaN 0."""
    def sgn_(self) -> Tensor:
        """`ml.sign`, written into `x`."""
    def short(self) -> Tensor:
        """`x` in int16; `x` itself if it is already."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-x)), between 0 and 1."""
    def sigmoid_(self) -> Tensor:
        """`ml.sigmoid`, written into `x`."""
    def sign(self) -> Tensor:
        """-1, 0 or 1: the sign of x; of NaN 0."""
    def sign_(self) -> Tensor:
        """`ml.sign`, written into `x`."""
    def signbit(self) -> Tensor:
        """Whether x has a minus sign, which -0.0 has too."""
    def sin(self) -> Tensor:
        """The sine of x, in radians."""
    def sin_(self) -> Tensor:
        """`ml.sin`, written into `x`."""
    def sinc(self) -> Tensor:
        """sin(πx) / (πx), and 1 at 0."""
    def sinc_(self) -> Tensor:
        """`x.sinc(...)`, written into `x`."""
    def sinh(self) -> Tensor:
        """The hyperbolic sine of x."""
    def sinh_(self) -> Tensor:
        """`ml.sinh`, written into `x`."""
    def slice_scatter(
        self, src: _Any, dim: _int = 0, start: _int | None = None, end: _int | None = None, step: _int = 1
    ) -> Tensor:
        """`x` with `src` in place of its entries from `start` to `end` along `dim`."""
    def slogdet(self) -> SignedLog:
        """The sign and the logarithm of the size of the determinant, which itself may be too large or small for a float."""
    def softmax(self, dim: _int, *, dtype: _Any = None) -> Tensor:
        """exp(x) over its sum along `dim`: positive numbers that sum to 1."""
    def softplus(self) -> Tensor:
        """log(1 + exp(x)), a smooth relu."""
    def softplus_(self) -> Tensor:
        """`ml.softplus`, written into `x`."""
    def sort(self, dim: _int = -1, descending: _bool = False, stable: _bool = True) -> Sorted:
        """The entries along `dim` in order, and where they stood: (values, indices). The sort is always stable."""
    def split(self, split_size_or_sections: _Any, dim: _int = 0) -> tuple[Tensor, ...]:
        """Views of `x` cut along `dim`: into pieces of one length (the last may be shorter), or of the lengths in a list."""
    def split_with_sizes(self, split_sizes: _Any, dim: _int = 0) -> tuple[Tensor, ...]:
        """`split` into pieces of the lengths in a list."""
    def sqrt(self) -> Tensor:
        """The square root of x."""
    def sqrt_(self) -> Tensor:
        """`ml.sqrt`, written into `x`."""
    def square(self) -> Tensor:
        """x times x."""
    def square_(self) -> Tensor:
        """`ml.square`, written into `x`."""
    def squeeze(self, dim: _int | tuple[_int, ...] | list[_int] | None = None) -> Tensor:
        """A view without its axes of length 1, or without those of `dim` whose length is 1."""
    def squeeze_(self, dim: _int | tuple[_int, ...] | list[_int] | None = None) -> Tensor:
        """`x` becomes the view `x.squeeze(...)` of its memory."""
    def std(
        self,
        dim: _int | tuple[_int, ...] | list[_int] | None = None,
        correction: _float | None = 1,
        keepdim: _bool = False,
        *,
        unbiased: _bool = True,
    ) -> Tensor:
        """The standard deviation: the square root of `var`. Where all entries are equal its gradient is 0."""
    def sub(self, y: _Any, alpha: _float = 1) -> Tensor:
        """x - alpha · y. Shapes broadcast."""
    def subtract(self, y: _Any, alpha: _float = 1) -> Tensor:
        """x - alpha · y. Shapes broadcast."""
    def subtract_(self, other: _Any, alpha: _float = 1) -> Tensor:
        """Subtract alpha · other, in place."""
    def sum(
        self, dim: _int | tuple[_int, ...] | list[_int] | None = None, keepdim: _bool = False, *, dtype: _Any = None
    ) -> Tensor:
        """The sum over `dim` (all axes if None). Integers and truth values are summed in int64."""
    def svd(self, some: _bool = True, compute_uv: _bool = True) -> Factors:
        """U, S and V with U diag(S) Vᵀ = x, for each matrix (m, n): PyTorch's older `svd`. `ml.linalg.svd` gives Vᵀ."""
    def swapaxes(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two axes swapped."""
    def swapaxes_(self, dim0: _int, dim1: _int) -> Tensor:
        """`x` becomes the view `x.swapaxes(...)` of its memory."""
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two axes swapped."""
    def swapdims_(self, dim0: _int, dim1: _int) -> Tensor:
        """`x` becomes the view `x.swapdims(...)` of its memory."""
    def t(self) -> Tensor:
        """A view of a matrix with rows and columns swapped; a vector or a number is shown as it is."""
    def t_(self) -> Tensor:
        """`x` becomes the view `x.t(...)` of its memory."""
    def take(self, index: _Any) -> Tensor:
        """The entries of `x`, counted as one vector, at `index`; in the shape of the index."""
    def take_along_dim(self, indices: _Any, dim: _int | None = None) -> Tensor:
        """As `gather`, with the other axes broadcast: what `argsort` and `argmax` (with keepdim) return fits."""
    def tan(self) -> Tensor:
        """The tangent of x, in radians."""
    def tan_(self) -> Tensor:
        """`ml.tan`, written into `x`."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent of x, between -1 and 1."""
    def tanh_(self) -> Tensor:
        """`ml.tanh`, written into `x`."""
    def tensor_split(self, indices_or_sections: _Any, dim: _int = 0) -> tuple[Tensor, ...]:
        """Views of `x` along `dim`: so many, as equal as can be (the first ones longer), or cut before each of the indices."""
    def tile(self, *dims: _Any) -> Tensor:
        """As `repeat`; fewer numbers than axes speak of the last axes."""
    def to(self, *target: _Any, dtype: _Any = None, device: _Any = None, copy: _bool = False) -> Tensor:
        """`x` with another dtype, on another device, or as another tensor is. Where nothing changes it is `x` itself."""
    def topk(self, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> Sorted:
        """The `k` largest (or smallest) entries along `dim`, always in order, and where they stood: (values, indices)."""
    def trace(self) -> Tensor:
        """The sum of the diagonal of a matrix."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two axes swapped."""
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """`x` becomes the view `x.transpose(...)` of its memory."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The entries of the matrices on and below `diagonal` (0 is the main one), else 0."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """`x.tril(...)`, written into `x`."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The entries of the matrices on and above `diagonal` (0 is the main one), else 0."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """`x.triu(...)`, written into `x`."""
    def true_divide(self, y: _Any, rounding_mode: str | None = None) -> Tensor:
        """x / y, or the whole steps of y in x: towards 0 ('trunc') or down ('floor'). Shapes broadcast."""
    def true_divide_(self, y: _Any, rounding_mode: str | None = None) -> Tensor:
        """`x.div(...)`, written into `x`."""
    def trunc(self) -> Tensor:
        """x without its fraction."""
    def trunc_(self) -> Tensor:
        """`ml.trunc`, written into `x`."""
    @_overload
    def type(self, dtype: None = None) -> str:
        """`x` in `dtype`, as `to`; without one, the name of the dtype that it has."""
    @_overload
    def type(self, dtype: _Any) -> Tensor:
        """`x` in `dtype`, as `to`; without one, the name of the dtype that it has."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """The slices of `x` along `dim`, as a tuple of views without that axis."""
    def unflatten(self, dim: _int, sizes: _Any) -> Tensor:
        """A view with axis `dim` cut into axes of the given sizes, one of which may be -1."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """A view of the windows of `size` entries along `dimension`, `step` apart; their own axis comes last."""
    def uniform_(self, low: _float = 0.0, high: _float = 1.0, generator: Generator | None = None) -> Tensor:
        """Write random numbers, even in [low, high), in place."""
    @_overload
    def unique(self, sorted: _bool = True, *, dim: _int | None = None) -> Tensor:
        """The different entries, always in order; on request with where each entry went, and how often it occurs."""
    @_overload
    def unique(
        self, sorted: _bool = True, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None
    ) -> _Any:
        """The different entries, always in order; on request with where each entry went, and how often it occurs."""
    @_overload
    def unique_consecutive(self, *, dim: _int | None = None) -> Tensor:
        """The entries without those that equal the one before; on request where each went, and how many were equal."""
    @_overload
    def unique_consecutive(
        self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None
    ) -> _Any:
        """The entries without those that equal the one before; on request where each went, and how many were equal."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """A view with an axis of length 1 inserted at `dim`."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """`x` becomes the view `x.unsqueeze(...)` of its memory."""
    def var(
        self,
        dim: _int | tuple[_int, ...] | list[_int] | None = None,
        correction: _float | None = 1,
        keepdim: _bool = False,
        *,
        unbiased: _bool = True,
    ) -> Tensor:
        """The variance over `dim` (all axes if None): squared distances from the mean over n - correction."""
    def vdot(self, other: _Any) -> Tensor:
        """The sum of the products of two vectors: `dot`."""
    def view(self, *shape: _Any) -> Tensor:
        """As `reshape`, and never a copy."""
    def view_as(self, other: _Any) -> Tensor:
        """`x.view` with the shape of `other`."""
    def vsplit(self, indices_or_sections: _Any) -> tuple[Tensor, ...]:
        """Equal parts of `x` along axis 0, or parts that begin at the given indices: views."""
    def where_(self, y: _Operand, z: _Operand) -> Tensor:
        """`ml.where`, written into `x`."""
    def xlog1py(self, y: _Operand) -> Tensor:
        """x log(1 + y), and 0 where x is 0. Shapes broadcast."""
    def xlog1py_(self, y: _Operand) -> Tensor:
        """`ml.xlog1py`, written into `x`."""
    def xlogy(self, y: _Operand) -> Tensor:
        """x log y, and 0 where x is 0. Shapes broadcast."""
    def xlogy_(self, y: _Operand) -> Tensor:
        """`ml.xlogy`, written into `x`."""
