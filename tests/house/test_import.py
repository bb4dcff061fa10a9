"""`import minitorch_lab` is quick because it brings in nothing heavy. (bench/import_time.py measures the seconds.)"""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"anywidget", "IPython", "ipywidgets", "jupyterlab", "plotly", "rich", "click", "torch", "jax", "scipy"}
ASK = "import sys, minitorch_lab; print(*{name.partition('.')[0] for name in sys.modules})"


def test_nothing_heavy_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert "minitorch_lab" in imported
    assert imported & HEAVY == set()
