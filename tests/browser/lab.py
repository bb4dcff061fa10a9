"""A JupyterLab of our own in a temporary folder, and what a reader does in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from playwright.sync_api import Locator, Page

from tests.browser import looks

ROOT = Path(__file__).parents[2]
START_S = 180
CELL_MS = 180_000
PORTS = range(20_000, 30_000)  # systems take those of clients from above
SHORT = "/tmp" if os.name == "posix" else None  # the path of a socket has no more than 104 bytes on macOS
OPTIONS = [
    "--no-browser",
    "--allow-root",
    "--IdentityProvider.token=",
    "--ServerApp.password=",
    "--ServerApp.disable_check_xsrf=True",
    "--LabApp.expose_app_in_browser=True",  # the tests run Lab's own commands
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
]


@dataclass
class Lab:
    """A running server: its folder, its address, its token."""

    folder: Path
    address: str
    environment: dict[str, str]

    def write(self, name: str, cells: list[str]) -> Path:
        """A notebook of code cells."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        path = self.folder / name
        nbformat.write(notebook, path)
        return path

    def trust(self, path: Path) -> None:
        """What a reader does who trusts a notebook of another: saved outputs may run scripts again."""
        subprocess.run(
            [sys.executable, "-m", "jupyter", "trust", str(path)], env=self.environment, check=True, capture_output=True
        )

    def open(self, page: Page, name: str) -> None:
        """Open a notebook in a workspace without history, and wait for its cells."""
        page.goto(f"{self.address}/lab/tree/{name}?reset")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=START_S * 1000)
        page.wait_for_function("window.jupyterapp && jupyterapp.shell.currentWidget")

    def stop_kernels(self) -> None:
        """Shut all kernels down."""
        for session in self._api("sessions"):
            self._api(f"sessions/{session['id']}", "DELETE")

    def _api(self, path: str, method: str = "GET") -> Any:
        request = urllib.request.Request(f"{self.address}/api/{path}", method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None


@contextmanager
def serve(folder: Path, home: Path) -> Iterator[Lab]:
    """Run JupyterLab until the block ends, on a free port. `home` is the empty home of a new user.

    Its kernels listen on sockets where the system has them: no other program takes those.
    """
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "0"}
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
        environment[name] = str(home / name.lower())
    environment["IPYTHONDIR"] = str(home / "ipython")
    settle(home / "jupyter_config_dir" / "lab" / "user-settings")
    port = PORTS.start + 100 * os.getpid() % len(PORTS)  # from there on; the next process of tests looks elsewhere
    options = [f"--port={port}", f"--ServerApp.root_dir={folder}", *OPTIONS]
    if os.name == "posix":
        options.append("--KernelManager.transport=ipc")
    with TemporaryDirectory(dir=SHORT) as runtime, (home / "lab.log").open("w") as log:
        environment["JUPYTER_RUNTIME_DIR"] = runtime
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], env=environment, stdout=log, stderr=log
        )
        try:
            yield Lab(folder, address_of(server, Path(runtime), home / "lab.log"), environment)
        finally:
            server.terminate()
            server.wait(timeout=60)


def settle(settings: Path) -> None:
    """The settings of this user: widget state is saved, no news are offered, and all cells are in the page.

    Nothing is saved but by command: while Lab saves by itself it passes a command to save over.
    """
    for plugin, setting in {
        "@jupyter-widgets/jupyterlab-manager/plugin": '{"saveState": true}',
        "@jupyterlab/apputils-extension/notification": '{"fetchNews": "false"}',
        "@jupyterlab/docmanager-extension/plugin": '{"autosave": false}',
        "@jupyterlab/notebook-extension/tracker": '{"windowingMode": "none"}',
    }.items():
        path = settings / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(setting, encoding="utf-8")


def address_of(server: subprocess.Popen[bytes], runtime: Path, log: Path) -> str:
    """Wait until the server answers; return where."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert server.poll() is None, f"JupyterLab stopped:\n{log.read_text()}"
        try:
            (told,) = runtime.glob("jpserver-*.json")
            port = json.loads(told.read_text())["port"]
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/status").close()
        except (OSError, ValueError):  # not told yet, told in part, or not listening yet
            time.sleep(0.1)
        else:
            return f"http://127.0.0.1:{port}"
    raise AssertionError(f"JupyterLab did not answer in {START_S} s:\n{log.read_text()}")


# ---- what a reader does ----------------------------------------------------------------------------------------------


def do(page: Page, command: str, **arguments: Any) -> None:
    """Run one of Lab's commands, as its menus do, and wait for it."""
    page.evaluate("([command, arguments]) => jupyterapp.commands.execute(command, arguments)", [command, arguments])


def select(page: Page, index: int) -> None:
    """Give the focus to a cell, as ↑ and ↓ do between cells."""
    page.evaluate(
        "(k) => { const notebook = jupyterapp.shell.currentWidget.content;"
        "notebook.activeCellIndex = k; notebook.mode = 'command'; notebook.activate() }",
        index,
    )
    page.wait_for_function("document.activeElement === jupyterapp.shell.currentWidget.content.activeCell.node")


def standing(page: Page) -> tuple[int, str, int]:
    """The cell that the reader is in, whether its text is edited, and how many cells there are."""
    active, mode, count = page.evaluate(
        "() => { const { activeCellIndex, mode, widgets } = jupyterapp.shell.currentWidget.content;"
        "return [activeCellIndex, mode, widgets.length] }"
    )
    return active, mode, count


def run_all(page: Page) -> None:
    """Run all cells, and wait until the kernel has nothing left to do."""
    page.wait_for_function(
        "jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'", timeout=CELL_MS
    )
    do(page, "notebook:run-all-cells")


def finished(page: Page) -> None:
    """Wait until no cell is running or waiting."""
    page.wait_for_function(
        "jupyterapp.shell.currentWidget.content.widgets.every("
        "({ model }) => model.type !== 'code' || model.executionCount || model.sharedModel.getSource().trim() === '')",
        timeout=3 * CELL_MS,
    )


def run_cell(page: Page, index: int) -> str:
    """Run one cell, and return the text below it."""
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(index)
    page.evaluate("(k) => { jupyterapp.shell.currentWidget.content.activeCellIndex = k }", index)
    before = cell.locator(".jp-InputPrompt").first.inner_text()
    do(page, "notebook:run-cell")
    page.wait_for_function(
        "([k, before]) => { const t = document.querySelectorAll('.jp-Notebook .jp-CodeCell')[k]"
        ".querySelector('.jp-InputPrompt').innerText; return t !== before && !t.includes('*') }",
        arg=[index, before],
        timeout=CELL_MS,
    )
    return cell.locator(".jp-OutputArea").first.inner_text()


def hosts(page: Page) -> Locator:
    """The hosts of the views in the notebook: in the shadow root of each stands one view."""
    return page.locator(".jp-OutputArea [data-lm-suppress-shortcuts]")


def views(page: Page) -> Locator:
    """The views in the notebook."""
    return hosts(page).locator(".box")


@contextmanager
def uncut(page: Page) -> Iterator[None]:
    """Let nothing around the cells cut them off: of what one must scroll to, axe-core would measure no contrast.

    The body of Lab is 0 px high, which is as if it cut everything.
    """
    style = page.add_style_tag(content="body, .jp-LabShell { overflow: visible !important }")
    yield
    style.evaluate("(style) => style.remove()")


def violations(page: Page) -> list[str]:
    """What axe-core finds in all views of the notebook."""
    with uncut(page):
        return looks.violations_in(hosts(page))


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and wait until Lab has laid out its panels, and each view itself."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "() => { const { right, bottom } = document.querySelector('.jp-SideBar.jp-mod-right').getBoundingClientRect();"
        "return right === innerWidth && Math.abs(innerHeight - bottom) < 40 }"
    )
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def theme(page: Page, name: str) -> None:
    """Change Lab's theme, and wait until the page has it."""
    do(page, "apputils:change-theme", theme=f"JupyterLab {name}")
    page.wait_for_function("(light) => document.body.dataset.jpThemeLight === light", arg=str(name == "Light").lower())
