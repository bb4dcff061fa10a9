"""The check of a reader's state: a snapshot of a module, and how it comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...autograd import no_grad
from ...nn import BatchNorm1d, Linear, Module, Parameter, ReLU, Sequential
from ...tensors.factories import ones, tensor, zeros
from ...tensors.random import manual_seed
from ...tensors.tensor import Tensor
from ..values import described, plain
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["built", "check_state", "own"]

Snapshot = Callable[[Module], Any]
Restore = Callable[..., Any]


def own(module: Module) -> dict[str, Tensor]:
    """The tensors of its state that a module holds itself, by name: parameters, then persistent buffers.

    Example:
        >>> list(own(BatchNorm1d(2))), own(Sequential(Linear(2, 2)))
        (['weight', 'bias', 'running_mean', 'running_var', 'num_batches_tracked'], {})
    """
    known = vars(module)
    held: dict[str, Any] = {**known["_parameters"], **known["_buffers"]}
    return {name: each for name, each in held.items() if each is not None and name not in known["_transient"]}


# ---- modules --------------------------------------------------------------------------------------------------------
class Unasked(Module):
    """A module that keeps its state to itself: the walk is the reader's."""

    def __init__(self, parts: Mapping[str, Module]) -> None:
        super().__init__()
        for name, each in parts.items():
            self.add_module(name, each)

    def state_dict(self, *_: Any, **__: Any) -> Any:
        """Refused.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("state_dict")

    def load_state_dict(self, *_: Any, **__: Any) -> Any:
        """Refused.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("load_state_dict")


def built(kind: str) -> Module:
    """A module with a state of some kind: flat, deep, counting, tied, passing, bare.

    Example:
        >>> [name for name, _ in built("tied").named_parameters()]
        ['encode.weight', 'encode.bias', 'decode.bias']
    """
    manual_seed(8)
    if kind == "deep":
        return Unasked({"body": Sequential(Linear(2, 3), Sequential(ReLU(), Linear(3, 2))), "head": Linear(2, 1)})
    if kind == "counting":
        return Unasked({"norm": BatchNorm1d(2), "out": Linear(2, 1)})
    if kind == "tied":
        model = Unasked({"encode": Linear(2, 2), "decode": Linear(2, 2)})
        model.decode.weight = model.encode.weight
        return model
    if kind == "passing":
        model = Unasked({"out": Linear(2, 1, bias=False)})
        model.register_buffer("mask", ones(3), persistent=False)
        model.register_buffer("scale", tensor([2.0]))
        return model
    if kind == "bare":
        return Unasked({"act": ReLU()})
    model = Unasked({})
    model.weight, model.bias = Parameter(tensor([[1.0, 2.0], [3.0, 4.0]])), Parameter(zeros(2))
    return model


def state_of(module: Module) -> dict[str, Tensor]:
    """What the engine calls the state of a module, live."""
    return Module.state_dict(module)


def moved(module: Module, by: float) -> None:
    """Add to every tensor of the state, in place, as training does."""
    with no_grad():
        for each in {id(t): t for t in state_of(module).values()}.values():
            each.add_(by if each.dtype.kind == "f" else int(by))


# ---- the check ------------------------------------------------------------------------------------------------------
KINDS = {
    "flat": "weight and bias stand at the top, so their names have no dot.",
    "deep": "a name is the path through the modules: body.1.1.weight is a weight three floors down.",
    "counting": "a buffer belongs to the state as well, also one of whole numbers.",
    "tied": "encode.weight and decode.weight are one tensor. A state holds it under both names, so that a model in "
            "which they are two can load it.",
    "passing": "mask is a buffer that is not persistent: it is made anew, and no part of the state.",
    "bare": "a module without tensors has an empty state.",
}  # fmt: skip


@answering
def check_state(snapshot: Snapshot, restore: Restore) -> Verdict:
    """Check the reader's two functions: what is in a snapshot, and what comes back from it."""
    for kind, belief in KINDS.items():
        module = built(kind)
        taken, error = attempt(snapshot, module)
        if error is not None:
            return failing("snapshot", error)
        if not isinstance(taken, Mapping):
            return not_yet(f"snapshot gives {described(taken)}. It gives a dict, from names to tensors.")
        if kind == "flat" and not taken:
            return unwritten("the snapshot is empty, whatever the module holds.")
        if (problem := wrong_snapshot(taken, module)) is not None:
            return not_yet(f"{problem} {belief}")
        if (problem := spoiled(taken, module)) is not None:
            return not_yet(problem)
    return comes_back(restore) or refused(restore) or loose(restore) or done(
        "six modules, with floors, counters, tied weights and buffers that pass. What does not fit is named, and "
        "leaves the module as it was."
    )  # fmt: skip


def failing(what: str, error: Exception) -> Verdict:
    """One of the functions ended with an exception where it should not."""
    if isinstance(error, NotImplementedError):
        return not_yet(f"{what} asks the module for {error}(). That is what you write here: lesson.own(module) has the "
                       "tensors of one module, and named_children() the modules inside.")  # fmt: skip
    if what == "restore" and "leaf" in str(error):
        return not_yet("you write into a parameter where the tape looks on. Write with ml.no_grad() around it.")
    if what == "restore" and "index" in str(error).lower():
        return not_yet(f"restore stops with {type(error).__name__}: a count is a tensor without axes, and has nothing "
                       "to index. tensor.copy_(value) copies whatever the shape.")  # fmt: skip
    return stopped(what, error)


def wrong_snapshot(taken: Mapping[Any, Any], module: Module) -> str | None:
    """What is wrong with the names and values of a snapshot, up to the reason."""
    wanted = state_of(module)
    known: dict[str, Any] = {str(name): value for name, value in taken.items()}
    if lost := [name for name in wanted if name not in known]:
        return f"{lost[0]} is not in the snapshot, which has {', '.join(known) or 'nothing'}:"
    if more := [name for name in known if name not in wanted]:
        return f"the snapshot has {more[0]}, where {', '.join(wanted) or 'nothing'} is the state:"
    for name, value in known.items():
        if plain(value) != wanted[name].tolist():
            return f"in the snapshot {name} holds {plain(value)!r:.40}, in the module {wanted[name].tolist()!r:.40}:"
    return None


def spoiled(taken: Mapping[Any, Any], module: Module) -> str | None:
    """What is wrong with the memory of a snapshot."""
    for name, value in taken.items():
        if isinstance(value, Tensor) and value.grad_fn is not None:
            return (
                f"{name} in the snapshot has a grad_fn ({value.grad_fn.name()}), so it keeps a tape alive. "
                "detach() it before you copy it."
            )
    before = {name: plain(value) for name, value in taken.items()}
    moved(module, 1.0)
    for name, value in taken.items():
        if plain(value) != before[name]:
            return (
                f"the module went on training, and {name} in the snapshot moved along: it shows the same memory. "
                "A snapshot is a copy: clone()."
            )
    return None


def state_apart(module: Module) -> dict[str, Tensor]:
    """A state of its own memory."""
    return {name: each.detach().clone() for name, each in state_of(module).items()}


def comes_back(restore: Restore) -> Verdict | None:
    """A state that fits: its values are in the module's own tensors afterwards, and nobody shares memory."""
    for kind in KINDS:
        module = built(kind)
        state, parts = state_apart(module), {name: id(p) for name, p in module.named_parameters()}
        moved(module, 2.0)
        away = state_apart(module)
        report, error = attempt(lambda module=module, state=state: restore(module, state))
        if error is not None:
            return failing("restore", error)
        same = {name: id(p) for name, p in module.named_parameters()} == parts
        if kind == "flat" and same and numbers_of(module) == plain(away):
            return not_yet("restore leaves the module as it is. The values of the state come into its tensors.")
        if not same:
            return not_yet("after restore the module has new parameters, and an optimizer would go on with the old "
                           "ones. Write into those that are there: copy_.")  # fmt: skip
        if numbers_of(module) != plain(state):
            lost = next(name for name, value in numbers_of(module).items() if value != plain(state[name]))
            return not_yet(f"restored, {lost} holds {numbers_of(module)[lost]!r:.40}, and the state says "
                           f"{plain(state[lost])!r:.40}. {KINDS[kind]}")  # fmt: skip
        if (problem := misreported(report, [], [])) is not None:
            return not_yet(problem)
        kept = plain(state)
        moved(module, 1.0)
        if plain(state) != kept:
            return not_yet("the module was trained after restore, and the state moved along. Copy the values: the "
                           "state may be loaded again.")  # fmt: skip
    return None


def numbers_of(module: Module) -> dict[str, Any]:
    """The numbers of a module's state."""
    return plain(state_of(module))


def misreported(report: Any, missing: list[str], unexpected: list[str]) -> str | None:
    """What is wrong with a report of names."""
    pair, error = attempt(lambda: [sorted(map(str, part)) for part in report])
    if error is not None or len(pair) != 2:
        return f"restore gives {report!s:.50}. It gives two lists: the names that are missing, and the unexpected."
    if pair == [sorted(missing), sorted(unexpected)]:
        return None
    if pair == [sorted(unexpected), sorted(missing)]:
        return "the two lists are exchanged. Missing is what the module has and the state lacks."
    return (
        f"with {missing or 'nothing'} missing and {unexpected or 'nothing'} unexpected, restore reports "
        f"{pair[0]} and {pair[1]}."
    )


def refused(restore: Restore) -> Verdict | None:
    """States that do not fit: they are refused as a whole, and the error names what is wrong."""
    for change, strict, named, why in MISFITS:
        module = built("deep")
        state = {name: each + 1 for name, each in state_apart(module).items()}
        before = numbers_of(module)
        change(state)
        _, error = attempt(lambda module=module, state=state, strict=strict: restore(module, state, strict))
        if isinstance(error, NotImplementedError):
            return failing("restore", error)
        if error is None:
            return not_yet(why)
        if lost := [name for name in named if name not in str(error)]:
            return not_yet(f"restore refuses with {type(error).__name__}: {str(error)!r:.60}. That does not name "
                           f"{lost[0]}: let one error list all that does not fit, by its name.")  # fmt: skip
        if numbers_of(module) != before:
            return not_yet("restore refused, and had already written some of the values: half of the module is old, "
                           "half is new. Look at everything first, then copy.")  # fmt: skip
    return None


def renamed(state: dict[str, Any]) -> None:
    """A name is another one."""
    state["top.weight"] = state.pop("head.weight")


def one_more(state: dict[str, Any]) -> None:
    """A name too many."""
    state["head.scale"] = ones(1)


def one_less(state: dict[str, Any]) -> None:
    """A name too few."""
    del state["body.0.bias"]


def broad(state: dict[str, Any]) -> None:
    """A shape that would be broadcast."""
    state["body.0.bias"] = ones(1)


def long(state: dict[str, Any]) -> None:
    """Another shape, at the end."""
    state["head.bias"] = ones(4)


STRICT = "and restore with strict=True says nothing. It raises an error that names it."
SHAPES = "Other shapes never fit, strict or not: say so before anything is copied."
MISFITS = [
    (one_less, True, ["body.0.bias"], f"the state has no body.0.bias, {STRICT}"),
    (one_more, True, ["head.scale"], f"the state has head.scale, which the module has not, {STRICT}"),
    (renamed, True, ["head.weight", "top.weight"], f"the state has top.weight and no head.weight, {STRICT}"),
    (broad, False, ["body.0.bias"],
     f"body.0.bias has 3 entries and the state brings 1, which copy_ spreads over all. {SHAPES}"),
    (long, False, ["head.bias"], f"head.bias has 1 entry and the state brings 4. {SHAPES}"),
    (long, True, ["head.bias"], f"head.bias has 1 entry and the state brings 4. {SHAPES}"),
]  # fmt: skip


def loose(restore: Restore) -> Verdict | None:
    """strict=False: what fits is loaded, and the rest reported."""
    for change, missing, unexpected in (
        (renamed, ["head.weight"], ["top.weight"]),
        (one_less, ["body.0.bias"], []),
        (one_more, [], ["head.scale"]),
    ):
        module = built("deep")
        before = plain(state_apart(module))
        state = {name: each + 1 for name, each in state_apart(module).items()}
        change(state)
        report, error = attempt(lambda module=module, state=state: restore(module, state, False))
        if error is not None:
            return not_yet(f"with strict=False restore stops with {type(error).__name__}: {error!s:.50}. Then it loads "
                           "what fits, and reports the rest.")  # fmt: skip
        if (problem := misreported(report, missing, unexpected)) is not None:
            return not_yet(f"with strict=False: {problem}")
        wanted = {name: plain(state[name]) if name in state else before[name] for name in before}
        if numbers_of(module) != wanted:
            return not_yet("with strict=False, the values of all names that fit are loaded, and the others stay.")
    return None
