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


CAN = """import sys
def can(action):
    try: action()
    except PermissionError: return False
    return True
"""


def inside(source: str) -> str:
    """What a fresh process prints that runs `source`."""
    command = [sys.executable, "-c", CAN + textwrap.dedent(source)]
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
        print(can(lambda: open({seen!r}).read()), can(lambda: open({seen!r}, "w")), can(lambda: open({hidden!r})),
              can(lambda: open({box!r}, "w").write("x")), can(lambda: os.listdir({str(tmp_path)!r})))
    """)
    assert said.split() == ["True", "False", "False", "True", "True"]


@WITH_SECCOMP
def test_seccomp_refuses_what_it_lists_and_nothing_else() -> None:
    said = inside("""
        import ctypes, os, socket, resource, threading
        from minitorch_lab.grade.inside import seccomp
        seccomp.restrict(shared=False)
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
        seccomp.restrict(shared=False)
        for target in (os.getpid(), os.getppid(), 0, -1):
            try: os.kill(target, 0); print("sent")
            except PermissionError: print("refused")
    """)
    assert said.split() == ["refused"] * 4


@WITH_SECCOMP
def test_seccomp_keeps_scheduling_and_signals_to_oneself() -> None:
    said = inside("""
        import fcntl, os, socket
        from minitorch_lab.grade.inside import seccomp
        seccomp.restrict(shared=False)
        ours, theirs = socket.socketpair()
        print(can(lambda: os.setpriority(os.PRIO_USER, 0, 5)), can(lambda: os.setpriority(os.PRIO_PGRP, 0, 5)),
              can(lambda: fcntl.fcntl(ours, fcntl.F_SETOWN, os.getpid())),
              can(lambda: fcntl.ioctl(ours, 0x8901, os.getpid().to_bytes(4, "little"))))
        print(can(lambda: os.nice(1)), can(lambda: fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)))
    """)
    assert said.split() == ["False"] * 4 + ["True"] * 2


@WITH_SECCOMP
def test_where_landlock_alone_stands_before_a_user_s_files_changes_of_them_are_pretended(tmp_path: Path) -> None:
    (path,) = tree(tmp_path, "file")
    os.chmod(path, 0o640)
    before = os.stat(path)
    inside(f"""
        import os
        from minitorch_lab.grade.inside import seccomp
        seccomp.restrict(shared=True)
        os.chmod({path!r}, 0)
        os.chown({path!r}, os.getuid(), os.getgid())
        os.utime({path!r}, (0, 0))
        os.setxattr({path!r}, "user.mine", b"")
        os.fchmod(os.open({path!r}, os.O_RDONLY), 0)
    """)
    after = os.stat(path)
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_mode, before.st_mtime_ns, before.st_ctime_ns,
    )  # fmt: skip


@WITH_SECCOMP
def test_before_landlock_knows_of_truncate_seccomp_refuses_it(tmp_path: Path) -> None:
    (path,) = tree(tmp_path, "file")
    said = inside(f"""
        import os
        from minitorch_lab.grade.inside import seccomp
        seccomp.abi = lambda: 2
        seccomp.restrict(shared=True)
        try: os.truncate({path!r}, 0)
        except PermissionError: print("refused")
    """)
    assert said == "refused\n"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has it")
def test_without_any_other_layer_no_program_gives_more_rights(tmp_path: Path) -> None:
    said = inside(f"""
        from minitorch_lab.grade.inside.confine import Walls, confine
        confine(Walls([], 0, [], {str(tmp_path)!r}, [], False, 60, 1 << 33, 1 << 20, 10_000))
        print([line for line in open("/proc/self/status") if line.startswith("NoNewPrivs")])
    """)
    assert said == "['NoNewPrivs:\\t1\\n']\n"


def test_the_filter_names_every_call_on_every_machine() -> None:
    for machine in seccomp.MACHINES.values():
        known = {name: number for name, number in machine.numbers.items() if number >= 0}
        assert len(set(known.values())) == len(known)
        assert machine.numbers.keys() - known.keys() <= set(seccomp.CHANGES)  # newer machines lack the oldest of these
        assert len(seccomp.program(machine, 5, shared=True)) % 8 == 0


def test_the_topmost_closed_folder_is_found(tmp_path: Path) -> None:
    (path,) = tree(tmp_path, "open/shut/in/file")
    (tmp_path / "open" / "shut").chmod(0o700)
    found = closed_above(path)
    assert found is not None
    assert found in [tmp_path / "open" / "shut", *tmp_path.parents, tmp_path]


def test_a_thin_start_does_not_import_the_package() -> None:
    command = thin("minitorch_lab.grade.keeper")
    command[-1] = command[-1].replace(
        "main()", "print('numpy' in sys.modules, 'minitorch_lab.core.array' in sys.modules)"
    )
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert said.stdout.split() == ["False", "False"]


def test_python_itself_is_among_what_is_readable() -> None:
    folders = interpreter()
    for path in (os.__file__, os.path.realpath(sys.executable)):
        assert any(path.startswith(folder + "/") for folder in folders)
