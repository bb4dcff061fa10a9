"""How the grader's own processes are started: Python, with little of the package, and with no settings of the user."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

PIPES = "MINITORCH_LAB_JUDGE"  # the variable that tells a judge's kernel which descriptors it inherited
PACKAGE = Path(__file__).resolve().parents[1]

# `minitorch_lab` and `minitorch_lab.grade` stand empty, so that a module of the grader comes without the whole package.
THIN = """
import sys, types
for name, folder in (("minitorch_lab", {package!r}), ("minitorch_lab.grade", {grade!r})):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
sys.path += {paths!r}
from {module} import main
main()
"""
FULL = """
import sys
sys.path[:0] = [{package!r}]
sys.path += {paths!r}
from {module} import main
main()
"""


def site_folders() -> list[str]:
    """Return the folders that installed packages are imported from."""
    return [path for path in sys.path if path.rstrip(os.sep).endswith(("site-packages", "dist-packages"))]


def thin(module: str) -> list[str]:
    """Return the command that runs `main` of a module of the grader, without importing the whole package."""
    names = {"package": str(PACKAGE), "grade": str(PACKAGE / "grade")}
    return [sys.executable, "-IB", "-c", THIN.format(module=module, paths=site_folders(), **names)]


def full(module: str, package: str) -> list[str]:
    """Return the command that runs `main` of a module of the students' package, which lies in `package`."""
    return [sys.executable, "-sPB", "-c", FULL.format(module=module, package=package, paths=site_folders())]


def interpreter() -> list[str]:
    """Return the folders that Python itself and its packages are read from."""
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site_folders()]
    real = {os.path.realpath(folder) for folder in folders} | set(folders)
    real |= {os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))}
    return outermost(sorted(folder for folder in real if os.path.isdir(folder)))


def outermost(folders: list[str]) -> list[str]:
    """Return the folders that lie in none of the others.

    Example:
        >>> outermost(["/usr", "/usr/lib", "/usrlocal"])
        ['/usr', '/usrlocal']
    """
    return [path for path in folders if not any(path.startswith(other.rstrip("/") + "/") for other in folders)]
