"""Marks of tests that run over Dask: one worker of pytest runs them all, and what Dask leaves behind ends with them.

Dask leaves sockets and loops open when one of its processes is killed, and killing them is what many of these tests
do. What is left warns when it is collected, which would fail whatever test happens to run by then.
"""

from __future__ import annotations

import pytest

OVER_DASK = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::RuntimeWarning"),
    pytest.mark.usefixtures("swept"),
]
