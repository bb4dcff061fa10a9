"""A call that goes on where a program ends is replayed up to there, and meets the same names again."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim
from minitorch_lab.compiler.capture.bytecode.names import GiveUp
from minitorch_lab.compiler.capture.bytecode.recorder import Recorder
from minitorch_lab.errors import CaptureError
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def trained(compile: Any, make: Any) -> list[Any]:
    """What four steps of an optimizer with a state give, where labels are reshaped in the step."""
    ml.manual_seed(0)
    norm, head = nn.LayerNorm(4), nn.Linear(4, 3)
    optimizer = make([*norm.parameters(), *head.parameters()])

    @compile
    def step(x: Any, y: Any) -> Any:
        hidden = norm(x)
        rows, columns = hidden.shape
        loss = nn.functional.cross_entropy(head(hidden.reshape(rows, columns)), y.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return [step(ml.randn(2, 4), ml.tensor([[i % 3], [2]])).item() for i in range(5)]


@pytest.mark.parametrize("make", [
    lambda ps: optim.SGD(ps, lr=0.1, momentum=0.9), lambda ps: optim.Adam(ps, lr=0.1), lambda ps: optim.AdamW(ps),
])  # fmt: skip
def test_a_container_that_an_op_reads_is_read_in_a_replay_too(make: Any) -> None:
    assert trained(ml.compile, make) == trained(lambda f: f, make)


# ---- what has been done is not done twice ---------------------------------------------------------------------------
class Told:
    """A descriptor that writes down how it is used."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def __get__(self, x: Any, cls: Any = None) -> Any:
        self.log.append("read")
        return 5

    def __set__(self, x: Any, value: Any) -> None:
        self.log.append(("written", value))


def derived(cls: Any, x: Any, log: list[Any]) -> None:
    class Other(cls):
        def __setattr__(self, name: str, value: Any) -> None:
            object.__setattr__(self, name, ("other", value))

    x.__class__ = Other


CHANGES: dict[str, Any] = {
    "a descriptor": lambda cls, x, log: setattr(cls, "n", Told(log)),
    "a property": lambda cls, x, log: setattr(cls, "n", property(lambda x: 3, lambda x, v: log.append(v))),
    "a hook": lambda cls, x, log: setattr(cls, "__setattr__", lambda x, *given: object.__setattr__(x, *given)),
    "another class": derived,
    "an entry": lambda cls, x, log: vars(x).__setitem__("n", 7),
    "a class attribute": lambda cls, x, log: (setattr(cls, "n", 9), delattr(x, "n")),
}


def changing(compile: Any, change: Any) -> list[Any]:
    """What four calls do and give that change a class after an attribute was written; then the calls part."""
    log, limit = list[Any](), {"k": 0}

    class Holder:
        pass

    held: Any = Holder()

    @compile
    def f(x: Any, k: int) -> Any:
        log.append("begin")
        held.n = k
        log.append(held.n)
        print("between")
        change(Holder, held, log)
        if limit["k"] > k:
            log.append("more")
        log.append(held.n)
        return x * 2

    found = list[Any]()
    for k, limit["k"] in ((1, 0), (2, 0), (1, 3), (1, 0)):
        found += [outcome(f, ml.ones(2), k), [*log]]
        log.clear()
    return [x.tolist() if isinstance(x, ml.Tensor) else str(x) for x in found]


@pytest.mark.parametrize("change", CHANGES)
def test_a_class_that_changes_in_the_call_is_no_other_in_a_replay(change: str) -> None:
    assert changing(ml.compile, CHANGES[change]) == changing(lambda f: f, CHANGES[change])


def test_a_key_that_is_made_anew_is_the_same_in_a_replay() -> None:
    seen = dict[Any, Any]()

    def f(x: Any, k: Any) -> Any:
        seen.setdefault(("key", int), []).append(k)
        print("between")
        return x * k

    run = ml.compile(f)
    assert [run(X, k).tolist() for k in (1, 2, 3.5)] == [[1.0, 2.0], [2.0, 4.0], [3.5, 7.0]]
    assert seen == {("key", int): [1, 2, 3.5]}


def test_a_call_that_cannot_go_on_says_so_and_does_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    done, limit = list[Any](), {"k": 1}

    @ml.compile
    def f(x: Any, k: Any) -> Any:
        try:
            with ml.no_grad():
                done.append(k)
                print("between")
                return x * k if k > limit["k"] else x
        except BaseException:
            done.append("handled")
            raise
        finally:
            done.append("finally")

    f(X, 2)
    limit["k"] = 5
    decide = Recorder.decide

    def losing(self: Any, f: Any, *rest: Any) -> Any:
        if self.ahead and f is list.append and rest[0][0] is done:
            raise GiveUp("the list cannot be followed")
        return decide(self, f, *rest)

    with monkeypatch.context() as lost:
        lost.setattr(Recorder, "decide", losing)
        with pytest.raises(CaptureError) as caught:
            f(X, 2)
    assert str(caught.value) == LOST.format(place=caught.value.args[0].partition(", at ")[2].partition("\n")[0])
    assert done == [2, "finally", 2]
    assert ml.is_grad_enabled()
    assert f(X, 3).tolist() == [1.0, 2.0]
    assert done == [2, "finally", 2, 3, "finally"]


LOST = """f cannot go on after what it has done: the list cannot be followed, at {place}
  A call that meets what no call has met before is gone through again up to there, and nothing is done twice. This one \
came another way the second time, so it ends here; what it has done stays done.
  This is a fault of the compiler's own: later calls run without it. Please report the function and this text; \
ml.compile.minify(f, *args) makes it short."""
