"""The check of a class that registers its parts, and the reader's own module as the views show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any, NamedTuple

from ...errors import ArgumentError
from ...nn import Module, Parameter
from ...tensors.factories import full
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["check_registers", "found_by", "grown", "pairs_of"]

Program = Sequence[tuple[str, str, Any]]


def pairs_of(found: Any) -> list[tuple[str, Any]]:
    """The names and tensors that an answer lists, whether as pairs or as a dict.

    Example:
        >>> pairs_of({"weight": 1}), pairs_of((name, 2) for name in ["bias"])
        ([('weight', 1)], [('bias', 2)])
    """
    parts = found.items() if isinstance(found, Mapping) else found
    return [(name, tensor) for name, tensor in parts]


def grown(kind: Any, program: Program) -> Any:
    """A module of a class, built assignment by assignment.

    Args:
        kind: What makes a module without parts: `nn.Module`, or a class of the reader's.
        program: For each assignment what comes (parameter, tensor, module, list, same, none), the dotted name that it
            is assigned to, and the number of entries, of modules in the list, or the name of what is assigned again.

    Example:
        >>> model = grown(Module, [("module", "out", 0), ("parameter", "out.bias", 3), ("same", "copy", "out.bias")])
        >>> [(name, tuple(p.shape)) for name, p in model.named_parameters()]
        [('copy', (3,))]
    """
    root = kind()
    for what, path, more in program:
        *owners, name = path.split(".")
        setattr(reduce(getattr, owners, root), name, assigned(kind, root, what, more))
    return root


def assigned(kind: Any, root: Any, what: str, more: Any) -> Any:
    """What one assignment of a program assigns."""
    if what == "same":
        return reduce(getattr, str(more).split("."), root)
    if what == "parameter":
        return Parameter(full((more,), 0.5))
    if what == "tensor":
        return full((more,), 0.5, requires_grad=True)
    if what == "list":
        return [grown(kind, [("parameter", "weight", 2)]) for _ in range(more)]
    return kind() if what == "module" else None


def found_by(model: Any) -> Module:
    """What a module of the reader's finds, as a module that the views can show.

    Example:
        >>> found_by(grown(Module, [("module", "out", 0), ("parameter", "out.bias", 3)])).out.bias.shape
        (3,)
    """
    root: Any = type(type(model).__name__, (Module,), {})()
    for path, tensor in pairs_of(model.named_parameters()):
        *owners, name = str(path).split(".")
        owner = root
        with suppress(ArgumentError):  # what cannot be shown: the check has words for it
            for each in owners:
                if each not in dict(owner.named_children()):
                    owner.add_module(each, Module())
                owner = owner.get_submodule(each)
            owner.register_parameter(name, tensor)
    return root


ONE_FOR_ALL = (
    "all modules write into one register, and find each other's parts. Each needs one of its own, made in __init__."
)


# ---- the modules, each with what those believe whose class goes wrong there -----------------------------------------
class Case(NamedTuple):
    """A module, and what is to be said where the names that are found are others."""

    what: str
    program: Program
    belief: str


LAYER: Program = [("parameter", "weight", 6), ("parameter", "bias", 3)]
INSIDE: Program = [("module", "first", 0), ("parameter", "first.weight", 6), ("parameter", "first.bias", 3),
                   ("module", "last", 0), ("parameter", "last.weight", 4)]  # fmt: skip
CASES = [
    Case("a layer", LAYER, "the parts come in the order in which they were assigned."),
    Case("a module with a plain tensor", [*LAYER, ("tensor", "shift", 3), ("none", "extra", 0)],
         "a plain tensor is an ordinary attribute, even one that requires a gradient. Ask whether the value is an "
         "instance of ml.nn.Parameter, or of Mini."),
    Case("modules in a module", INSIDE,
         "the name of a part inside is the path to it: the name of the module, a dot, and the name in there."),
    Case("a parameter that comes after a module", [("module", "block", 0), ("parameter", "block.weight", 4),
                                                   ("parameter", "scale", 1)],
         "a module gives its own parameters first, then those of the modules inside, whichever was assigned first."),
    Case("three floors", [("module", "a", 0), ("module", "a.b", 0), ("module", "a.b.c", 0),
                          ("parameter", "a.b.c.weight", 5), ("parameter", "a.bias", 2)],
         "the path goes on through every floor. What a module inside finds, it finds by the same method: let it begin "
         "with the prefix so far."),
    Case("modules in a list", [("list", "layers", 2), ("parameter", "weight", 3)],
         "a list is an ordinary attribute, and nobody looks into it. ModuleList is there for modules that count."),
    Case("a parameter that two modules share", [*INSIDE, ("same", "last.weight", "first.weight")],
         "first.weight and last.weight are one tensor. It is given once, under the first of its names: what counts is "
         "which object it is, so remember id(parameter)."),
    Case("a module under two names", [("module", "a", 0), ("parameter", "a.weight", 2), ("same", "b", "a")],
         "a and b are one module, so its parameters are given once, under the first of their names."),
    Case("a parameter of the top that is shared inside", [("parameter", "weight", 3), ("module", "out", 0),
                                                          ("same", "out.weight", "weight"),
                                                          ("parameter", "out.bias", 2)],
         "out.weight is the tensor that the top has as weight. What has been given must be known on every floor."),
    Case("two parameters with equal numbers", [("parameter", "a", 3), ("parameter", "b", 3)],
         "a and b hold equal numbers, and they are two tensors. Tell them apart by id."),
    Case("a name that is set to None", [*LAYER, ("none", "bias", 0)],
         "bias was set to None afterwards, so it is no parameter any more. Forget what stood under a name before."),
    Case("a parameter whose place a module takes", [("parameter", "out", 3), ("module", "out", 0),
                                                    ("parameter", "out.weight", 2)],
         "a module was assigned to a name that had been a parameter's. Forget what stood under a name before."),
    Case("a module that is set to None", [*INSIDE, ("none", "first", 0)],
         "first was set to None afterwards, and what was in it is in no module now. Forget what stood there before."),
    Case("a module whose place a parameter takes", [*INSIDE, ("parameter", "last", 2)],
         "a parameter was assigned to a name that had been a module's. Forget what stood under a name before."),
    Case("a new parameter under an old name", [("parameter", "weight", 3), ("parameter", "weight", 5)],
         "a new parameter was assigned to the name. It takes the place of the old one."),
]  # fmt: skip


@answering
def check_registers(mini: Any) -> Verdict:
    """Check the reader's class: what its modules find, beside what an nn.Module of the same assignments finds."""
    if not isinstance(mini, type):
        return not_yet(f"your Mini is {described(mini)}. It is a class.")
    if issubclass(mini, Module):
        return not_yet("your Mini is an nn.Module, which finds its parts by itself. Here you write how.")
    for case in CASES:
        model, error = attempt(grown, mini, case.program)
        if error is not None:
            return does_not_build(error, case)
        found, error = attempt(lambda model=model: pairs_of(model.named_parameters()))
        if error is not None:
            return does_not_list(error, case)
        if not found and case is CASES[0]:
            return unwritten("the module was given a weight and a bias, and finds none of them.")
        if (problem := wrong(found, model, case)) is not None:
            return not_yet(f"{case.what}: {problem}")
    return crowded(mini) or done(
        f"{len(CASES)} modules: floors, lists, shared parameters, names that were assigned again. Each finds what an "
        "nn.Module finds, in the same order."
    )


def does_not_build(error: Exception, case: Case) -> Verdict:
    """An assignment ended with an exception."""
    known = {name for _, path, _ in case.program for name in path.split(".")}
    if isinstance(error, RecursionError):
        return not_yet(
            "inside __setattr__ you assign to an attribute of self, and that calls __setattr__ again, without end. "
            "super().__setattr__(name, value) sets the attribute and asks nobody."
        )
    if isinstance(error, AttributeError) and error.name in known:
        return not_yet(unreadable(error))
    if isinstance(error, AttributeError) and error.name:
        return not_yet(
            f"__setattr__ needs self.{error.name} before it is there, as the first assignment in __init__ calls it. "
            "Make room without it: super().__setattr__(name, {}), or vars(self)[name] = {}."
        )
    if isinstance(error, AttributeError):
        return not_yet("your Mini makes objects that take no attributes. Write a class with a __setattr__ of its own.")
    return stopped(f"{case.what}: an assignment", error)


def unreadable(error: AttributeError) -> str:
    """An attribute is not there after it was assigned."""
    return (
        f"{error.name} was assigned and cannot be read afterwards. Registering is not enough: the module needs the "
        "attribute as well, which super().__setattr__(name, value) sets."
    )


def does_not_list(error: Exception, case: Case) -> Verdict:
    """The method ended with an exception, or gave something else than pairs."""
    if isinstance(error, AttributeError) and error.name in ("named_parameters", "parameters"):
        return not_yet(f"something without the method {error.name} was asked for its parameters, in {case.what}. Only "
                       "a Mini has it.")  # fmt: skip
    if isinstance(error, RecursionError):
        return not_yet(ONE_FOR_ALL)
    if isinstance(error, TypeError | ValueError) and ("unpack" in str(error) or "iterable" in str(error)):
        return not_yet("named_parameters() gives pairs: the name, and the parameter.")
    return stopped(f"{case.what}: named_parameters()", error)


def wrong(found: list[tuple[str, Any]], model: Any, case: Case) -> str | None:
    """What is wrong with what was found."""
    wanted = [name for name, _ in grown(Module, case.program).named_parameters()]
    names = [name for name, _ in found]
    if names != wanted:
        listed = ", ".join(map(str, names)) or "nothing"
        return f"you find {listed}, not {', '.join(wanted) or 'nothing'}. But {case.belief}"
    for name, tensor in found:
        held, error = attempt(reduce, getattr, name.split("."), model)
        if isinstance(error, AttributeError):
            return unreadable(error)
        if tensor is not held:
            return f"what you give as {name} is not the tensor that the attribute is. But {case.belief}"
    if len(pairs_of(model.named_parameters())) != len(found):
        return "asked a second time, the module finds something else. Begin each walk with an empty set."
    given, error = attempt(lambda: list(model.parameters()))
    if error is not None:
        return f"parameters() stops with {type(error).__name__}: {error}"
    if [id(p) for p in given] != [id(tensor) for _, tensor in found]:
        return "parameters() gives other tensors than named_parameters(). It gives the same ones, without their names."
    return None


def crowded(mini: Any) -> Verdict | None:
    """What shows only when there are two modules."""
    grown(mini, INSIDE)
    return not_yet(ONE_FOR_ALL) if pairs_of(mini().named_parameters()) else None
