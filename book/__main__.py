"""Makes the book, offline: `python -m book` writes build/book/html, and says what is wrong with it.

The lessons are run first (what has not changed since the last time is taken from there), then Sphinx writes the pages,
and every link is followed.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from sphinx.cmd.build import build_main

from .making import links, site

ROOT = Path(__file__).resolve().parents[1]


def main(jobs: int = 2) -> int:
    """Write the book, and return how many faults it has."""
    start, place = time.monotonic(), ROOT / "build" / "book"
    site.assemble(ROOT, place, jobs)
    html = place / "html"
    shutil.rmtree(html, ignore_errors=True)
    arguments = ["-b", "html", "-q", "-W", "--keep-going", "-j", str(jobs), "-c", str(ROOT / "book")]
    arguments += ["-D", f"html_static_path=_static,{place / 'static'}"]
    failed = build_main([*arguments, "-d", str(place / "doctrees"), str(place / "source"), str(html)])
    shutil.copytree(ROOT / "notebooks", html / "notebooks", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    faults = [] if failed else links.faults(html)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not failed:
        pages = sum(1 for _ in html.rglob("*.html"))
        print(f"{pages} pages in {time.monotonic() - start:.0f} s: open {html / 'index.html'}")
    return failed or len(faults)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
