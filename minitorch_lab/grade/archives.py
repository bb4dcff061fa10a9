"""Archives that strangers have packed: only plain files come out, inside one folder, and not too many."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any, NamedTuple
from unicodedata import name as letter

from ..core.words import plural
from ..errors import ArgumentError

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
MOST_ENTRIES = 20_000
MOST_BYTES = 1 << 30  # of all entries together, unpacked: 1 GiB
DEEPEST = 16  # folders in folders
CHUNK = 1 << 16
LATEST = 4e9  # seconds since 1970 that every file system can write down
SIP = 1 << 20  # bytes that may be read of a tar at once: a name in its header may claim to be as long as the archive
PACKERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
SAYS_UTF8, LOCKED = 0x800, 0x1  # flags of an entry in a zip


def is_latin(name: str) -> bool:
    """Whether a name's letters are Latin ones."""
    return all(char.isascii() or letter(char, "").startswith("LATIN") for char in name)


WRITTEN: dict[str, Callable[[str], object]] = {  # how zips write names, and what shows that it was so
    "utf-8": bool,
    "cp437": is_latin,
    "gb18030": re.compile(r"[\u4e00-\u9fff]{2}").search,  # a Chinese name has two characters, or more
    "cp1252": is_latin,
}
OURS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EROFS}  # this machine's


class Entry(NamedTuple):
    """One thing in an archive: its name, the bytes that it claims, what it is, how old, and how to read it."""

    name: str
    size: int
    kind: str  # "file", "folder", "link", "device" or "locked"
    changed: float  # seconds since 1970; 0 where the archive gives no time that there is
    handle: zipfile.ZipInfo | tarfile.TarInfo


def is_archive(path: Path) -> bool:
    """Whether the name is that of an archive which can be unpacked.

    Example:
        >>> is_archive(Path("class.zip")), is_archive(Path("class.tar.gz")), is_archive(Path("class.ipynb"))
        (True, True, False)
    """
    return path.name.lower().endswith(SUFFIXES)


def unpack(archive: Path, folder: Path, most: int = MOST_BYTES) -> list[Path]:
    """Write the plain files of an archive into a folder, and nothing anywhere else.

    Every entry is looked at before the first byte is written, so an archive is taken whole or refused whole. What the
    entries claim is checked again while they are read: an archive may lie about its sizes.

    Args:
        archive: A zip, or a tar packed in any of the usual ways.
        folder: Where the files go; it is there already.
        most: The bytes of all files together.

    Returns:
        The files that were written.

    Raises:
        ArgumentError: It is no archive, or damaged; an entry leads out of the folder, is a link or a device; there
            are more than 20,000 entries or too many bytes.
        OSError: This machine has no room for them, or the like: the archive may be good.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     with zipfile.ZipFile(f"{place}/class.zip", "w") as made:
        ...         made.writestr("ada/03_backward.ipynb", "{}")
        ...     [path.name for path in unpack(Path(place, "class.zip"), Path(place))]
        ['03_backward.ipynb']
    """
    try:
        with opened(archive, most) as packed:
            entries = list(entries_of(archive, packed, most))
            require_harmless(archive, entries)
            return list(written(archive, packed, entries, folder, most))
    except ArgumentError:
        raise
    except Exception as cause:  # what a stranger has packed may break any of three libraries, in any way
        if isinstance(cause, OSError) and cause.errno in OURS:
            raise
        raise ArgumentError(
            f"{archive.name} cannot be unpacked ({type(cause).__name__}).",
            f"An archive is one of {', '.join(SUFFIXES)}, whole, and without a password.",
            "Was the upload cut short? Ask for it again, or give the notebooks themselves.",
        ) from cause


def names_in(archive: Path) -> set[str]:
    """The names of the files and folders in an archive, in the two uppermost floors; none where it cannot be read."""
    try:
        with opened(archive, MOST_BYTES) as packed:
            paths = [PureWindowsPath(entry.name).parts for entry in entries_of(archive, packed, MOST_BYTES)]
    except Exception:
        return set()
    return {name for parts in paths for name in parts[:2]}


@contextmanager
def opened(archive: Path, most: int) -> Generator[zipfile.ZipFile | tarfile.TarFile]:
    """The archive, open for reading."""
    if archive.name.lower().endswith((".zip", ".ipynb")):
        with zipfile.ZipFile(archive) as packed:
            yield packed
    else:
        with archive.open("rb") as file:
            first = file.read(6)
        packer = next((each for magic, each in PACKERS.items() if first.startswith(magic)), open)
        with packer(archive, "rb") as stream:
            sips: Any = Sips(stream, 2 * most)
            with tarfile.open(fileobj=sips, mode="r:") as packed:
                yield packed


class Sips:
    """A stream that is read in sips, and not without end: what a tar claims of itself is read before it is shown."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self.stream, self.most = stream, most
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int) -> bytes:
        """Read `size` bytes.

        Raises:
            ReadError: They are too many, or lie too far behind.
        """
        if size > SIP or self.tell() > self.most:
            raise tarfile.ReadError(f"{size} bytes at {self.tell()}")
        return self.stream.read(size)


def entries_of(archive: Path, packed: zipfile.ZipFile | tarfile.TarFile, most: int) -> Iterator[Entry]:
    """What is in an archive, in its order, as far as a class may be large.

    Raises:
        ArgumentError: There are too many entries, or too many bytes.
    """
    found = zipped(packed) if isinstance(packed, zipfile.ZipFile) else tarred(packed)
    total = 0
    for count, entry in enumerate(found, start=1):
        total += entry.size
        if count > MOST_ENTRIES or total > most:
            raise too_large(archive, most)
        yield entry


def zipped(packed: zipfile.ZipFile) -> Iterator[Entry]:
    """The entries of a zip."""
    for info in packed.infolist():
        mode = info.external_attr >> 16
        kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(mode) else "file"
        kind = "locked" if info.flag_bits & LOCKED else kind
        yield Entry(name_in(info), info.file_size, kind, changed(info), info)


def name_in(info: zipfile.ZipInfo) -> str:
    """The name of an entry: where the archive does not say that it is UTF-8, the first of `WRITTEN` that fits.

    Moodle and macOS write UTF-8 and do not say so; Windows writes what its language has, cp437 or that of China.

    Example:
        >>> [name_in(zipfile.ZipInfo("王伟 Jürgen".encode(of).decode("cp437"))) for of in ("utf-8", "gb18030")]
        ['王伟 Jürgen', '王伟 Jürgen']
    """
    try:
        raw = info.filename.encode("cp437")
    except UnicodeError:
        return info.filename
    for encoding, fits in WRITTEN.items() if not info.flag_bits & SAYS_UTF8 else ():
        try:
            name = raw.decode(encoding)
        except UnicodeError:
            continue
        if fits(name):
            return name
    return info.filename


def changed(info: zipfile.ZipInfo) -> float:
    """When a file in a zip was changed, in the time of this machine: the archive does not say in which zone."""
    try:
        return min(max(0.0, datetime(*info.date_time).timestamp()), LATEST)
    except (ValueError, OverflowError, OSError):  # the 31st of February, say
        return 0.0


def tarred(packed: tarfile.TarFile) -> Iterator[Entry]:
    """The entries of a tar."""
    for info in packed:
        link = info.issym() or info.islnk()
        kind = "folder" if info.isdir() else "file" if info.isfile() else "link" if link else "device"
        yield Entry(info.name, info.size, kind, min(max(0.0, info.mtime), LATEST), info)


def require_harmless(archive: Path, entries: list[Entry]) -> None:
    """Refuse an archive in which one entry is no plain file or does not stay inside.

    Raises:
        ArgumentError: There is such an entry.
    """
    for entry in entries:
        if leads_out(entry.name):
            raise ArgumentError(
                f"{archive.name} has an entry named {entry.name[:80]!r}, which leads out of the folder it is unpacked "
                "in.",
                "Names in an archive are relative, without '..', without a drive, and at most 16 folders deep.",
                "Nothing of it was unpacked. Ask who sent it to pack the folder itself again.",
            )
        if entry.kind == "locked":
            raise ArgumentError(
                f"{archive.name} is locked with a password.",
                "An archive is read as it is, and nobody is asked for a password.",
                "Ask for it without one, or for the notebook itself.",
            )
        if entry.kind in ("link", "device"):
            raise ArgumentError(
                f"{archive.name} has an entry {entry.name[:80]!r}, which is a {entry.kind}.",
                "Only plain files and folders are unpacked: a link may lead to a file that is not the student's.",
                "Nothing of it was unpacked. Ask for the notebook itself in its place.",
            )


def leads_out(name: str) -> bool:
    """Whether a name of an entry may end outside the folder, on any system.

    Example:
        >>> [leads_out(name) for name in ("a/b.ipynb", "../b.ipynb", "/etc/b", "c:/b", "a/../../b")]
        [False, True, True, True, True]
    """
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    parts = {*posix.parts, *windows.parts}
    return (
        not name or "\0" in name or posix.is_absolute() or bool(windows.drive or windows.root)
        or ".." in parts or len(windows.parts) > DEEPEST
    )  # fmt: skip


def written(
    archive: Path, packed: zipfile.ZipFile | tarfile.TarFile, entries: list[Entry], folder: Path, most: int
) -> Iterator[Path]:
    """Write the files, counting what really comes."""
    left = most
    for entry in entries:
        path = folder.joinpath(*PureWindowsPath(entry.name).parts)
        if entry.kind != "file":
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        with reader(packed, entry) as source, path.open("xb") as target:
            while chunk := source.read(min(CHUNK, left + 1)):
                left -= len(chunk)
                if left < 0:
                    raise too_large(archive, most)
                target.write(chunk)
        os.utime(path, (entry.changed, entry.changed))
        yield path


def reader(packed: zipfile.ZipFile | tarfile.TarFile, entry: Entry) -> IO[bytes]:
    """The bytes of an entry."""
    if isinstance(packed, zipfile.ZipFile):
        assert isinstance(entry.handle, zipfile.ZipInfo)
        return packed.open(entry.handle)
    assert isinstance(entry.handle, tarfile.TarInfo)
    source = packed.extractfile(entry.handle)
    assert source is not None
    return source


def too_large(archive: Path, most: int) -> ArgumentError:
    """The error for an archive that would fill the disk."""
    return ArgumentError(
        f"{archive.name} unpacks to more than {plural(MOST_ENTRIES, 'file')} or {most >> 20:,} MiB.",
        "A class's notebooks are a few megabytes; an archive that grows without end is a known way to fill a disk.",
        "Leave data and environments out of it, or give the folders one by one.",
    )
