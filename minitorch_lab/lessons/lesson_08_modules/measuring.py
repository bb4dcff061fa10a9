"""The check of hooks that measure: how many bytes each module gives out, and nothing left behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...nn import Flatten, Linear, Module, ReLU, Sequential
from ...tensors.factories import ones
from ...tensors.random import manual_seed
from ...tensors.tensor import Tensor
from ..values import described, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, unwritten

__all__ = ["bars", "check_measured", "network"]

Measured = Callable[[Module, Tensor], Any]
WIDEST = 40  # characters of the longest bar


def bars(sizes: Mapping[str, Any]) -> str:
    """Sizes by name, each as a bar.

    Example:
        >>> print(bars({"0": 96, "1.act": 24}))
        0            96 B  ████████████████████████████████████████
        1.act        24 B  ██████████
    """
    known = {str(name): whole(size) or 0 for name, size in sizes.items()}
    width, most = max([len(name) for name in known], default=0), max([1, *known.values()])
    return "\n".join(
        f"{name:{width}} {size:9,} B  {'█' * round(WIDEST * size / most)}" for name, size in known.items()
    ) or "nothing was measured"  # fmt: skip


class Twice(Module):
    """A module that calls one of its parts twice."""

    def __init__(self) -> None:
        super().__init__()
        self.into, self.act, self.out = Linear(4, 6), ReLU(), Linear(6, 2)

    def forward(self, x: Tensor) -> Any:
        """(n, 4) in, (n, 2) out."""
        return self.act(self.out(self.act(self.into(x))))


def network(kind: str) -> Module:
    """A network of some kind: row, nested, twice, double.

    Example:
        >>> network("twice")(ones(3, 4)).shape
        (3, 2)
    """
    manual_seed(8)
    if kind == "nested":
        return Sequential(Sequential(Linear(4, 8), ReLU()), Sequential(Linear(8, 3), Sequential(Flatten())))
    if kind == "twice":
        return Twice()
    made = Sequential(Linear(4, 8), ReLU(), Linear(8, 2))
    return made.double() if kind == "double" else made


KINDS = ("row", "nested", "double", "twice")
BELIEFS = {
    "row": "The bytes of a tensor are its entries times its itemsize.",
    "nested": "The bytes of a tensor are its entries times its itemsize.",
    "double": "A float64 has 8 bytes: ask the tensor for its itemsize.",
    "twice": "act is called twice, with 6 and with 2 columns, and both outputs are made. Add them up.",
}
LATE = "A hook that was made in a loop reads the loop's variable when it runs, and by then that is the last."
NAMES = "Every module without modules inside is measured, under its name in named_modules()."
LEAVES = "Modules with modules inside are left out: what a Sequential gives out is what its last one does."


def sizes_of(kind: str, rows: int) -> dict[str, int]:
    """What is to be measured, counted by hand."""
    if kind == "twice":
        return {"into": rows * 24, "act": rows * 32, "out": rows * 8}
    if kind == "nested":
        return {"0.0": rows * 32, "0.1": rows * 32, "1.0": rows * 12, "1.1.0": rows * 12}
    width = 8 if kind == "double" else 4
    return {"0": rows * 8 * width, "1": rows * 8 * width, "2": rows * 2 * width}


def hooked(model: Module) -> int:
    """How many hooks there are in a model."""
    found: list[Any] = [vars(module).get("_hooks") for module in model.modules()]
    return sum(len(lists.before) + len(lists.after) for lists in found if lists is not None)


@answering
def check_measured(measured: Measured) -> Verdict:
    """Check the reader's hooks on four networks, and what they leave behind."""
    for kind in KINDS:
        model, calls = network(kind), list[str]()
        model.register_forward_hook(lambda module, args, out, calls=calls: calls.append("called"))
        x = ones(3, 4, dtype="float64" if kind == "double" else "float32")
        given, error = attempt(lambda model=model, x=x: measured(model, x))
        if error is not None:
            return not_yet(f"measured stops with {type(error).__name__}: {str(error).partition(chr(10))[0]:.80} Does a "
                           "hook of yours return something? That takes the place of the output, and the next module "
                           "gets it.")  # fmt: skip
        if not isinstance(given, Mapping):
            return not_yet(f"measured gives {described(given)}. It gives a dict, from names of modules to bytes.")
        sizes = {str(name): whole(size) for name, size in given.items()}
        if kind == "row" and not sizes:
            return unwritten("nothing is measured.")
        if (problem := wrong(sizes, kind) or left_behind(model, calls)) is not None:
            return not_yet(problem)
    return stopped_halfway(measured) or done(
        "a row, a nest, a module that is called twice, another dtype. No hook is left, and other people's still stand."
    )


def wrong(sizes: Mapping[str, int | None], kind: str) -> str | None:
    """What is wrong with what was measured."""
    wanted, named = sizes_of(kind, 3), ", ".join(sizes) or "nothing"
    if lost := [name for name in wanted if name not in sizes]:
        late = len(sizes) == 1 and next(iter(sizes)) == [*wanted][-1]
        return f"you measure {named}, and {lost[0]} is missing. {LATE if late else NAMES}"
    if more := [name for name in sizes if name not in wanted]:
        return f"you measure {more[0] or 'the whole model, whose name is empty'}. {LEAVES}"
    for name, size in wanted.items():
        if sizes[name] != size:
            return f"for {name} you measure {sizes[name]} bytes, and it gives out {size}. {BELIEFS[kind]}"
    return None


def left_behind(model: Module, calls: list[str]) -> str | None:
    """What is wrong with a model after it was measured."""
    if hooked(model) > 1:
        return (
            f"{hooked(model) - 1} hooks are left on the model, and every later call runs them. Keep what "
            "register_forward_hook returns, and call its remove()."
        )
    if not hooked(model):
        return "somebody else's hook is gone from the model. Remove your own: each handle knows which it is."
    if len(calls) != 1:
        return f"the model was called {len(calls)} times. Once is enough for all hooks."
    return None


def stopped_halfway(measured: Measured) -> Verdict | None:
    """A model that stops with an error while it is measured."""
    model = network("row")
    attempt(lambda: measured(model, ones(3, 5)))  # 4 columns go in
    if hooked(model):
        return not_yet("the model stopped with an error, for an x that does not fit, and your hooks are left on it. "
                       "Remove them in a finally.")  # fmt: skip
    return None
