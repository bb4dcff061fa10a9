"""The checks of 10: typical wrong answers are told what they believed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compile.codegen.numpy import compile_numpy
from minitorch_lab.errors import CaptureError
from minitorch_lab.lessons import models as lesson
from minitorch_lab.lessons.the_notes import X, scaled
from tests.notebooks.solutions import s10_execution_models as right


def test_the_right_answers_are_done() -> None:
    assert lesson.check_times(right.times).done
    assert lesson.check_mended(right.mended).done
    assert lesson.check_tame(right.tame).done
    assert lesson.check_evaluate(right.evaluate).done
    assert lesson.check_notes(right.Notes).done


# ---- the timetable --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "row", "said", "told"),
    [
        ("eager", "runs", 4, "Eager has none"),
        ("eager", "shows", "a name", "was computed on the line before"),
        ("static", "runs", 3, "A session does not call your function again"),
        ("static", "prints", 3, "is not part of it"),
        ("static", "shows", "a number", "Nothing is computed before run"),
        ("trace", "runs", 4, "The example is one run"),
        ("trace", "runs", 0, "it watches it, and so it has to run once"),
        ("trace", "shows", "A name", "You took it for define-then-run"),
        ("script", "runs", 1, "as a trace does. It reads the text"),
        ("script", "prints", 0, "and yet print is not lost"),
        ("script", "prints", 1, "Compiling prints nothing"),
    ],
)
def test_the_timetable(style: str, row: str, said: Any, told: str) -> None:
    answers = copy.deepcopy(right.times)
    answers[style][row] = said
    verdict = lesson.check_times(answers)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_open_timetable_waits() -> None:
    empty = {style: dict.fromkeys(row) for style, row in right.times.items()}
    assert lesson.check_times(empty).state == "not written yet"
    empty["eager"] = right.times["eager"]
    assert "Still open: static, runs; static, prints" in lesson.check_times(empty).text


def test_the_timetable_is_what_happens(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: ml.Tensor) -> ml.Tensor:
        print("y is", x * 2)
        return x + 1

    x = ml.ones(1)
    traced, scripted = ml.jit.trace(f, x), ml.jit.script(f)
    assert lesson.lines_run(f, lambda: [f(x), traced(x), scripted(x)]) == 2
    assert capsys.readouterr().out == "y is tensor([2.])\n"  # the trace's; what lines_run runs stays silent
    assert [scripted(x).item(), traced(x).item()] == [2.0, 2.0]
    assert capsys.readouterr().out == "y is tensor([2.])\n"  # the script's


def test_the_traceback_of_a_script_names_no_line_of_the_user() -> None:
    def wrong(x: ml.Tensor) -> ml.Tensor:
        return x @ ml.ones(3)

    scripted = ml.jit.script(wrong)
    assert lesson.your_lines(lambda: wrong(ml.ones(2))) == ["return x @ ml.ones(3)"]
    assert lesson.your_lines(lambda: scripted(ml.ones(2))) == ["none of your lines"]
    assert lesson.your_lines(lambda: scripted(ml.ones(3))) == ["no error"]


# ---- a choice that can be traced ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (lambda x: ml.where(x > 0, x * 2, x * 3), "you choose entry by entry"),
        (lambda x: ml.where(x.sum() > 0, x * 3, x * 2), "the sides are swapped"),
        (lambda x: ml.where(x.sum() >= 0, x * 2, x * 3), "has the sum 0, which is not above 0"),
        (lambda x: x * 2, "one of the two branches"),
        (lambda x: x * 3, "one of the two branches"),
        (lambda x: x * 2 + x * 3, "you add the two branches"),
        (lambda x: ml.where(x.sum() > 0, 2.0, 3.0), "do not multiply x by it"),
        (lambda x: x * (3 - int(x.sum().item() > 0)), "a number was read out of the tensor"),
        (lambda x: ml.tensor(right.mended(x).tolist()), "has left the ops on the way"),
        (lambda x: None, "returns nothing"),
        (lambda x: x * 7, "for [1.0, 2.0] your function gives [7.0, 14.0]"),
        (lambda x: x.nonsense(), "stops with AttributeError"),
    ],
)
def test_the_choice(fn: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_mended(fn)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_if_is_the_starter() -> None:
    assert lesson.check_mended(lambda x: x * 2 if x.sum() > 0 else x * 3).state == "not written yet"


def test_a_chosen_factor_is_as_good() -> None:
    assert lesson.check_mended(lambda x: x * ml.where(x.sum() > 0, 2.0, 3.0)).done


# ---- a function that can be scripted --------------------------------------------------------------------------------


def starter(x, limit: float):
    import math

    return x * math.pi


def breaking(x, limit: float):
    steps = 0
    while steps < 100:
        if x.abs().max() < limit:
            break
        x = x / 2
        steps += 1
    return x, steps


def telling(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    print(f"{steps} steps")
    return x, steps


def in_a_dict(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return {"x": x, "steps": steps}


def alone(x, limit: float):
    while x.abs().max() >= limit:
        x = x / 2
    return x


def turned(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return steps, x


def at_the_limit(x, limit: float):
    steps = 0
    while x.abs().max() > limit:
        x = x / 2
        steps += 1
    return x, steps


def without_sign(x, limit: float):
    steps = 0
    while x.max() >= limit:
        x = x / 2
        steps += 1
    return x, steps


def halving_first(x, limit: float):
    x = x / 2
    steps = 1
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return x, steps


def flipped(x, limit: float):
    steps = 0
    while x.abs().max() < limit:
        x = x / 2
        steps += 1
    return x, steps


def endless(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        steps += 1
    return x, steps


def from_one(x, limit: float):
    steps = 1
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return x, steps


def in_place(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x /= 2
        steps += 1
    return x, steps


def by_three(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 3
        steps += 1
    return x, steps


@pytest.mark.parametrize(
    ("fn", "told"),
    [
        (breaking, "script still refuses break. The condition of the loop can say it"),
        (telling, "script still refuses an f-string"),
        (in_a_dict, "script still refuses a dict. Return a tuple"),
        (alone, "the script gives one Tensor"),
        (turned, "the pair is turned round"),
        (at_the_limit, "at the limit itself it stops"),
        (without_sign, "−8 is large as well"),
        (halving_first, "test first, then halve"),
        (flipped, "turn it round"),
        (endless, "the loop has no end"),
        (from_one, "x is right, and the steps are not: 5"),
        (in_place, "you halve x in place"),
        (by_three, "It should be [0.625, -0.1875] after 4"),
    ],
)
def test_the_script(fn: Callable[..., Any], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = lesson.check_tame(fn)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_import_is_the_starter() -> None:
    assert lesson.check_tame(starter).state == "not written yet"


# ---- an evaluator ---------------------------------------------------------------------------------------------------


def looping(
    call: Callable[[Any, list[Any]], Any] = lambda node, inputs: node.op(*inputs, **node.params),
    read: Callable[[dict[Any, Any], Any], Any] = lambda values, i: values[i] if isinstance(i, lesson.Node) else i,
    result: Callable[[dict[Any, Any], Any], Any] = lambda values, node: values[node],
    given: Callable[[list[Any], int], Any] = lambda args, k: args[k],
    constant: bool = True,
    key: Callable[[Any], Any] = lambda node: node,
) -> Callable[..., Any]:
    """An evaluator, right but for what is handed in."""

    def evaluate(graph: Any, args: list[Any]) -> Any:
        values: dict[Any, Any] = {}
        seen = 0
        for node in graph.nodes:
            if node.kind == "placeholder":
                values[key(node)] = given(args, seen)
                seen += 1
            elif node.kind == "get_attr" and constant:
                values[key(node)] = node.payload
            elif node.kind == "call":
                values[key(node)] = call(node, [read(values, i) for i in node.inputs])
            elif node.kind == "output":
                return result(values, node.inputs[0])
        return None

    return evaluate


def of_an_op(node: Any) -> Any:
    return node.op.name if node.op else node.name


@pytest.mark.parametrize(
    ("evaluate", "told"),
    [
        (looping(call=lambda node, inputs: node.op(*inputs)), "stands in node.params"),
        (looping(read=lambda values, i: values[i]), "the 2 stands there as a number"),
        (looping(constant=False), "a value is missing: the constant"),
        (looping(given=lambda args, k: args[0]), "each placeholder takes the next of args"),
        (looping(given=lambda args, k: args[-1 - k]), "each placeholder takes the next of args"),
        (looping(result=lambda values, node: node), "you return the node 'add'"),
        (looping(result=lambda values, node: (values[node],)), "you return a tuple with one value"),
        (looping(result=lambda values, node: list(values.values())[-1]), "the last value that was computed"),
        (
            looping(call=lambda node, inputs: node.op.impl(*[getattr(i, "value", i) for i in inputs], **node.params)),
            "bare arrays, and no tape sees it",
        ),
        (
            looping(
                key=of_an_op,
                read=lambda values, i: values[of_an_op(i)] if isinstance(i, lesson.Node) else i,
                result=lambda values, node: values[of_an_op(node)],
            ),
            "op.name is the same",
        ),
        (looping(call=lambda node, inputs: node.op(*[i.detach() if isinstance(i, ml.Tensor) else i for i in inputs],
                                                   **node.params)), "there is no gradient through them"),
        (looping(given=lambda args, k: args.pop(0)), "you took the arguments out of the caller's list"),
        (looping(), "A function may return a tuple"),
        (lambda graph, args: [node.op(*args) for node in graph.nodes], "only call nodes have one"),
        (lambda graph, args: graph.run(args), "evaluate stops with AttributeError"),
    ],
)  # fmt: skip
def test_the_evaluator(evaluate: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_evaluate(evaluate)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_evaluator_that_returns_nothing_is_the_starter() -> None:
    assert lesson.check_evaluate(lambda graph, args: None).state == "not written yet"


def test_values_may_be_kept_by_name() -> None:
    assert lesson.check_evaluate(
        looping(
            key=lambda node: node.name,
            read=lambda values, i: values[i.name] if isinstance(i, lesson.Node) else i,
            result=lambda values, node: (
                tuple(values[n.name] for n in node) if isinstance(node, tuple) else values[node.name]
            ),
        )
    ).done


# ---- a recorder -----------------------------------------------------------------------------------------------------


class Forgetting(right.Notes):
    def remember(self, x: Any, node: Any) -> None:
        if node.kind != "call":
            super().remember(x, node)


class Bare(right.Notes):
    def node_of(self, a: Any) -> Any:
        return self.known[id(a)][1] if id(a) in self.known else a


class Anew(right.Notes):
    def node_of(self, a: Any) -> Any:
        if not isinstance(a, ml.Tensor):
            return a
        known = self.known.get(id(a))
        return self.graph.get_attr(a, lesson.facts_of(a)) if known is None else known[1]


class Numbers(right.Notes):
    def node_of(self, a: Any) -> Any:
        return super().node_of(a if isinstance(a, ml.Tensor) else ml.tensor(a))


class Blind(right.Notes):
    def node_of(self, a: Any) -> Any:
        if id(a) not in self.known:
            self.remember(a, self.graph.get_attr(a, lesson.facts_of(a)))
        return self.known[id(a)][1]


class Known(right.Notes):
    def node_of(self, a: Any) -> Any:
        return self.known[id(a)][1]


def running(run: Callable[..., Any]) -> type:
    return type("Running", (right.Notes,), {"run": run})


def written(self: Any, op: Any, args: Any, params: Any, out: Any, facts: Any) -> Any:
    self.remember(out, self.graph.call(op, tuple(map(self.node_of, args)), params, facts))
    return out


def bare_params(self: Any, op: Any, args: Any, params: Any) -> Any:
    out = self.below.run(op, args, params)
    return written(self, op, args, {}, out, lesson.facts_of(out))


def facts_of_the_input(self: Any, op: Any, args: Any, params: Any) -> Any:
    out = self.below.run(op, args, params)
    return written(self, op, args, params, out, lesson.facts_of(args[0]))


def on_top(self: Any, op: Any, args: Any, params: Any) -> Any:
    out = op(*args, **params)
    return written(self, op, args, params, out, lesson.facts_of(out))


def on_nodes(self: Any, op: Any, args: Any, params: Any) -> Any:
    return self.below.run(op, tuple(map(self.node_of, args)), params)


def returning_nothing(self: Any, op: Any, args: Any, params: Any) -> Any:
    out = self.below.run(op, args, params)
    written(self, op, args, params, out, lesson.facts_of(out))


def returning_the_node(self: Any, op: Any, args: Any, params: Any) -> Any:
    out = self.below.run(op, args, params)
    return self.graph.call(op, tuple(map(self.node_of, args)), params, lesson.facts_of(out))


def twice(self: Any, op: Any, args: Any, params: Any) -> Any:
    right.Notes.run(self, op, args, params)
    return right.Notes.run(self, op, args, params)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Forgetting, "the graph returns a constant"),
        (Bare, "One from outside is a node as well"),
        (Anew, "became two constants"),
        (Numbers, "Numbers stay among the inputs"),
        (Blind, "a number has no facts"),
        (Known, "nobody has remembered"),
        (running(bare_params), "sum has lost its axis"),
        (running(facts_of_the_input), "facts_of(out)"),
        (running(on_top), "Ask the floor below"),
        (running(on_nodes), "an op got nodes to compute with"),
        (running(returning_nothing), "run returns nothing"),
        (running(returning_the_node), "an op got nodes to compute with"),
        (running(twice), "5 ops run, and 10 are written down"),
    ],
)
def test_the_recorder(kind: Any, told: str) -> None:
    verdict = lesson.check_notes(kind)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_recorder_that_writes_nothing_down_is_the_starter() -> None:
    assert lesson.check_notes(lesson.Recorder).state == "not written yet"


def test_the_graph_of_a_reader_goes_through_the_compiler() -> None:
    graph = lesson.written_down(right.Notes, scaled, X)
    assert str(graph) == str(ml.jit.trace(scaled, X).graph)
    assert compile_numpy(graph)((X * 3).numpy())[0] == pytest.approx(scaled(X * 3).numpy())


def test_a_write_in_place_is_refused_by_a_recorder() -> None:
    with pytest.raises(CaptureError, match=r"(?s)add_.*x = x \+ y"):
        lesson.written_down(right.Notes, lambda x: x.add_(1), X)


# ---- the race -------------------------------------------------------------------------------------------------------


def test_a_race_runs_all_in_turn() -> None:
    ran: list[str] = []
    times = lesson.race({"a": lambda: ran.append("a"), "b": lambda: ran.append("b")}, rounds=2)
    assert "".join(ran) == "ababababab"
    assert times.keys() == {"a", "b"}


def test_the_figure_of_a_race() -> None:
    chart = lesson.raced([1, 10], [{"eager": 2.0, "trace": 9.0}, {"eager": 3.0, "trace": 9.5}], "Two ways.")
    assert repr(chart) == "Two ways. With 1 entries: eager 2 µs; trace 9 µs."
    assert [list(line.y) for line in chart.figure.data] == [[2.0, 3.0], [9.0, 9.5]]
