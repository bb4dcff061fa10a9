"""The folder that a submission may write: what is in it, and how it is taken away."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

AT_ONCE = 16  # folders: some kernels wait for milliseconds before one is gone, and then for many together


def used(folder: Path, files: int, disk: int) -> tuple[int, int]:
    """Return how many files and folders are in a folder, and their bytes. Past `files` or `disk` it stops counting."""
    count = size = 0
    folders = [str(folder)]
    while folders and count <= files and size <= disk:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    count += 1
                    about = entry.stat(follow_symlinks=False)
                    size += about.st_blocks * 512
                    if stat.S_ISDIR(about.st_mode):
                        folders.append(entry.path)
                    if count > files or size > disk:
                        break
        except FileNotFoundError:  # it was there a moment ago
            continue
        except OSError:  # a folder that may not be looked into, or one that lies too deep for any path
            count = files + 1
    return count, size


def remove(folder: Path) -> None:
    """Take a folder away, whatever is in it."""
    empty(folder)
    folder.rmdir()


def empty(folder: Path) -> None:
    """Take everything out of a folder, whatever it is: folders a million deep, or such that forbid it.

    Every folder is moved up to the top before it is emptied, so that no path ever has more than two names.
    """
    moved: list[Path] = []
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        os.chmod(place, 0o700)
        for entry in list(os.scandir(place)):
            if entry.is_dir(follow_symlinks=False):
                above = folder / f"{len(moved)} {os.urandom(8).hex()}"
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, above)
                moved.append(above)
                waiting.append(above)
            else:
                os.unlink(entry.path)
    if moved:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(os.rmdir, moved))
