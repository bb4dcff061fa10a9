"""What a feature is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    """Templates by what they are for. The holes are those of `write.py`."""

    prelude: str = ""  # definitions at the top of the program
    world: tuple[str, ...] = ()  # the objects, made once
    passed: tuple[str, ...] = ()  # those which may be arguments; otherwise they are global
    needs: tuple[str, ...] = ()  # other features
    tensors: tuple[str, ...] = ()
    ints: tuple[str, ...] = ()
    floats: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()  # of blocks
    results: tuple[str, ...] = ()
    between: tuple[str, ...] = ()  # before a call
    after: tuple[str, ...] = ()  # after it; `r` is its result
