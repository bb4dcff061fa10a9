"""The cache on disk: bytes by key, so that what one process compiled the next one finds. It never fails, only misses.

What is loaded will be run, so it must be what this user's compiler wrote: the folder and every file in it belong to the
user, nobody else may read or write them, a file says which key it is for, and its checksum holds. Files appear whole:
they are written under another name first. So several processes may write at once, and one may die while it does.

`MINITORCH_LAB_CACHE` says which folder; set to nothing, it turns the cache off.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import stat
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

MAGIC = b"minitorch_lab 1\n"
HEAD = len(MAGIC) + 32 + 32  # the magic, the key, the checksum; then the bytes
LIMIT = 256 * 2**20  # bytes of the whole folder
ABANDONED = 3600  # seconds after which a half-written file was left by a process that died
VARIABLE = "MINITORCH_LAB_CACHE"
NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def key_of(text: str, **facts: str) -> str:
    """The key of what is compiled from `text`: 64 hex digits that change with everything that the result depends on.

    The compiler's own source, the machine and Python are always part of it.

    Args:
        text: The program.
        facts: Whatever else decides what comes out: options, the target CPU, versions of other compilers.

    Example:
        >>> key_of("f(x)", target="znver5") == key_of("f(x)", target="znver5")
        True
        >>> key_of("f(x)", target="znver5") == key_of("f(x)", target="generic")
        False
    """
    here = [compiler(), platform.machine(), sys.platform, sys.byteorder, sys.version]
    return hashlib.sha256(json.dumps([text, sorted(facts.items()), here]).encode()).hexdigest()


@cache
def compiler() -> str:
    """A digest of the source of this package: what an older compiler made is not found any more."""
    here = os.path.dirname(__file__)
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(here) for name in names if name.endswith(".py")]
    found = hashlib.sha256()
    for path in sorted(paths):
        with open(path, "rb") as file:
            source = file.read()
        found.update(f"{os.path.relpath(path, here)} {len(source)} ".encode() + source)
    return found.hexdigest()


class Cache:
    """Bytes by key in a folder.

    Args:
        folder: Where; the user's own cache folder if left out.
        limit: Bytes. When the folder is larger, what was not used for longest goes.

    Attributes:
        hits: How many keys were found.
        misses: How many were not.

    Example:
        >>> import tempfile
        >>> found = Cache(Path(tempfile.mkdtemp()) / "compiled")
        >>> key = key_of("f(x)")
        >>> found.get(key, lambda: b"code"), found.get(key, lambda: b"never called")
        (b'code', b'code')
        >>> found.hits, found.misses
        (1, 1)
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self.folder = usual() if folder is None else folder
        self.limit = limit
        self.hits = self.misses = 0

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What is stored under `key`; else what `make` gives, which is stored."""
        found = self.load(key)
        if found is None:
            found = make()
            self.store(key, found)
        return found

    def load(self, key: str) -> bytes | None:
        """What is stored under `key`; None if nothing is, or nothing that can be trusted."""
        found = self.trusted(key) if self.folder is not None and self.opened(self.folder) else None
        if found is None:
            self.misses += 1
        else:
            self.hits += 1
        return found

    def trusted(self, key: str) -> bytes | None:
        """The bytes of a file that is the user's own and whole. One that is not goes away."""
        path = self.path(key)
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | NO_LINKS), "rb") as file:
                raw = file.read() if own(os.fstat(file.fileno()), stat.S_ISREG) else b""
            if raw == wrapped(key, raw[HEAD:]):
                os.utime(path)  # used now
                return raw[HEAD:]
            path.unlink()
        except OSError:
            pass  # it is not there, or a link, or another process was faster
        return None

    def store(self, key: str, data: bytes) -> bool:
        """Keep `data` under `key`. Whether that worked; if it did not, the user is told once, and nothing is lost."""
        if self.folder is None or not self.opened(self.folder):
            return False
        part = self.folder / f"{key}.{os.getpid()}.{time.monotonic_ns()}.part"
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINKS, 0o600), "wb") as file:
                file.write(wrapped(key, data))
            os.replace(part, self.path(key))
        except OSError as error:
            notice(f"Compiled code is not kept: {self.folder} cannot be written ({error.strerror}).")
            return False
        finally:
            with suppress(OSError):
                part.unlink()
        self.tidy()
        return True

    def path(self, key: str) -> Path:
        """The file of a key."""
        assert self.folder is not None
        return self.folder / f"{key}.code"

    def opened(self, folder: Path) -> bool:
        """Whether the folder can be used; it is made if it is not there."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if own(folder.lstat(), stat.S_ISDIR):
                return True
            notice(f"Compiled code is not kept: {folder} is open to other users. Only you should own and read it.")
        except OSError as error:
            notice(f"Compiled code is not kept: {folder} cannot be made or read ({error.strerror}).")
        return False

    def tidy(self) -> None:
        """Remove what dead processes left, and what was not used for longest if there is too much."""
        assert self.folder is not None
        files: list[tuple[float, int, Path]] = []
        for path in self.folder.iterdir():
            with suppress(OSError):  # another process tidies too
                found = path.lstat()
                if path.suffix == ".code":
                    files.append((found.st_mtime, found.st_size, path))
                elif path.suffix == ".part" and found.st_mtime < time.time() - ABANDONED:
                    path.unlink()
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files)[:-1]:
            if total > self.limit:
                total -= size
                with suppress(OSError):
                    path.unlink()


def wrapped(key: str, data: bytes) -> bytes:
    """The content of a file: what it is, for which key, a checksum of all, the bytes."""
    front = MAGIC + bytes.fromhex(key)
    return front + hashlib.sha256(front + data).digest() + data


def own(found: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether this is a file, or folder, of the user that nobody else may touch. Windows keeps them apart by itself."""
    if not hasattr(os, "getuid"):
        return kind(found.st_mode)
    return kind(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def usual() -> Path | None:
    """The folder that the environment names, else one in the user's cache; None if the cache is turned off."""
    if VARIABLE in os.environ:
        return Path(os.environ[VARIABLE]) if os.environ[VARIABLE] else None
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "minitorch_lab" / "compiled"
    except RuntimeError:  # a user without a home
        return None


@cache
def disk() -> Cache:
    """The cache of this process."""
    return Cache()


@cache
def notice(text: str) -> None:
    """Say something once."""
    warnings.warn(f"{text} Every process compiles anew. Did you mean to set {VARIABLE}=folder?", stacklevel=2)
