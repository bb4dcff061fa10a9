"""Archives that escape, explode, or are broken: refused whole, with nothing written, and told why."""

from __future__ import annotations

import errno
import gzip
import io
import random
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import archives
from minitorch_lab.grade.archives import unpack


def zipped(path: Path, *entries: tuple[str | zipfile.ZipInfo, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in entries:
            made.writestr(name, text)
    return path


def tarred(path: Path, *entries: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as made:
        for entry in entries:
            made.addfile(entry, io.BytesIO(b"x" * entry.size) if entry.isfile() else None)
    return path


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, size
    return made


def linked() -> zipfile.ZipInfo:
    made = zipfile.ZipInfo("ada.ipynb")
    made.external_attr = 0o120777 << 16
    return made


def box(tmp_path: Path) -> Path:
    folder = tmp_path / "box"
    folder.mkdir()
    return folder


def test_plain_files_come_out(tmp_path: Path) -> None:
    made = zipped(tmp_path / "class.zip", ("ada/03.ipynb", "{}"), ("bob/03.ipynb", "[]"))
    assert sorted(path.parent.name for path in unpack(made, box(tmp_path))) == ["ada", "bob"]
    assert (tmp_path / "box/ada/03.ipynb").read_text() == "{}"


ESCAPES: dict[str, Callable[[Path], Path]] = {
    "up": lambda p: zipped(p / "a.zip", ("good.ipynb", "{}"), ("../../evil.ipynb", "x")),
    "absolute": lambda p: zipped(p / "a.zip", ("/tmp/evil.ipynb", "x")),
    "drive": lambda p: zipped(p / "a.zip", ("C:\\evil.ipynb", "x")),
    "backslashes": lambda p: zipped(p / "a.zip", ("ok\\..\\..\\evil.ipynb", "x")),
    "deep": lambda p: zipped(p / "a.zip", ("/".join("a" * 40), "x")),
    "tar up": lambda p: tarred(p / "a.tar.gz", entry("../evil.ipynb", size=1)),
}


@pytest.mark.parametrize("name", ESCAPES)
def test_an_entry_that_leads_out_is_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    made, folder = ESCAPES[name](tmp_path), box(tmp_path)
    with pytest.raises(ArgumentError, match="leads out of the folder"):
        unpack(made, folder)
    assert list(folder.iterdir()) == []
    assert not list(tmp_path.rglob("evil*"))


STRANGE: dict[str, Callable[[Path], Path]] = {
    "zip link": lambda p: zipped(p / "a.zip", (linked(), "/etc/passwd")),
    "tar link": lambda p: tarred(p / "a.tar.gz", entry("ada.ipynb", tarfile.SYMTYPE, "/etc/passwd")),
    "hard link": lambda p: tarred(p / "a.tar.gz", entry("ada.ipynb", tarfile.LNKTYPE, "/etc/passwd")),
    "device": lambda p: tarred(p / "a.tar.gz", entry("ada.ipynb", tarfile.CHRTYPE)),
    "pipe": lambda p: tarred(p / "a.tar.gz", entry("ada.ipynb", tarfile.FIFOTYPE)),
}


@pytest.mark.parametrize("name", STRANGE)
def test_links_and_devices_are_refused(name: str, tmp_path: Path) -> None:
    made, folder = STRANGE[name](tmp_path), box(tmp_path)
    with pytest.raises(ArgumentError, match="Only plain files and folders are unpacked"):
        unpack(made, folder)
    assert list(folder.iterdir()) == []


def test_too_many_entries(tmp_path: Path) -> None:
    made = zipped(tmp_path / "a.zip", *((f"{k}.ipynb", "") for k in range(archives.MOST_ENTRIES + 1)))
    with pytest.raises(ArgumentError, match="unpacks to more than"):
        unpack(made, box(tmp_path))
    assert list((tmp_path / "box").iterdir()) == []


def test_too_many_bytes_as_claimed_and_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = zipped(tmp_path / "a.zip", ("a.ipynb", "0" * 100_000), ("b.ipynb", "0" * 100_000))
    with pytest.raises(ArgumentError) as caught:
        unpack(made, box(tmp_path), 150_000)
    assert str(caught.value).splitlines()[1:] == [
        "  A class's notebooks are a few megabytes; an archive that grows without end is a known way to fill a disk.",
        "  Leave data and environments out of it, or give the folders one by one.",
    ]
    monkeypatch.setattr(
        archives, "entries_of", lambda archive, packed, most: archives.zipped(packed)
    )  # claims believed
    with pytest.raises(ArgumentError, match="unpacks to more than"):
        unpack(made, tmp_path / "box", 150_000)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and then nothing", b"\x1f\x8b\x08 cut", b"BZh9 cut"])
@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar", "a.tar.bz2", "a.tar.xz"])
def test_what_is_no_archive(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ArgumentError) as caught:
        unpack(tmp_path / name, box(tmp_path))
    assert str(caught.value).startswith(f"{name} cannot be unpacked (")
    assert str(caught.value).endswith("Was the upload cut short? Ask for it again, or give the notebooks themselves.")


def test_two_entries_of_one_name(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        made = zipped(tmp_path / "a.zip", ("a.ipynb", "first"), ("a.ipynb", "second"))
    with pytest.raises(ArgumentError, match="cannot be unpacked"):
        unpack(made, box(tmp_path))


def test_a_name_as_long_as_an_archive_may_grow_is_not_read(tmp_path: Path) -> None:
    claimed = 64 << 20
    made = tmp_path / "a.tar.gz"
    for kind in (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME):
        with gzip.open(made, "wb", 1) as file:
            file.write(entry("x", kind, size=claimed).tobuf(tarfile.USTAR_FORMAT))
            for _ in range(claimed >> 20):
                file.write(bytes(1 << 20))
        tracemalloc.start()
        with pytest.raises(ArgumentError, match="cannot be unpacked"):
            unpack(made, tmp_path)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < claimed / 8


@pytest.mark.parametrize("ending", [".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz"])
def test_a_damaged_archive_is_always_told(ending: str, tmp_path: Path) -> None:
    good = tmp_path / f"good{ending}"
    if ending == ".zip":
        zipped(good, ("ada/work.ipynb", "{}" * 500))
    else:
        with tarfile.open(good, f"w:{ending[5:]}") as made:
            made.addfile(entry("ada/work.ipynb", size=1000), io.BytesIO(b"{}" * 500))
    rng, raw, told = random.Random(ending), good.read_bytes(), 0
    for number in range(150):
        bad = bytearray(raw)
        for _ in range(rng.randint(1, 8)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        path, folder = tmp_path / f"bad{ending}", tmp_path / f"{number}"
        path.write_bytes(bad[: rng.randrange(len(bad))] if number % 3 == 0 else bad)
        folder.mkdir()
        try:
            unpack(path, folder)
        except ArgumentError:
            told += 1
    assert told > 20


def test_a_disk_that_is_full_is_not_the_archive_s_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = zipped(tmp_path / "a.zip", ("a.ipynb", "{}"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "reader", full)
    with pytest.raises(OSError, match="No space left"):
        unpack(made, box(tmp_path))


def silent(path: Path, encoding: str, *names: str) -> Path:
    """A zip with names in an encoding of which it says nothing."""

    class Silent(zipfile.ZipInfo):
        def _encodeFilenameFlags(self) -> tuple[bytes, int]:
            return self.filename.encode(encoding), self.flag_bits & ~0x800

    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(Silent(name), name)
    return path


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "Jürgen Müller"), ("utf-8", "王伟"), ("utf-8", "Łukasz"), ("utf-8", "Zoe\u0308"), ("utf-8", "Иван"),
        ("cp437", "Jürgen Müller"), ("cp437", "Groß"), ("cp437", "Ada"), ("gb18030", "王伟"), ("gb18030", "李小龙"),
        ("cp1252", "Jörg Größl"),
    ],
)  # fmt: skip
def test_names_come_out_right_whatever_a_zip_says_of_them(tmp_path: Path, encoding: str, name: str) -> None:
    made = silent(tmp_path / "a.zip", encoding, f"{name}_12345_assignsubmission_file_/w.ipynb", "Bob/w.ipynb")
    written = {path.relative_to(tmp_path / "box").as_posix(): path.read_text() for path in unpack(made, box(tmp_path))}
    assert written == {each: each for each in (f"{name}_12345_assignsubmission_file_/w.ipynb", "Bob/w.ipynb")}


def test_a_name_is_looked_at_as_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="leads out of the folder"):
        unpack(silent(tmp_path / "a.zip", "gb18030", "王伟/../../w.ipynb"), box(tmp_path))


def test_a_password_is_called_a_password(tmp_path: Path) -> None:
    made = zipped(tmp_path / "a.zip", ("w.ipynb", "{}"))
    raw = bytearray(made.read_bytes())
    for start, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(start) + flags] |= 1
    made.write_bytes(raw)
    with pytest.raises(ArgumentError, match=r"^a\.zip is locked with a password\."):
        unpack(made, box(tmp_path))
