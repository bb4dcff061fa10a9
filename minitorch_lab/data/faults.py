"""What can go wrong between a loader and its workers, in words; and errors made fit to travel."""

from __future__ import annotations

from collections.abc import Iterator
from pickle import dumps, loads
from signal import Signals
from traceback import format_exception
from types import WrapperDescriptorType
from typing import Any

from ..errors import ArgumentError, WorkerError

# ---- an error in a worker ------------------------------------------------------------------------------------------


class Remade:
    """An error that pickle brings back as what it was, without calling an `__init__` that asks for other arguments."""

    def __init__(self, *parts: Any) -> None:
        """Keep class, arguments and attributes."""
        self.parts = parts

    def __reduce__(self) -> Any:
        """What is loaded is the error itself."""
        return remake, self.parts


def remake(kind: type[BaseException], args: tuple[Any, ...], attributes: dict[str, Any]) -> BaseException:
    """An error of this class. One that is written in C keeps more than its arguments say, so it is called with them."""
    made = kind(*args) if type(kind.__init__) is WrapperDescriptorType else kind.__new__(kind, *args)
    made.args = args
    vars(made).update(attributes)
    return made


def portable(error: Exception, where: str) -> Any:
    """The error, or the nearest thing to it that pickle can bring back, with a note of where it came from."""
    story = "".join(format_exception(error))
    error.add_note(f"It came from {where}:\n{story}")
    *made_again, last = nearer_and_farther(error)
    return next((found for found in made_again if arrives(found, error)), last)


def arrives(sent: Any, error: Exception) -> bool:
    """Whether pickle brings the error back, saying what it said.

    Libraries may tell pickle how to write errors (tblib does, when it is installed), and leave out what C code keeps.
    """
    try:
        found = loads(dumps(sent))
        return type(found) is type(error) and str(found) == str(error)
    except Exception:
        return False


def nearer_and_farther(error: Exception) -> Iterator[Any]:
    """The error; the same made again, with what it holds, or with its text alone; a WorkerError with its text."""
    notes = {"__notes__": error.__notes__}
    yield error
    yield Remade(type(error), error.args, vars(error))
    yield Remade(type(error), (str(error),), notes)
    text = f"A worker raised {type(error).__name__}: {error}"
    rule = "The class of this error is not one that another process can import."
    yield Remade(WorkerError, ("\n  ".join((text, rule, "Define the class at the top of a file.")),), notes)


def reading(task: Any) -> str:
    """A task in words: positions, or none for a stream."""
    if task is None:
        return "a stream"
    text = str(task)
    return ("the examples " if isinstance(task, list) else "example ") + (
        text if len(text) < 80 else text[:76] + "...]"
    )


# ---- an end without an error ---------------------------------------------------------------------------------------

CAUSES = {
    "SIGKILL": "The system does that where memory runs out: try fewer workers, a smaller prefetch_factor or batches.",
    "SIGBUS": "Shared memory (/dev/shm) may be full: try fewer workers, a smaller prefetch_factor or smaller batches.",
}
ELSE = "Did you try num_workers=0? There the same happens in this process, where a debugger sees it."


def ended(who: str, exitcode: int | None, task: str) -> WorkerError:
    """A worker is no more."""
    name = Signals(-exitcode).name if exitcode is not None and exitcode < 0 else f"exit code {exitcode}"
    return WorkerError(
        f"{who} ended with {name} while it was to read {task}.",
        "A worker lives until the loader lets it go: something in it, or on this machine, has ended it.",
        CAUSES.get(name, ELSE),
    )


def silent(who: str, timeout: float, task: str) -> WorkerError:
    """A worker has not answered in time."""
    return WorkerError(
        f"{who} gave no batch for {timeout} seconds. It was to read {task}.",
        "A batch may take as long as timeout says.",
        "Did you mean a larger timeout? " + ELSE,
    )


# ---- what cannot be sent -------------------------------------------------------------------------------------------


def unsendable(name: str, part: Any, error: Exception) -> ArgumentError:
    """Pickle cannot write what a new worker needs."""
    return ArgumentError(
        f"The {name} cannot be sent to a worker: {error}",
        'Under "spawn" a worker is a new Python, to which things go by pickle: no lambda, and nothing that is defined '
        "inside a function.",
        f"Define {getattr(part, '__name__', type(part).__name__)} with a name at the top of a file, or say "
        'multiprocessing_context="fork".',
    )


def unfound(error: Exception) -> ArgumentError:
    """A new worker cannot read what it was sent."""
    return ArgumentError(
        f"A worker cannot find what the loader is made of: {error}",
        'Under "spawn" a worker is a new Python, which imports what it needs; a cell of a notebook is no module.',
        'Put the class or function into a file and import it from there, or say multiprocessing_context="fork".',
    )


def unsent(error: Exception) -> ArgumentError:
    """Pickle cannot write a batch, or a task."""
    return ArgumentError(
        f"This cannot be sent between a loader and its workers: {error}",
        "It goes by pickle: tensors, arrays, and what has a name that can be imported; no lambda, no open file.",
        "Did you mean num_workers=0? Or give a collate_fn that leaves that out.",
    )
