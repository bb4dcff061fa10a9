"""Functional transforms: each pushes one interpreter above what is running, which is why they nest in any order."""

from .batch import vmap
from .custom import custom_jvp, custom_vjp
from .derived import hessian, jacfwd, jacrev
from .forward import jvp
from .linear import linearize
from .reverse import grad, value_and_grad, vjp
from .trees import register_pytree_node

__all__ = [
    "custom_jvp", "custom_vjp", "grad", "hessian", "jacfwd", "jacrev", "jvp", "linearize", "register_pytree_node",
    "value_and_grad", "vjp", "vmap",
]  # fmt: skip
