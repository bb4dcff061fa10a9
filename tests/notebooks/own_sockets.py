"""A plugin of pytest: the kernels of nbval listen on sockets of their own instead of ports."""

from __future__ import annotations

import shutil
from tempfile import mkdtemp
from typing import Any

import pytest
from nbval import kernel

from book.making.run import sockets


def pytest_configure(config: pytest.Config) -> None:
    """Let nbval make its kernels so."""
    manager = kernel.KernelManager

    def on_own_sockets(**options: Any) -> Any:
        folder = mkdtemp()
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        return manager(**options, **sockets(folder))

    kernel.KernelManager = on_own_sockets
