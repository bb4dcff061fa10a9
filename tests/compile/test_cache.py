"""The cache on disk under all that can happen to it: it may miss, it never gives anything but what was stored."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.compiler.targets import cache as room
from minitorch_lab.compiler.targets.cache import ABANDONED, HEAD, Cache, key_of, notice, usual
from tests.house.source import ROOT

KEY, OTHER = key_of("a"), key_of("b")
DATA = bytes(range(256)) * 20
posix = pytest.mark.skipif(os.name == "nt", reason="owners and mode bits are POSIX's")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    notice.cache_clear()
    return Cache(tmp_path / "deep" / "compiled")


@pytest.fixture
def stored(cache: Cache) -> Cache:
    assert cache.store(KEY, DATA)
    return cache


def parts(cache: Cache) -> list[Path]:
    return [p for p in cache.folder.iterdir() if p.suffix != ".code"] if cache.folder else []


# ---- it works -------------------------------------------------------------------------------------------------------
def test_what_is_stored_is_found_by_the_next_process(stored: Cache) -> None:
    again = Cache(stored.folder)
    assert (again.load(KEY), again.load(OTHER)) == (DATA, None)
    assert (again.hits, again.misses) == (1, 1)
    assert again.store(KEY, b"newer")
    assert again.load(KEY) == b"newer"
    assert parts(stored) == []


def test_nothing_at_all_can_be_stored(cache: Cache) -> None:
    assert cache.store(KEY, b"")
    assert cache.load(KEY) == b""


def test_get_makes_once(cache: Cache) -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return DATA

    assert [cache.get(KEY, make) for _ in range(3)] == [DATA] * 3
    assert made == [1]


@posix
def test_only_the_user_may_look(stored: Cache) -> None:
    assert stored.folder is not None
    modes = [stat.S_IMODE(p.lstat().st_mode) for p in (stored.folder, stored.path(KEY))]
    assert modes == [0o700, 0o600]


# ---- keys -----------------------------------------------------------------------------------------------------------
def test_the_key_changes_with_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    base: dict[str, Any] = {"text": "f", "target": "znver5", "llvm": "20", "level": "1"}
    keys = {key_of(**base)}
    for name in base:
        keys.add(key_of(**base | {name: "other"}))
    keys.add(key_of(**base, fast="yes"))
    keys.add(key_of("f", target="znver5", llvm="201", level=""))  # the same letters, cut elsewhere
    for module, name in ((room.platform, "machine"), (room, "compiler")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, lambda: "other")
            keys.add(key_of(**base))
    for name in ("platform", "byteorder", "version"):
        with monkeypatch.context() as patch:
            patch.setattr(room.sys, name, "other")
            keys.add(key_of(**base))
    assert len(keys) == 1 + 4 + 1 + 1 + 2 + 3
    assert all(len(k) == 64 for k in keys)
    assert key_of(**base) in keys


def test_where_the_folder_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINITORCH_LAB_CACHE", str(tmp_path))
    assert usual() == tmp_path
    monkeypatch.setenv("MINITORCH_LAB_CACHE", "")
    off = Cache()
    assert (off.folder, off.load(KEY), off.store(KEY, DATA), off.get(KEY, lambda: b"x")) == (None, None, False, b"x")
    monkeypatch.delenv("MINITORCH_LAB_CACHE")
    if os.name != "nt":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert usual() == tmp_path / "minitorch_lab" / "compiled"


# ---- corrupted and tampered with ------------------------------------------------------------------------------------
DAMAGE = {
    "empty": lambda raw: b"",
    "cut in the head": lambda raw: raw[:20],
    "cut in the data": lambda raw: raw[:-1],
    "longer": lambda raw: raw + b"x",
    "zeros": lambda raw: bytes(len(raw)),
    "another format": lambda raw: raw.replace(b"minitorch_lab 1", b"minitorch_lab 0"),
    "another code under the old checksum": lambda raw: raw[:HEAD] + b"\xc3" * (len(raw) - HEAD),
    "the file of another key": lambda raw: room.wrapped(OTHER, DATA),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_file_is_a_miss_and_is_replaced(stored: Cache, how: str) -> None:
    path = stored.path(KEY)
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    assert stored.load(KEY) is None
    assert not path.exists()
    assert stored.get(KEY, lambda: DATA) == stored.load(KEY) == DATA


def test_any_flipped_bit_is_seen(stored: Cache) -> None:
    path = stored.path(KEY)
    raw = path.read_bytes()
    for i in [*range(HEAD + 8), len(raw) // 2, len(raw) - 1]:
        path.write_bytes(raw[:i] + bytes([raw[i] ^ 4]) + raw[i + 1 :])
        path.chmod(0o600)
        assert stored.load(KEY) is None, i


@posix
@pytest.mark.parametrize("mode", [0o640, 0o620, 0o604, 0o602, 0o666])
def test_a_file_that_others_may_touch_is_not_loaded(stored: Cache, mode: int) -> None:
    stored.path(KEY).chmod(mode)
    assert stored.load(KEY) is None


@posix
@pytest.mark.parametrize("mode", [0o750, 0o720, 0o705, 0o777, 0o1777])
def test_a_folder_that_others_may_touch_is_not_used(stored: Cache, mode: int) -> None:
    assert stored.folder is not None
    stored.folder.chmod(mode)
    with pytest.warns(UserWarning, match="is open to other users") as caught:
        found = stored.load(KEY), stored.store(OTHER, DATA), stored.get(KEY, lambda: b"made")
    assert found == (None, False, b"made")
    assert [str(w.message) for w in caught] == [
        f"Compiled code is not kept: {stored.folder} is open to other users. Only you should own and read it. "
        "Every process compiles anew. Did you mean to set MINITORCH_LAB_CACHE=folder?"
    ]


@posix
def test_the_files_of_another_user_are_not_loaded(stored: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    me = os.getuid()
    monkeypatch.setattr(room.os, "getuid", lambda: me + 1)
    with pytest.warns(UserWarning, match="open to other users"):
        assert stored.load(KEY) is None


@posix
def test_links_are_not_followed(stored: Cache, tmp_path: Path) -> None:
    assert stored.folder is not None
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(stored.path(KEY).read_bytes())
    elsewhere.chmod(0o600)
    stored.path(KEY).unlink()
    stored.path(KEY).symlink_to(elsewhere)
    assert stored.load(KEY) is None
    (tmp_path / "linked").symlink_to(stored.folder)
    with pytest.warns(UserWarning, match="open to other users"):
        assert not Cache(tmp_path / "linked").store(KEY, DATA)
    assert stored.store(KEY, DATA)  # takes the place of the link, and does not write through it
    assert not stored.path(KEY).is_symlink()


# ---- unwritable and full --------------------------------------------------------------------------------------------
def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    notice.cache_clear()
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        blocked = Cache(folder)
        with pytest.warns(UserWarning, match="cannot be made or read") as caught:
            assert [blocked.get(KEY, lambda: DATA) for _ in range(3)] == [DATA] * 3
        assert len(caught) == 1


def failing(code: int) -> Any:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("call", ["open", "replace"])
def test_a_disk_that_refuses(cache: Cache, monkeypatch: pytest.MonkeyPatch, call: str, code: int) -> None:
    monkeypatch.setattr(room.os, call, failing(code))
    with pytest.warns(UserWarning, match="Compiled code is not kept") as caught:
        assert [cache.get(KEY, lambda: DATA) for _ in range(3)] == [DATA] * 3
    assert [str(w.message).split(" (")[1].split(")")[0] for w in caught] == [os.strerror(code)]
    monkeypatch.undo()
    assert (cache.load(KEY), parts(cache)) == (None, [])


FULL = """
import resource, signal, sys, warnings
from pathlib import Path
from minitorch_lab.compiler.targets.cache import Cache
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
warnings.simplefilter("ignore")
cache, large, small = Cache(Path(sys.argv[1])), sys.argv[2], sys.argv[3]
assert not cache.store(large, bytes(5000))
assert cache.store(small, bytes(500))
assert cache.load(large) is None
"""


@posix
def test_a_write_that_ends_in_the_middle(cache: Cache) -> None:
    subprocess.run([sys.executable, "-c", FULL, str(cache.folder), KEY, OTHER], check=True, cwd=ROOT, env=environment())
    assert (cache.load(KEY), cache.load(OTHER), parts(cache)) == (None, bytes(500), [])


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c", limit=3 * (HEAD + 100))
    keys = [key_of(str(i)) for i in range(5)]
    for age, key in enumerate(keys[:3]):
        cache.store(key, bytes(100))
        os.utime(cache.path(key), (age, age))
    assert cache.load(keys[0]) == bytes(100)  # used now
    cache.store(keys[3], bytes(100))
    assert [cache.load(k) is not None for k in keys] == [True, False, True, True, False]
    cache.store(keys[4], bytes(100_000))  # larger than all: it stays alone
    assert [cache.load(k) is not None for k in keys] == [False] * 4 + [True]


def test_what_dead_processes_left_goes(stored: Cache) -> None:
    assert stored.folder is not None
    old, new = stored.folder / "x.1.2.part", stored.folder / "x.1.3.part"
    for path in (old, new):
        path.write_bytes(b"half")
    then = time.time() - ABANDONED - 10
    os.utime(old, (then, then))
    stored.store(OTHER, DATA)
    assert parts(stored) == [new]


# ---- interrupted and raced ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("call", ["replace", "fdopen"])
def test_ctrl_c_in_the_middle_leaves_nothing(cache: Cache, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def interrupted(*args: Any) -> Any:
        raise KeyboardInterrupt

    cache.store(OTHER, DATA)
    monkeypatch.setattr(room.os, call, interrupted)
    with pytest.raises(KeyboardInterrupt):
        cache.store(KEY, DATA)
    monkeypatch.undo()
    assert (cache.load(KEY), cache.load(OTHER), parts(cache)) == (None, DATA, [])


RACE = """
import sys
from pathlib import Path
from minitorch_lab.compiler.targets.cache import Cache, key_of
cache = Cache(Path(sys.argv[1]), limit=400_000)
keys = [key_of(str(i)) for i in range(4)]
want = [bytes([i]) * (50_000 + i) for i in range(4)]
for round in range(int(sys.argv[2])):
    for key, data in zip(keys, want):
        found = cache.load(key)
        assert found in (None, data), len(found)
        cache.store(key, data)
print(cache.hits)
"""


def test_eight_processes_some_of_which_are_killed(cache: Cache) -> None:
    def start(rounds: int) -> Any:
        command = [sys.executable, "-W", "error", "-c", RACE, str(cache.folder), str(rounds)]
        return subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    doomed, others = [start(100_000) for _ in range(4)], [start(60) for _ in range(4)]
    for process in others:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, b"")
        assert int(out) > 0
    for process in doomed:
        assert process.poll() is None, process.stderr.read()
        process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        process.wait(timeout=30)
        process.stdout.close()
        process.stderr.close()
    for i in range(4):
        assert cache.load(key_of(str(i))) in (None, bytes([i]) * (50_000 + i))
    assert cache.store(KEY, DATA)
    assert cache.load(KEY) == DATA


def test_a_quiet_cache_says_nothing(stored: Cache) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert stored.load(KEY) == DATA
        assert stored.load(OTHER) is None
