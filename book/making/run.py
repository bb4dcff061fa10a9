"""Lessons are run once, and again when they or the package change: their outputs are what the book shows."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def fingerprint(root: Path) -> str:
    """What a run depends on beside the notebook: this Python, and every file of the package."""
    state = hashlib.sha256(sys.version.encode())
    for path in sorted((root / "minitorch_lab").rglob("*.py")):
        state.update(path.read_bytes())
    return state.hexdigest()


def run(path: Path, root: Path) -> Any:
    """The notebook, run from top to bottom in a fresh kernel, as a reader has it before solving anything."""
    notebook: Any = nbformat.read(path, as_version=4)
    paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", coalesce_streams=True)
    client.execute(env=env, cwd=str(path.parent))
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
