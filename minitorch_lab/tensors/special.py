"""`ml.special`: functions of mathematical physics under the names of `torch.special`.

Example:
    >>> import minitorch_lab as ml
    >>> ml.special.expit(ml.tensor(0.0))
    tensor(0.5000)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ops import FUNCTIONS
from ..ops.absent import answering
from ..ops.front import taught
from ..ops.gamma import digamma, erfc, erfinv, i0, lgamma, polygamma
from ..ops.reduce import log_softmax, logsumexp, softmax
from ..ops.spoken import entr, log_ndtr, logit, ndtr, ndtri, sinc

psi, gammaln = digamma, lgamma
erf, exp2, expm1, log1p = FUNCTIONS["erf"], FUNCTIONS["exp2"], FUNCTIONS["expm1"], FUNCTIONS["log1p"]
xlogy, xlog1py = FUNCTIONS["xlogy"], FUNCTIONS["xlog1py"]
expit, round = FUNCTIONS["sigmoid"], FUNCTIONS["round"]
entr, log_ndtr, ndtr, ndtri = map(taught, (entr, log_ndtr, ndtr, ndtri))

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.special")

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "log1p", "log_ndtr",
    "log_softmax", "logit", "logsumexp", "ndtr", "ndtri", "polygamma", "psi", "round", "sinc", "softmax", "xlog1py",
    "xlogy",
]  # fmt: skip
