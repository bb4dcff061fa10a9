"""The checks of 10 about graphs: an evaluator and a recorder of the reader's own, and typical wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.errors import CaptureError
from minitorch_lab.lessons import lesson_10_models as lesson
from minitorch_lab.lessons.lesson_10_models.notes import X, scaled
from tests.notebooks.solutions import s10_execution_models as right


def test_the_right_answers_are_done() -> None:
    assert lesson.check_evaluate(right.evaluate).done
    assert lesson.check_notes(right.Notes).done


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
