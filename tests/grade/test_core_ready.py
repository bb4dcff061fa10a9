"""What is ready before a submission's turn: a kernel that has said so, and modules that each exercise will want."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from queue import Empty
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from minitorch_lab.grade.inside.worker import warm
from minitorch_lab.grade.limits import Limits
from minitorch_lab.grade.ready import at_once, idle_after, listening, promptly
from minitorch_lab.grade.sandbox import Sandbox, command


class Client(BlockingKernelClient):
    """Jupyter's, made prompt."""

    wait_for_ready = promptly(BlockingKernelClient.wait_for_ready)


class Manager(KernelManager):
    """And its manager."""

    start_kernel = listening(KernelManager.start_kernel)
    shutdown_kernel = at_once(KernelManager.shutdown_kernel)


@contextmanager
def kernel(*argv: str) -> Generator[Client]:
    """A client of a kernel that this command starts, ended at the end, in a folder that no other test has."""
    with tempfile.TemporaryDirectory() as folder:
        manager: Any = Manager(transport="ipc", ip=f"{folder}/kernel", client_factory=Client)
        manager.kernel_spec.argv[:] = [sys.executable, *argv, "{connection_file}"]
        manager.start_kernel()
        client: Any = manager.client()
        client.start_channels()
        try:
            yield client
        finally:
            client.stop_channels()
            process = manager.provisioner.process
            manager.shutdown_kernel(now=True)
            assert process.returncode is not None


def test_a_kernel_is_ready_when_it_has_answered_and_nothing_older_comes_after() -> None:
    with kernel("-m", "ipykernel_launcher", "-f") as client:
        client.wait_for_ready(timeout=60)
        asked = client.execute("6 * 7")
        ours = {message["parent_header"]["msg_id"] for message in iter(lambda: said(client), None)}
        assert ours == {asked}
        assert client.get_shell_msg(timeout=10)["parent_header"]["msg_id"] == asked


def said(client: Client) -> dict[str, Any] | None:
    """The next thing that the kernel publishes; None when it rests."""
    message = client.get_iopub_msg(timeout=10)
    return None if idle_after(message, message["parent_header"]["msg_id"]) else message


def test_a_kernel_listens_before_it_is_asked_and_so_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for wait in ("ANSWER", "CONNECT"):
        monkeypatch.setattr(f"minitorch_lab.grade.ready.{wait}", 60.0)
    asked: list[str] = []
    with kernel("-m", "ipykernel_launcher", "-f") as client:
        question = client.kernel_info
        monkeypatch.setattr(client, "kernel_info", lambda: asked.append(question()) or asked[-1])
        client.wait_for_ready(timeout=60)
    assert len(asked) == 1


def test_a_kernel_that_dies_is_told_at_once() -> None:
    with kernel("-c", "pass") as client, pytest.raises(RuntimeError, match="Kernel died before replying"):
        client.wait_for_ready(timeout=60)


def test_a_kernel_that_does_not_answer_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for wait in ("LISTEN", "ANSWER"):
        monkeypatch.setattr(f"minitorch_lab.grade.ready.{wait}", 0.1)
    with kernel("-c", "import time; time.sleep(60)") as client:
        with pytest.raises(RuntimeError, match="Kernel didn't respond in 0 seconds"):
            client.wait_for_ready(timeout=0.3)
        with pytest.raises(Empty):
            client.get_shell_msg(timeout=0)


def test_what_cannot_be_imported_is_left_to_the_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "this", raising=False)
    monkeypatch.setattr("builtins.print", lambda *_: None)  # it is a poem
    warm(["import no_such_module", "import this"])
    assert "this" in sys.modules


def test_a_sandbox_is_told_what_to_import() -> None:
    box = Sandbox(("process",), ".", ".", 0, Limits(), ("import colorsys",))
    assert Sandbox.from_record(json.loads(json.dumps(box.record()))) == box
    assert json.loads(command(box, box.walls(0))[-1])["imports"] == ["import colorsys"]
