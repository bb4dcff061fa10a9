"""A device whose time is known, and the check of the reader's way to measure it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import ArgumentError
from ..values import settled
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .amounts import amount

MANY = 100_000  # calls after which nobody is still measuring


class Device:
    """A device with a clock, which computes one program: in order, and while the host goes on.

    The first calls are slow, because the device is cold. Now and then somebody else disturbs a few calls.

    Args:
        seconds: Microseconds that a call takes, when the device is warm and nobody disturbs it.
        cold: How many of the first calls are slow.
        slower: How many times slower.
        every: After so many calls come those that are disturbed.
        burst: How many in a row are disturbed, of which each takes 20 times as long.
        launch: Microseconds of the host for each call.

    Attributes:
        calls: How many there have been.

    Example:
        >>> device = Device(100)
        >>> start = device.now()
        >>> device.call()
        >>> device.now() - start
        5.0
        >>> device.wait()
        >>> device.now() - start
        5005.0
    """

    def __init__(
        self, seconds: float, cold: int = 3, slower: float = 50, every: int = 23, burst: int = 3, launch: float = 5
    ) -> None:
        self._seconds, self._cold, self._slower = seconds, cold, slower
        self._every, self._burst, self._launch = every, burst, launch
        self._host = self._busy = 0.0
        self.calls = self._timed = 0

    def call(self) -> None:
        """Hand a call to the device. It comes back before the call has been computed.

        Raises:
            ArgumentError: After very many calls.
        """
        if self.calls == MANY:
            raise ArgumentError(
                f"The device has been called {MANY:,} times.",
                "The median of some dozen calls is enough to measure anything.",
                "Is there a loop that never ends?",
            )
        self._host += self._launch
        took = self._seconds
        if self.calls < self._cold:
            took *= self._slower
        elif (self.calls - self._cold) % self._every < self._burst:
            took *= 20
        self._busy = max(self._busy, self._host) + took
        self.calls += 1

    def wait(self) -> None:
        """Wait until all calls have been computed."""
        self._host = max(self._host, self._busy)

    def now(self) -> float:
        """The host's clock, in microseconds.

        Raises:
            ArgumentError: After very many readings.
        """
        self._timed += 1
        if self._timed > 10 * MANY:
            raise ArgumentError(
                f"The clock has been read {10 * MANY:,} times.",
                "It moves with the calls alone, and not with the time that you wait.",
                "Did you mean device.wait()?",
            )
        return self._host


Measure = Callable[[Device], Any]
ASKED: dict[str, tuple[float, int, float, int, int]] = {
    "a device": (400, 25, 50, 23, 3),
    "a fast program": (60, 3, 200, 23, 3),
    "a slow program": (9000, 1, 30, 17, 2),
    "thirty cold calls": (250, 30, 100, 31, 4),
    "a noisy one": (1000, 28, 10, 11, 3),
}


@answering
def check_measure(measure: Measure) -> Verdict:
    """Check what the reader measures on devices whose time is known."""
    devices = {name: Device(*numbers) for name, numbers in ASKED.items()}
    answers: dict[str, Any] = {}
    for name, device in devices.items():
        found, error = attempt(measure, device)
        if error is not None:
            return stopped("your function", error)
        answers[name] = settled(found)
    if all(answers[name] == 5 and device.calls == 1 for name, device in devices.items()):
        return unwritten("one call is timed, and nobody waits for it: 5 µs on every device, its launch alone.")
    for name, numbers in ASKED.items():
        found = amount(answers[name])
        if found is None:
            return not_yet(f"you give {answers[name]!r:.60}. It is a number: the microseconds of one call.")
        if not is_close(found, numbers[0]):
            said = f"On {name} a call takes {numbers[0]:,} µs, and you measure {found:,.5g}."
            return not_yet(f"{wrong_measure(found, *numbers)} {said}")
    return done("warmed up, waited for, and the median of many: five devices, each as fast as it is.")


def is_close(found: float, seconds: float) -> bool:
    """Whether a measured time is that of the device: its launch may be in it, and a little noise.

    Example:
        >>> is_close(405, 400), is_close(5, 400), is_close(1180, 400)
        (True, False, False)
    """
    return 0.97 * seconds <= found <= 1.03 * seconds + 6


def wrong_measure(found: float, seconds: float, cold: int, slower: float, every: int, burst: int) -> str:
    """The thought behind another time."""
    if found <= 0:
        return "no call takes that: is the earlier reading of the clock subtracted from the later one?"
    if found < 12:
        return "that is the launch alone. The host goes on while the device computes: wait before the clock is read."
    if found < 0.97 * seconds:
        return "that is less than a call takes: some calls were not waited for, or the time was divided once too often."
    if abs(found - slower * seconds) <= 0.02 * slower * seconds + 6:
        return "that is a cold call. Make some calls before you look at the clock."
    if abs(found - 20 * seconds) <= 0.4 * seconds + 6:
        return "that is a call that somebody has disturbed. Time many calls, each by itself, and take their median."
    if found > 0.9 * slower * seconds:
        return "you measured several calls and gave their sum, or cold ones alone. It is the time of one warm call."
    return "a few slow calls, cold or disturbed, pull a mean up. Warm up, and take the median of many."
