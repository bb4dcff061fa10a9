"""What the house tests read: the files that git knows, and what a Python file imports."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tracked(*patterns: str) -> list[Path]:
    """Return the files of this checkout that git tracks or would track, as paths relative to its root."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(Path(name) for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


def imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield every name of minitorch_lab that a file in `package` imports, anywhere in its code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("minitorch_lab"))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            if source.startswith("minitorch_lab"):
                yield from (f"{source}.{alias.name}" for alias in node.names)
