"""Lessons are run once, and again when they or the package change: their outputs are what the book shows."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config


def fingerprint(root: Path) -> str:
    """What a run depends on beside the notebook: this Python, and every file of the package."""
    state = hashlib.sha256(sys.version.encode())
    for path in sorted((root / "minitorch_lab").rglob("*.py")):
        state.update(path.read_bytes())
    return state.hexdigest()


def sockets(folder: str) -> dict[str, str]:
    """How a kernel is told to listen on sockets in an empty folder of its own, where the system has such sockets.

    A port is chosen before the kernel is started, and another program may take it before the kernel does.
    """
    return {"transport": "ipc", "ip": str(Path(folder) / "kernel")} if os.name == "posix" else {}


def execute(notebook: Any, root: Path) -> None:
    """Run a notebook from top to bottom in a fresh kernel, among the lessons and with this package."""
    paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    with TemporaryDirectory() as folder:
        config = Config(KernelManager=sockets(folder))
        client = NotebookClient(notebook, timeout=300, kernel_name="python3", coalesce_streams=True, config=config)
        client.execute(env=env, cwd=str(root / "notebooks"))


def run(path: Path, root: Path) -> Any:
    """The notebook, with what it gives a reader who has solved nothing yet."""
    notebook: Any = nbformat.read(path, as_version=4)
    execute(notebook, root)
    return notebook


def executed(paths: Iterable[Path], root: Path, cache: Path, jobs: int) -> dict[str, Any]:
    """Every notebook with its outputs, by name. Those that have not changed since they were run come from `cache`."""
    cache.mkdir(parents=True, exist_ok=True)
    package = fingerprint(root)

    def one(path: Path) -> Any:
        key = hashlib.sha256(path.read_bytes() + package.encode()).hexdigest()[:16]
        kept = cache / f"{path.stem}-{key}.ipynb"
        if not kept.exists():
            notebook = run(path, root)
            for old in cache.glob(f"{path.stem}-*.ipynb"):
                old.unlink()
            kept.write_text(nbformat.writes(notebook), encoding="utf-8")
        return nbformat.read(kept, as_version=4)

    paths = list(paths)
    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip([path.stem for path in paths], pool.map(one, paths), strict=True))
