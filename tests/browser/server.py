"""A server of files for tests: quiet, with headers that a test chooses."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


@dataclass(frozen=True)
class Site:
    """A folder that is served."""

    port: int

    def address(self, path: str) -> str:
        """Where a file of the folder is."""
        return f"http://127.0.0.1:{self.port}/{path}"


class Quiet(SimpleHTTPRequestHandler):
    """A file server that logs nothing and knows JavaScript modules."""

    extensions_map: ClassVar = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}

    def __init__(self, *args: Any, headers: Mapping[str, str], **kwargs: Any) -> None:
        self.more = headers
        super().__init__(*args, **kwargs)

    def end_headers(self) -> None:
        for name, value in {"Cache-Control": "no-store", **self.more}.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def site(folder: Path, headers: Mapping[str, str] | None = None) -> Iterator[Site]:
    """Serve a folder on a free port of this machine, as long as the block runs."""
    handler = functools.partial(Quiet, directory=str(folder), headers=headers or {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Site(server.server_port)
        server.shutdown()
