"""No tracked file names a registry's address or a path of somebody's machine."""

from __future__ import annotations

import re

import pytest

from tests.house.source import ROOT, tracked

ADDRESSES = [
    r'"resolved"\s*:\s*"http',
    r"(?i)\b(?:extra-)?index[-]url\b",
    r"(?i)\bfind[-]links\b",
    r"(?i)\bregistry\s*=\s*[\"']?http",
    r"(?<![\w.])/(?:root|home/\w+|Users/\w+)/",
    r"[A-Z]:\\\\?Users\\",
]
BINARY = {".png", ".npz", ".gz", ".ico", ".woff2"}


def found(text: str, patterns: list[str]) -> list[str]:
    """Return the places that name an address or a path."""
    return [match.group() for pattern in patterns for match in re.finditer(pattern, text)]


def test_no_tracked_file_names_an_address() -> None:
    patterns = [*ADDRESSES, re.escape(str(ROOT)) + r"\b"]
    names = [path for path in tracked() if path.suffix not in BINARY]
    hits = {str(path): found((ROOT / path).read_text("utf-8"), patterns) for path in names}
    assert {path: places for path, places in hits.items() if places} == {}


@pytest.mark.parametrize(
    "line",
    [
        # Put together here, so that this file names none either.
        '"resolved"' + ': "https://registry.example/x.tgz"',
        "--extra-index" + "-url https://example",
        "registry" + "=https://example",
        "open('/" + "root/x')",
        "/" + "home/me/x",
        "C:\\" + "Users\\me",
    ],
)
def test_an_address_is_seen(line: str) -> None:
    assert found(line, ADDRESSES)
