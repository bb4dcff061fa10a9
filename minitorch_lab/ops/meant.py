"""What was probably meant: a keyword by its name in another library, a value that is one step from the right one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from inspect import isclass, ismethod, isroutine
from typing import Any

from ..core.array import is_number, xp

DIALECT: dict[str, tuple[str, ...]] = {  # what Keras, NumPy, JAX and everyday speech call a keyword: what it is here
    name: tuple(here.split())
    for names, here in {
        "axis axes": "dim dims",
        "keepdims keep_dims": "keepdim",
        "a_min minimum min_value lower low vmin": "min low",
        "a_max maximum max_value upper high vmax": "max high",
        "shape": "size",
        "size": "shape output_size kernel_size",
        "ord": "p",
        "ddof": "correction",
        "learning_rate step_size eta": "lr",
        "alpha": "negative_slope alpha lr",
        "rate": "p lr",
        "drop drop_prob drop_rate dropout dropout_rate dropout_p prob probability": "p dropout",
        "decay l2 wd l2_penalty": "weight_decay",
        "beta beta1 beta2 beta_1 beta_2 b1 b2": "betas",
        "epsilon": "eps",
        "units neurons n_units num_units": "out_features hidden_size",
        "input_dim in_dim n_in input_features input_size in_size inputs": "in_features in_channels input_size",
        "output_dim out_dim n_out output_features output_size outputs": "out_features out_channels output_size",
        "hidden hidden_dim hidden_units": "hidden_size",
        "filters channels out_filters": "out_channels num_features num_channels",
        "features n_features num_channels": "num_features in_features",
        "kernel filter_size pool_size window window_size ksize k": "kernel_size k",
        "strides": "stride",
        "pad": "padding",
        "dilation_rate": "dilation",
        "use_bias with_bias": "bias",
        "vocab_size vocab num_words n_tokens": "num_embeddings",
        "dim embed_dim embedding_size embed_size emb_dim": "embedding_dim embed_dim",
        "heads n_heads num_head n_head": "num_heads nhead",
        "layers n_layers num_layer": "num_layers",
        "slope": "negative_slope",
        "batch bs batchsize": "batch_size",
        "workers": "num_workers",
        "data x": "dataset input",
        "label labels y y_true truth targets": "target labels",
        "logits pred preds prediction predictions y_pred y_hat output": "input",
        "step": "step_size",
        "decay_rate factor": "gamma factor",
        "stddev sigma": "std scale",
        "mu": "mean loc",
        "num count n": "steps size k",
        "fill": "fill_value value",
        "type": "dtype",
        "start_axis": "start_dim",
        "retain": "retain_graph",
        "argnum": "argnums",
        "momentum": "betas",
        "betas": "momentum",
    }.items()
    for name in names.split()
}


def nearest_keyword(unknown: str, known: Iterable[str]) -> str | None:
    """The keyword in `known` that was probably meant.

    Example:
        >>> nearest_keyword("learning_rate", ["params", "lr"]), nearest_keyword("keep_dm", ["dim", "keepdim"])
        ('lr', 'keepdim')
    """
    names = list(known)
    spoken = next((name for name in DIALECT.get(unknown.lower(), ()) if name in names), None)
    return spoken or next(iter(get_close_matches(unknown.lower(), names, 1, 0.62)), None)


def nearest_name(name: str, names: Iterable[str], cutoff: float = 0.76) -> str | None:
    """The name that was probably meant: the same in other letters, else a near one, else the only one that begins so.

    Example:
        >>> nearest_name("Relu", ["ELU", "ReLU", "ReLU6"]), nearest_name("MSE", ["L1Loss", "MSELoss"])
        ('ReLU', 'MSELoss')
    """
    plain = {one.lower().replace("_", ""): one for one in sorted(names, key=written_last)}
    asked = name.lower().replace("_", "")
    if asked in plain:
        return plain[asked]
    if near := get_close_matches(asked, plain, 1, cutoff):
        return plain[near[0]]
    longer = [one for one in plain if len(asked) > 2 and one.startswith(asked)]
    return plain[min(longer, key=len)] if longer else None


def written_last(name: str) -> tuple[bool, bool]:
    """What a name is sorted by, so that of two that differ in a `_` at the end or in letters the usual one is last."""
    return not name.endswith("_"), name.isupper()


def is_batch(value: Any) -> bool:
    """Whether a value is a tensor or an array with axes."""
    return hasattr(value, "dtype") and bool(getattr(value, "shape", ()))


BITS = 200  # of an integer that a sentence can hold: 60 digits


def describe_value(value: Any) -> str:
    """A value in a sentence.

    Example:
        >>> describe_value(None), describe_value(1j), describe_value([]), describe_value(int)
        ('None', 'the complex 1j', 'a list', 'the class int')
        >>> describe_value([].append), describe_value(xp.ones((2, 3)))
        ('the uncalled method append', 'an array of shape (2, 3)')
        >>> describe_value(10**100)
        'an int of 333 bits'
    """
    kind = type(value).__name__
    if isinstance(value, int) and value.bit_length() > BITS:
        return f"an int of {value.bit_length():,} bits"
    if isinstance(value, (str, int, float, complex)):
        return f"the {kind} {value!r}"
    if isclass(value):
        return f"the class {value.__name__}"
    if ismethod(value) or (isroutine(value) and hasattr(value, "__self__")):
        return f"the uncalled method {value.__name__}"
    if isroutine(value):
        return "a lambda" if value.__name__ == "<lambda>" else f"the function {value.__name__}"
    if isinstance(value, xp.dtype):
        return f"the dtype {value}"
    if hasattr(value, "dtype") and hasattr(value, "shape") and hasattr(value, "__array__"):
        return f"{'an array' if isinstance(value, xp.ndarray) else 'a tensor'} of shape {tuple(value.shape)}"
    return "None" if value is None else f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def shown(value: Any) -> str:
    """A value as it is written, if that is short; else in words."""
    text = describe_value(value) if is_batch(value) or callable(value) else repr(value)
    return text if len(text) <= 60 and "\n" not in text else describe_value(value)


def remedy(value: Any, tensor: bool) -> str:
    """What to write for a value that is of the wrong kind, where a tensor stands or something else; "" if unknown.

    Example:
        >>> remedy([1, 2], True), remedy([].copy, False)
        ('Did you mean ml.tensor([1, 2])?', 'Did you forget the brackets? Write copy().')
    """
    if value is None and tensor:
        return "Did a function before it forget its return?"
    if tensor and isinstance(value, (list, tuple, int, float)):
        numbers = repr(value)
        return f"Did you mean ml.tensor({numbers if len(numbers) < 40 and all_plain(value) else 'data'})?"
    if isinstance(value, str) and value.lstrip("-").replace(".", "", 1).isdecimal():
        return f"Did you mean {value}, without the quotation marks?"
    if isclass(value):
        return f"Did you forget the brackets? {value.__name__}(...) makes one."
    if ismethod(value) or (isroutine(value) and hasattr(value, "__self__")):
        return f"Did you forget the brackets? Write {value.__name__}()."
    return ""


def all_plain(value: Any) -> bool:
    """Whether a value holds nothing but numbers and lists of them."""
    return all(map(all_plain, value)) if isinstance(value, (list, tuple)) else is_number(value)
