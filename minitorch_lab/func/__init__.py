"""Functional transforms: each pushes one interpreter above what is running, which is why they nest in any order."""

from .batch import vmap
from .derived import hessian, jacfwd, jacrev
from .forward import jvp
from .reverse import grad, value_and_grad, vjp

__all__ = ["grad", "hessian", "jacfwd", "jacrev", "jvp", "value_and_grad", "vjp", "vmap"]
