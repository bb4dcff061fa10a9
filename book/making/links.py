"""Every link of the book is followed: to a file that is there, to a place on its page that is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

OUTSIDE = {"https", "http", "mailto", "data"}
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset")}


class Page(HTMLParser):
    """What a page links to, what it loads, and the places on it that have a name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One tag."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src", "srcset") and value:
                self.links.append(value)
                if (tag, name) in LOADED and "rel" not in dict(attrs):
                    self.loaded.append(value)


def faults(html: Path) -> list[str]:
    """What is wrong with the links of a site, one sentence each."""
    read = cache(Page)
    found: list[str] = []
    for path in sorted(html.rglob("*.html")):
        if "_static" not in path.parts:
            found += [
                f"{path.relative_to(html)}: {fault}" for link in read(path).links if (fault := wrong(link, path, read))
            ]
            outside = [link for link in read(path).loaded if urlsplit(link).scheme in ("http", "https")]
            found += [f"{path.relative_to(html)}: loads {link} from elsewhere" for link in outside]
    return found


def wrong(link: str, path: Path, read: Callable[[Path], Page]) -> str | None:
    """What is wrong with a link on the page at `path`, if anything."""
    parts = urlsplit(link)
    if parts.scheme in OUTSIDE or parts.netloc:
        return None
    target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return f"{link} leads to no file"
    place = unquote(parts.fragment)
    if place and target.suffix == ".html" and place not in read(target).places:
        return f"{link} leads to no place on its page"
    return None
