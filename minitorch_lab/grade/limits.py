"""How much an exercise may use."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ..errors import ArgumentError

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one exercise may use. All are hard: past one, its processes are killed and its checks fail.

    Args:
        wall: Seconds for an exercise at the most, whatever `allowance.py` gives it: for its cells and all that the
            judge asks. What its processes wait for a processor, and what the judge does itself, does not count.
        call: Seconds for one call at the most, counted in the same way.
        memory: Bytes of the whole process tree, and of the address space of each process four times that.
        processes: How many processes and threads at once.
        output: Bytes printed.
        files: How many files and folders at once.
        disk: Bytes in files.
        message: Bytes of one answer.
        submission: Bytes of the notebook.

    Example:
        >>> Limits(wall=5.0).changed({"memory": 1 << 28}).memory
        268435456
    """

    wall: float = 20.0
    call: float = 5.0
    memory: int = 1024 * MIB
    processes: int = 64
    output: int = 256 * MIB
    files: int = 1000
    disk: int = 64 * MIB
    message: int = 32 * MIB
    submission: int = 8 * MIB

    def enlarged(self, times: float) -> Limits:
        """Return the limits with so many times the time."""
        return replace(self, wall=times * self.wall, call=times * self.call)

    def changed(self, given: dict[str, Any]) -> Limits:
        """Return the limits with some of them changed.

        Raises:
            ArgumentError: A name that is no limit, or a value that is no positive number.
        """
        names = [field.name for field in fields(self)]
        for name, value in given.items():
            if name not in names:
                raise ArgumentError(
                    f"The limits of the course name {name!r}.",
                    f"A limit is one of {', '.join(names)}.",
                    "Take it out of course.json, or write the name of one of these.",
                )
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise ArgumentError(
                    f"The limit {name} is {value!r}.",
                    "A limit is a positive number: seconds, bytes or a count.",
                    f"Leave it out, and it is {getattr(self, name)}.",
                )
        return Limits(**{**asdict(self), **given})
