"""What the reader calls their tensors: by variable, by the path of a parameter, or by the expression they typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from ..tensors.tensor import Tensor
from .identity import Ids
from .sources import Place

FITS = 16  # an expression of more characters is no name
SIZE = 64  # a longer list of tensors is not looked into


class Names:
    """Collects names while the code runs. A tensor keeps the first name it got; a variable beats an expression."""

    def __init__(self, tensors: Ids) -> None:
        self.tensors = tensors
        self.variables, self.paths, self.modules, self.grads = Ids("v"), Ids("p"), Ids("q"), Ids("g")
        self.buffers = Ids("b")
        self.leaf_of: dict[str, str] = {}  # a tensor that is a .grad -> its leaf
        self.given: dict[str, str] = {}
        self.homes = Ids("r")  # by tensor: the variable that holds the module of a parameter or a buffer
        self.home_of: dict[str, str] = {}  # a tensor that is called by its path -> that variable
        self.homes_of: dict[str, set[str]] = {}  # a path -> the variables of all modules that have it
        self.texts: dict[str, str] = {}  # the expression that made a tensor, as typed
        self.targets: dict[str, str] = {}  # the name that this expression is assigned to
        self.layers: dict[str, str] = {}  # the module of ours that made a tensor
        self._inside: dict[int, tuple[tuple[tuple[int, int], str], str]] = {}  # the next two by level
        self._guess: dict[int, tuple[tuple[int, int], str]] = {}  # where the last op ran, and what it made

    def look(self, frame: FrameType) -> None:
        """Learn the names of the variables that `frame` sees now."""
        for variables in (
            (frame.f_locals, frame.f_globals) if frame.f_locals is not frame.f_globals else (frame.f_locals,)
        ):
            for name, value in list(variables.items()):
                if not name.startswith("_"):
                    self._learn(name, value)

    def _learn(self, name: str, value: Any) -> None:
        if isinstance(value, Tensor):
            self.call(value, name)
        elif isinstance(value, list | tuple) and len(value) <= SIZE:
            for k, item in enumerate(value):
                if isinstance(item, Tensor):
                    self.call(item, f"{name}[{k}]")
                elif not isinstance(item, type) and hasattr(type(item), "named_parameters"):
                    self._learn_module(f"{name}[{k}]", item)
        elif isinstance(value, Mapping) and len(value) <= SIZE and all(isinstance(key, str) for key in value):
            for key, item in list(value.items()):
                if isinstance(item, Tensor):
                    self.call(item, f"{name}[{key!r}]")
        elif (
            not isinstance(value, type) and hasattr(type(value), "named_parameters") and self.modules.get(value) is None
        ):
            self._learn_module(name, value)

    def _learn_module(self, name: str, module: Any) -> None:
        for path, inner in module.named_modules():
            if self.modules.get(inner) is None:
                self.modules.give(
                    inner, name + "".join(f"[{p}]" if p.isdigit() else f".{p}" for p in path.split(".") if p)
                )
        for paths, tensors in ((self.paths, module.named_parameters()), (self.buffers, module.named_buffers())):
            for path, tensor in tensors:
                if paths.get(tensor) is None:
                    paths.give(tensor, path)
                    self.homes.give(tensor, name)
                    self.homes_of.setdefault(path, set()).add(name)

    def call(self, tensor: Tensor, name: str) -> None:
        """Note that the reader calls `tensor` `name`; under a transform that is the name on every level."""
        for layer in layers(tensor):
            if self.variables.get(layer) is None:
                self.variables.give(layer, name)
            self.known(layer)

    def known(self, tensor: Tensor) -> None:
        """Give the name of the object to its present state."""
        state = self.tensors.get(tensor)
        path = self.paths.get(tensor) or self.buffers.get(tensor)
        name = path or self.variables.get(tensor)
        if state is not None and name is not None and state not in self.given:
            self.given[state] = name
            if path and (home := self.homes.get(tensor)):
                self.home_of[state] = home
        leaf = self.grads.get(tensor)
        if state is not None and leaf is not None:
            self.leaf_of[state] = leaf

    def made(self, tensor: Tensor, place: Place | None, where: tuple[int, int], module: object) -> None:
        """Note where `tensor` came from, on every level on which transforms have computed it."""
        for layer in layers(tensor):
            self._made(layer, place, where, module)

    def _made(self, tensor: Tensor, place: Place | None, where: tuple[int, int], module: object) -> None:
        """Note that `tensor` came out of an op at `place`, called by the forward of `module`, if it is one of ours.

        If the last op came from the very same call, and what it made has become no variable, then the expression at
        `place` speaks of this one and not of that. The same holds for two ops of one module.
        """
        state = self.tensors.get(tensor)
        if state is None or place is None:
            return
        layer, level = self.modules.get(module), tensor.level
        if layer is not None:
            inside = self._inside.get(level)
            if inside is not None and inside[0] == (where, layer):
                self.layers.pop(inside[1], None)
            self._inside[level] = (where, layer), state
            self.layers[state] = f"{layer}(…)"
        guess = self._guess.get(level)
        if guess is not None and guess[0] == where and guess[1] not in self.given:
            self.texts.pop(guess[1], None)
            self.targets.pop(guess[1], None)
        self._guess[level] = where, state
        self.texts[state] = place.text
        if place.target is not None:
            self.targets[state] = place.target

    def is_grad(self, grad: Tensor, leaf: str) -> None:
        """Note that `grad` is the .grad of `leaf`: its name, unless the reader has another one for it."""
        self.grads.give(grad, leaf)
        self.known(grad)

    def is_parameter(self, tensor: Tensor) -> bool:
        """Whether a module of the reader's owns `tensor`."""
        return self.paths.get(tensor) is not None

    def path_of(self, state: str) -> str:
        """The given name; the path of a parameter begins with the variable of its module if two modules have it."""
        name, home = self.given[state], self.home_of.get(state)
        return f"{home}.{name}" if home and len(self.homes_of.get(name, ())) > 1 else name

    def resolve(self, state: str) -> str:
        """The name of a tensor: what it was called, its expression or its layer if that is short, else its id."""
        if state in self.targets or state in self.given:
            return self.targets.get(state) or self.path_of(state)
        if state in self.leaf_of:
            return f"{self.resolve(self.leaf_of[state])}.grad"
        text = self.texts.get(state) or self.layers.get(state, "")
        return text if 0 < len(text) <= FITS else state


def distinct(names: Mapping[str, str], renewed: set[str]) -> dict[str, str]:
    """Names that tell tensors apart: one that was written in place gets a prime, another of the same name a number.

    Example:
        >>> distinct({"t1": "x", "t2": "x", "t3": "x"}, {"t2"})
        {'t1': 'x', 't2': 'x′', 't3': 'x (2)'}
    """
    seen: dict[str, int] = {}
    taken: set[str] = set()
    out: dict[str, str] = {}
    primes: dict[str, int] = {}
    for state, name in names.items():
        if state in renewed:
            primes[name] = primes.get(name, 0) + 1
        else:
            seen[name], primes[name] = seen.get(name, 0) + 1, 0
        count = seen.get(name, 1)
        told = (name if count <= 1 else f"{name} ({count})") + "′" * min(primes[name], 3)
        if primes[name] > 3 or told in taken:
            told = f"{told} [{state}]"
        taken.add(told)
        out[state] = told
    return out


def layers(tensor: Tensor) -> Iterator[Tensor]:
    """A tensor, what a transform has wrapped in it, and so on down to the plain one."""
    thing: Any = tensor
    while isinstance(thing, Tensor):
        yield thing
        thing = thing.value
