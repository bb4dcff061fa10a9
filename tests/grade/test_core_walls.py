"""The walls, tried from inside: what a confined process can still do, and what it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from minitorch_lab.grade.inside import landlock, seccomp
from minitorch_lab.grade.inside.mounts import closed_above
from minitorch_lab.grade.sandbox import around
from minitorch_lab.grade.start import PACKAGE, interpreter, thin

WITH_LANDLOCK = pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
WITH_SECCOMP = pytest.mark.skipif(not seccomp.available(), reason="there is no filter for this machine")


def inside(source: str) -> str:
    """What a fresh process prints that runs `source`."""
    command = [sys.executable, "-c", "import sys\n" + textwrap.dedent(source)]
    env = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tree(folder: Path, *names: str) -> list[str]:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return [str(folder / name) for name in names]


def test_a_hidden_folder_is_left_out_of_what_is_readable(tmp_path: Path) -> None:
    tree(tmp_path, "lib/a.py", "lib/site/numpy.py", "lib/site/hidden/judge.py", "other/b.py")
    seen, way = around([str(tmp_path / "lib"), str(tmp_path / "other")], str(tmp_path / "lib/site/hidden"))
    assert seen == [str(tmp_path / name) for name in ("lib/a.py", "lib/site/numpy.py", "other")]
    assert way == [str(tmp_path / "lib"), str(tmp_path / "lib/site")]


@WITH_LANDLOCK
def test_landlock_leaves_what_it_was_told_and_nothing_else(tmp_path: Path) -> None:
    seen, hidden, box = tree(tmp_path, "seen/a", "hidden/b", "box/c")
    said = inside(f"""
        from minitorch_lab.grade.inside import landlock
        landlock.restrict([{os.path.dirname(seen)!r}], [{os.path.dirname(box)!r}], [{str(tmp_path)!r}])
        import os
        def can(action):
            try: action()
            except PermissionError: return False
            return True
        print(can(lambda: open({seen!r}).read()), can(lambda: open({seen!r}, "w")), can(lambda: open({hidden!r})),
              can(lambda: open({box!r}, "w").write("x")), can(lambda: os.listdir({str(tmp_path)!r})))
    """)
    assert said.split() == ["True", "False", "False", "True", "True"]


@WITH_SECCOMP
def test_seccomp_refuses_what_it_lists_and_nothing_else() -> None:
    said = inside("""
        import ctypes, os, socket, resource, threading
        from minitorch_lab.grade.inside import seccomp
        seccomp.restrict()
        def can(action):
            try: action()
            except PermissionError: return False
            return True
        library = ctypes.CDLL(None, use_errno=True)
        def call(number, *arguments):
            if library.syscall(number, *arguments) < 0: raise OSError(ctypes.get_errno(), "call")
        numbers = seccomp.MACHINES[os.uname().machine].numbers
        print(can(lambda: socket.socket()), can(lambda: call(numbers["ptrace"], 0, 0, 0, 0)),
              can(lambda: call(numbers["unshare"], 0x10000000)), can(lambda: call(numbers["memfd_create"], b"x", 0)),
              can(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CORE)))
        print(can(lambda: socket.socketpair()), can(lambda: resource.getrlimit(resource.RLIMIT_CORE)),
              can(lambda: threading.Thread(target=int).start()), can(lambda: os.waitpid(os.fork() or os._exit(0), 0)),
              can(lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))))
    """)
    assert said.split() == ["False"] * 5 + ["True"] * 5


@WITH_SECCOMP
def test_without_landlock_s_scopes_seccomp_refuses_every_signal() -> None:
    said = inside("""
        import os
        from minitorch_lab.grade.inside import seccomp
        seccomp.abi = lambda: 5
        seccomp.restrict()
        for target in (os.getpid(), os.getppid(), 0, -1):
            try: os.kill(target, 0); print("sent")
            except PermissionError: print("refused")
    """)
    assert said.split() == ["refused"] * 4


def test_the_filter_names_every_call_on_every_machine() -> None:
    for machine in seccomp.MACHINES.values():
        assert len(set(machine.numbers.values())) == len(machine.numbers)
        assert len(seccomp.program(machine, signals=True)) % 8 == 0


def test_the_topmost_closed_folder_is_found(tmp_path: Path) -> None:
    (path,) = tree(tmp_path, "open/shut/in/file")
    (tmp_path / "open" / "shut").chmod(0o700)
    found = closed_above(path)
    assert found is not None
    assert found in [tmp_path / "open" / "shut", *tmp_path.parents, tmp_path]


def test_a_thin_start_does_not_import_the_package() -> None:
    command = thin("minitorch_lab.grade.keeper")
    command[-1] = command[-1].replace("main()", "print('numpy' in sys.modules, 'minitorch_lab.array' in sys.modules)")
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert said.stdout.split() == ["False", "False"]


def test_python_itself_is_among_what_is_readable() -> None:
    folders = interpreter()
    for path in (os.__file__, os.path.realpath(sys.executable)):
        assert any(path.startswith(folder + "/") for folder in folders)
