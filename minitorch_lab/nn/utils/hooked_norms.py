"""The older `weight_norm` and `spectral_norm`: a hook computes the weight before each call of the module."""

from __future__ import annotations

from ...autograd import no_grad
from ...errors import ArgumentError
from ...tensors.tensor import Tensor
from ..functional.distance import normalize
from ..module import Module
from ..parameter import Parameter
from .parametrizations import SpectralNorm, WeightNorm


class OlderSpectralNorm(SpectralNorm):
    """Power iteration that begins with the other vector, as it did in the older form."""

    def iterate(self, matrix: Tensor, times: int) -> None:
        """So many steps of power iteration, from where it stands."""
        with no_grad():
            for _ in range(times):
                self._v.copy_(normalize(matrix.T.mv(self._u), 2, 0, self.eps))
                self._u.copy_(normalize(matrix.mv(self._v), 2, 0, self.eps))


Recipe = WeightNorm | OlderSpectralNorm


def hooked(module: Module, name: str, recipe: Recipe, ends: tuple[str, ...], beside: dict[str, str]) -> Module:
    """Have `recipe` compute `module.<name>` before each call, from parameters `<name>_<end>`, with buffers beside."""
    weight: Tensor = getattr(module, name)
    found = recipe.right_inverse(weight.detach())
    delattr(module, name)
    for end, tensor in zip(ends, found if isinstance(found, tuple) else (found,), strict=True):
        module.register_parameter(f"{name}_{end}", Parameter(tensor.clone(), weight.requires_grad))
    for end, own in beside.items():
        module.register_buffer(f"{name}_{end}", getattr(recipe, own))

    def compute(module: Module, args: object) -> None:
        recipe.training = module.training
        for end, own in beside.items():
            setattr(recipe, own, getattr(module, f"{name}_{end}"))
        setattr(module, name, recipe(*(getattr(module, f"{name}_{end}") for end in ends)))

    compute(module, ())
    norms = vars(module).setdefault("_norms", {})
    norms[type(recipe), name] = module.register_forward_pre_hook(compute), (*ends, *beside)
    return module


def unhooked(module: Module, name: str, kind: type[Recipe]) -> Module:
    """Make the weight an ordinary parameter again, with the value that it has.

    Raises:
        ArgumentError: No such hook computes it.
    """
    handle, ends = vars(module).get("_norms", {}).pop((kind, name), (None, ()))
    if handle is None:
        raise ArgumentError(
            f"There is no {kind.__name__.removeprefix('Older')} of {name!r} in this {type(module).__name__}.",
            "What is removed was put there by the function of the same name.",
            "Did you mean another name?",
        )
    handle.remove()
    weight: Tensor = getattr(module, name).detach().clone()
    trained = getattr(module, f"{name}_{ends[0]}").requires_grad
    for end in ends:
        delattr(module, f"{name}_{end}")
    delattr(module, name)
    module.register_parameter(name, Parameter(weight, trained))
    return module


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Train the length and the direction of a weight apart, as parameters `<name>_g` and `<name>_v`.

    `parametrizations.weight_norm` does it whenever the weight is read; this, before each call of the module.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.utils.weight_norm(ml.nn.Linear(20, 40))
        >>> sorted(layer.state_dict())
        ['bias', 'weight_g', 'weight_v']
    """
    return hooked(module, name, WeightNorm(dim), ("g", "v"), {})


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make a weight that `weight_norm` computes an ordinary parameter again.

    Raises:
        ArgumentError: It does not compute it.
    """
    return unhooked(module, name, WeightNorm)


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value before each call of the module. It is trained as `<name>_orig`.

    Raises:
        ArgumentError: No step of power iteration is to be taken, or the weight has a single axis.

    Example:
        >>> import minitorch_lab as ml
        >>> sorted(ml.nn.utils.spectral_norm(ml.nn.Linear(4, 3)).state_dict())
        ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    weight: Tensor = getattr(module, name)
    if weight.ndim < 2:
        raise ArgumentError(
            f"spectral_norm got a weight of shape {tuple(weight.shape)}.",
            "A matrix has singular values.",
            "Did you mean parametrizations.spectral_norm?",
        )
    axis = dim if dim is not None else int("ConvTranspose" in type(module).__name__)
    recipe = OlderSpectralNorm(weight, n_power_iterations, axis, eps)
    return hooked(module, name, recipe, ("orig",), {"u": "_u", "v": "_v"})


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make a weight that `spectral_norm` divides an ordinary parameter again.

    Raises:
        ArgumentError: It does not divide it.
    """
    return unhooked(module, name, OlderSpectralNorm)
