"""Functional transforms: each pushes one interpreter above what is running, which is why they nest in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ops.absent import answering
from .batch import vmap
from .custom import custom_jvp, custom_vjp
from .derived import hessian, jacfwd, jacrev
from .forward import jvp
from .linear import linearize
from .reverse import grad, grad_and_value, value_and_grad, vjp
from .stateless import functional_call, stack_module_state
from .trees import register_pytree_node

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.func")

__all__ = [
    "custom_jvp", "custom_vjp", "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "linearize", "register_pytree_node", "stack_module_state", "value_and_grad", "vjp", "vmap",
]  # fmt: skip
