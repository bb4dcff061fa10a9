"""Whatever goes wrong in a worker is said, with its place."""

from __future__ import annotations

import copyreg
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from minitorch_lab.errors import ArgumentError, WorkerError
from tests.data.working import (
    PROGRAM,
    Numbers,
    Odd,
    caught,
    fail,
    loader,
    marks,
    nothing_left,
)

pytestmark = marks


# ---- what goes wrong in a worker ------------------------------------------------------------------------------------


def test_an_error_comes_with_its_worker_its_example_and_its_traceback():
    error = caught(Numbers(10, at=7, do=fail(KeyError("seven"))), KeyError, 2)
    assert error.args == ("seven",)
    (note,) = error.__notes__
    assert note.startswith("It came from worker 1 of 2, reading example 7:\nTraceback (most recent call last):\n")
    assert "in __getitem__\n    self.do()\n" in note
    assert note.endswith("KeyError: 'seven'\n")
    (note,) = caught(Numbers(), ZeroDivisionError, 3, collate_fn=lambda numbers: 1 // 0).__notes__
    assert note.startswith("It came from worker 0 of 2, reading the examples [0, 1, 2]:\n")


@pytest.mark.parametrize(
    "error",
    [Odd(1, 2), ArgumentError("a", "b", "c"), OSError(2, "no", "x"), UnicodeDecodeError("utf-8", b"x", 0, 1, "why")],
    ids=lambda error: type(error).__name__,
)
def test_an_error_keeps_its_class_and_what_it_holds(error):
    found = caught(Numbers(3, at=1, do=fail(error)), type(error))
    assert (type(found), str(found), found.args) == (type(error), str(error), error.args)
    assert {k: v for k, v in vars(found).items() if k != "__notes__"} == vars(error)


def test_errors_are_whole_where_a_library_writes_them_for_pickle(monkeypatch):
    error = UnicodeDecodeError("utf-8", b"x", 0, 1, "why")
    monkeypatch.setitem(copyreg.dispatch_table, UnicodeDecodeError, lambda e: (bare, (type(e), e.args)))
    found = caught(Numbers(3, at=1, do=fail(error)), UnicodeDecodeError)
    assert (str(found), found.args, found.object) == (str(error), error.args, b"x")


def bare(kind, args):
    """An error without what `__init__` would give it."""
    made = kind.__new__(kind)
    made.args = args
    return made


def test_errors_that_no_other_process_can_have():
    class LocalError(ValueError):
        pass

    assert caught(Numbers(3, at=1, do=fail(ValueError("no", lambda: 0))), ValueError).args[0].startswith("('no', <func")
    error = caught(Numbers(3, at=1, do=fail(LocalError("why"))), WorkerError)
    assert str(error) == (
        "A worker raised LocalError: why\n"
        "  The class of this error is not one that another process can import.\n"
        "  Define the class at the top of a file."
    )


@pytest.mark.parametrize("keep", [False, True])
def test_after_an_error_the_next_batch_can_be_had(keep):
    each = loader(Numbers(5, at=2, do=fail(ValueError("two"))), None, persistent_workers=keep)
    for _ in range(2):
        batches, found = iter(each), []
        while len(found) < 5:
            try:
                found.append(next(batches))
            except ValueError as error:
                found.append(str(error))
        assert found == [0, 1, "two", 3, 4]
        assert next(batches, "over") == "over"


def test_an_init_function_that_fails():
    def name(worker):
        raise LookupError(worker)

    (note,) = caught(Numbers(), LookupError, worker_init_fn=name).__notes__
    assert note.startswith("It came from worker 0 of 2, reading the examples [0]:")


def test_a_batch_that_cannot_be_sent():
    error = caught(Numbers(), ArgumentError, collate_fn=lambda numbers: lambda: numbers)
    text = str(error).split("\n  ")
    assert text[0].startswith("This cannot be sent between a loader and its workers: Can't ")
    assert text[1:] == [
        "It goes by pickle: tensors, arrays, and what has a name that can be imported; no lambda, no open file.",
        "Did you mean num_workers=0? Or give a collate_fn that leaves that out.",
    ]


@pytest.mark.parametrize(
    ("do", "how", "hint"),
    [
        (
            lambda: os.kill(os.getpid(), signal.SIGKILL),
            "SIGKILL",
            "The system does that where memory runs out: try fewer workers, a smaller prefetch_factor or batches.",
        ),
        (
            lambda: os._exit(3),
            "exit code 3",
            "Did you try num_workers=0? There the same happens in this process, where a debugger sees it.",
        ),
    ],
    ids=["killed", "exits"],
)
@pytest.mark.parametrize("in_order", [True, False])
def test_a_worker_that_ends(do, how, hint, in_order):
    error = caught(Numbers(10, at=5, do=do), WorkerError, 2, in_order=in_order)
    first, *rest = str(error).split("\n  ")
    assert first.startswith("Worker 0 of 2 (process ")
    assert first.endswith(f") ended with {how} while it was to read the examples [4, 5].")
    assert rest == [
        "A worker lives until the loader lets it go: something in it, or on this machine, has ended it.",
        hint,
    ]


def test_the_end_of_a_worker_is_seen_while_another_is_waited_for():
    forever = multiprocessing.get_context("fork").Event()
    batches = iter(loader(Numbers(2, at=0, do=forever.wait)))
    psutil.Process(multiprocessing.active_children()[-1].pid).kill()
    with pytest.raises(WorkerError, match=r"Worker \d of 2 .* ended with SIGKILL"):
        next(batches)
    assert nothing_left()


def test_a_worker_that_hangs():
    error = caught(Numbers(10, at=3, do=lambda: time.sleep(1000)), WorkerError, 2, timeout=0.5)
    first, *rest = str(error).split("\n  ")
    assert first.startswith("Worker 1 of 2 (process ")
    assert first.endswith(") gave no batch for 0.5 seconds. It was to read the examples [2, 3].")
    assert rest == [
        "A batch may take as long as timeout says.",
        "Did you mean a larger timeout? Did you try num_workers=0? There the same happens in this process, where a "
        "debugger sees it.",
    ]


def test_a_worker_that_nothing_stops_is_killed():
    def deaf():
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        time.sleep(1000)

    caught(Numbers(2, at=1, do=deaf), WorkerError, timeout=0.5)


# ---- what cannot be sent to a new Python ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset", "more", "name", "part"),
    [
        (Numbers(), {"collate_fn": lambda numbers: numbers}, "collate_fn", "<lambda>"),
        (Numbers(), {"worker_init_fn": lambda worker: None}, "worker_init_fn", "<lambda>"),
        (Numbers(do=lambda: None), {}, "dataset", "Numbers"),
    ],
    ids=["collate_fn", "worker_init_fn", "dataset"],
)
def test_what_cannot_be_pickled(dataset, more, name, part):
    text = str(caught(dataset, ArgumentError, context="spawn", **more)).split("\n  ")
    assert text[0].startswith(f"The {name} cannot be sent to a worker: Can't ")
    assert text[1:] == [
        'Under "spawn" a worker is a new Python, to which things go by pickle: no lambda, and nothing that is defined '
        "inside a function.",
        f'Define {part} with a name at the top of a file, or say multiprocessing_context="fork".',
    ]


def test_what_a_notebook_defines():
    cells = PROGRAM.replace('"fork"', '"spawn"').replace("num_workers=3", "num_workers=1")
    done = subprocess.run([sys.executable, "-c", cells], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    text = (
        "A worker cannot find what the loader is made of: Can't get attribute 'Slow' on <module '__main__' (built-in)>"
        "\n"
        '  Under "spawn" a worker is a new Python, which imports what it needs; a cell of a notebook is no module.\n'
        '  Put the class or function into a file and import it from there, or say multiprocessing_context="fork".\n'
    )
    assert text in done.stderr
