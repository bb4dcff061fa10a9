"""Workers for a batch: processes of this machine under a scheduler of their own, or a cluster that is there already."""

from __future__ import annotations

import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from ..errors import ArgumentError
from .processes import cpu_of

if TYPE_CHECKING:
    from distributed import Client, Security

STUCK = 60.0  # seconds for which a scheduler that is coming up, and its workers, may use no processor at all
LONGEST = 900.0  # seconds that it may take to come up, however busy the machine is
LOOK = 0.2  # seconds between two looks at whether it comes up
ANSWERS = 60  # seconds for a scheduler elsewhere to answer
PATIENCE = 60.0  # seconds without any worker: a nanny does not bring back one that died while it was starting
ANSWER = 5.0  # seconds for the scheduler to say which workers it has


class Cluster(NamedTuple):
    """A client of a scheduler, and whether that scheduler is still there and has workers."""

    client: Client
    alive: Pulse
    pid: int | None  # of the scheduler, where it is ours


class Pulse:
    """Whether a cluster can still finish something: its scheduler is there, and workers were seen lately."""

    def __init__(self, client: Any, there: Callable[[], bool]) -> None:
        self.client, self.there = client, there
        self.seen = time.monotonic()

    def __call__(self) -> bool:
        """Whether it can."""
        if self.threads():
            self.seen = time.monotonic()
        return self.there() and self.client.status == "running" and time.monotonic() - self.seen < PATIENCE

    def threads(self) -> int:
        """How many submissions the workers can take at once, 0 when the scheduler does not answer."""
        if not self.there() or self.client.status != "running":
            return 0
        try:
            known = self.client.sync(self.client.scheduler.identity, callback_timeout=ANSWER)["workers"]
        except (OSError, TimeoutError):
            return 0
        return sum(worker["nthreads"] for worker in known.values())


@contextmanager
def local(workers: int) -> Generator[Cluster]:
    """Start a scheduler and its workers on this machine, and end them at the end.

    They talk over TLS with certificates that are made now and kept in memory, on the loopback address only, and there
    is no dashboard. The scheduler has a process of its own: if it dies, its workers end, and the caller learns it.
    """
    from distributed import Client, Security

    quiet()
    security = Security.temporary()
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(prefix="class-", ignore_cleanup_errors=True) as scratch:
        process = context.Process(target=serve, args=(theirs, workers, security, scratch), name="scheduler")
        process.start()
        theirs.close()
        try:
            address = told(ours, process)
            with Client(address, security=security, timeout=LONGEST, set_as_default=False) as client:
                yield Cluster(client, Pulse(client, process.is_alive), process.pid)
        finally:
            with suppress(OSError):
                ours.send("end")
            process.join(timeout=10)
            if process.is_alive():
                process.kill()
                process.join()
            ours.close()


def told(pipe: Connection, process: BaseProcess) -> str:
    """The address that the scheduler tells once it is up. It is waited for as long as it gets on.

    Raises:
        ArgumentError: It has ended, or is stuck.
    """
    begun = moved = time.monotonic()
    used = 0.0
    with suppress(EOFError):
        while not pipe.poll(LOOK):
            now, using = time.monotonic(), processor_of(process.pid)
            moved, used = (now, using) if using != used else (moved, used)
            if not process.is_alive() or now - moved > STUCK or now - begun > LONGEST:
                break
        else:
            return str(pipe.recv())
    raise ArgumentError(
        "The scheduler of the batch did not start.",
        "It was waited for as long as its processes were at work, and they have ended or are stuck.",
        "Give --workers 1, or a cluster of your own with --scheduler tls://host:8786.",
    )


def processor_of(pid: int | None) -> float:
    """The seconds of processor time that a process and what it has started have used, as far as they can be seen."""
    try:
        tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        return cpu_of(tree)
    except psutil.Error:
        return 0.0


def serve(pipe: Connection, workers: int, security: Security, scratch: str) -> None:
    """Run a scheduler with its workers until it is told to end. This is a process of its own.

    Should the pipe close before, whoever started it was killed: nobody waits for what its workers are at.
    """
    import dask.config
    from distributed import LocalCluster

    quiet()
    # Dask opens a web server in any case: there is nothing to be had from it, and only on this machine.
    dask.config.set({"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []})
    dask.config.set({"distributed.comm.timeouts.connect": f"{LONGEST:g}s"})
    cluster: Any = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        protocol="tls://",
        security=security,
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,  # the grader watches the memory of what it starts; a worker itself needs little
        silence_logs=logging.CRITICAL,
        local_directory=scratch,
    )
    with cluster:
        pipe.send(cluster.scheduler_address)
        try:
            pipe.recv()
        except EOFError:
            for each in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    each.kill()
            os._exit(1)


@contextmanager
def joined(address: str, certificates: Certificates) -> Generator[Cluster]:
    """Use a scheduler that runs already: its workers see the same files, and have this package.

    Raises:
        ArgumentError: The address is not one of TLS, or nobody answers there.
    """
    from distributed import Client

    if not address.startswith("tls://"):
        raise ArgumentError(
            f"minitorch-lab grade got --scheduler {address}.",
            "Submissions and scores travel encrypted only: the address starts with tls://.",
            "Start the scheduler with dask scheduler --tls-ca-file … --tls-cert … --tls-key …, and give tls://host:8786.",
        )
    try:
        client = Client(address, security=certificates.security(), timeout=ANSWERS, set_as_default=False)
    except (OSError, ValueError) as cause:
        raise ArgumentError(
            f"No scheduler answers at {address} ({type(cause).__name__}).",
            "A cluster is running before a batch is given to it, and both have certificates of one authority.",
            "Without --scheduler the batch runs on this machine.",
        ) from cause
    with client:
        yield Cluster(client, Pulse(client, lambda: True), None)


class Certificates(NamedTuple):
    """Files of a cluster's certificates, as `dask scheduler` takes them."""

    authority: str
    certificate: str
    key: str

    def security(self) -> Any:
        """What a client needs to talk to that cluster."""
        from distributed import Security

        return Security(
            tls_ca_file=self.authority,
            tls_client_cert=self.certificate,
            tls_client_key=self.key,
            require_encryption=True,
        )


def quiet() -> None:
    """Leave the screen to the progress bar: what goes wrong is a record, and not a line in a log."""
    for name in ("distributed", "distributed.client", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
