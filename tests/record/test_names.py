"""Names and lines: the reader's own words for their tensors, and their own lines as typed."""

from __future__ import annotations

from pathlib import Path

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.recording import Recording, record
from minitorch_lab.recording import events as ev
from tests.widgets.runs import run


def named(recording: Recording) -> list[str]:
    """The names of what ops made, in order."""
    made = {op.output for op in recording.each(ev.Op)}
    return [name.name for name in recording.each(ev.Name) if name.id in made]


def lines(recording: Recording) -> list[tuple[int, str]]:
    return [(no, text) for source in recording.each(ev.Source) for _, no, text in source.rows]


def test_variables_give_their_names() -> None:
    a = ml.ones(2)
    with record() as rec:
        b = a + 1
        c, d = b * 2, b * 3
        e: ml.Tensor = c - d
    assert named(rec) == ["b", "c", "d", "e"]
    assert e.shape == (2,)


def test_several_statements_on_one_line() -> None:
    rec = run(
        "x = ml.tensor(2.0, requires_grad=True)\n"
        "with record() as rec:\n"
        "    h = x * 3; y = h * h; h += 1\n"
        "    if True: z = y + 1\n"
    )
    assert named(rec) == ["h", "y", "h′", "z"]
    assert (3, "    h = x * 3; y = h * h; h += 1") in [(no, "    " + text.strip()) for no, text in lines(rec)]


def test_a_part_of_an_expression_is_called_as_it_is_typed() -> None:
    a = ml.ones(2)
    with record() as rec:
        b = (a + 1) * a.exp()
    assert named(rec) == ["a + 1", "a.exp()", "b"]
    assert b.shape == (2,)


def test_a_long_expression_keeps_its_number() -> None:
    a_long_name = ml.ones(2)
    with record() as rec:
        b = (a_long_name + a_long_name) * 2
    assert named(rec) == ["t2", "b"]
    assert b.shape == (2,)


def test_a_loop_numbers_what_has_the_same_name() -> None:
    x = ml.ones(2)
    with record() as rec:
        for _ in range(3):
            x = x * 2
    assert named(rec) == ["x (2)", "x (3)", "x (4)"]


def test_names_come_from_functions_that_are_gone() -> None:
    def layer(x: ml.Tensor) -> ml.Tensor:
        hidden = x * 2
        out = hidden + 1
        return out  # noqa: RET504

    x = ml.ones(2)
    with record() as rec:
        y = layer(x)
    assert named(rec) == ["hidden", "out"]
    assert y.shape == (2,)


def test_parameters_are_called_by_their_path() -> None:
    model = ml.nn.Sequential(ml.nn.Linear(2, 3), ml.nn.ReLU())
    with record() as rec:
        y = model(ml.ones(1, 2))
    assert [n.name for n in rec.each(ev.Name)][1:3] == ["0.weight", "0.bias"]
    assert named(rec)[-1] == "y"
    assert y.shape == (1, 3)


def test_a_module_of_the_readers_shows_its_own_lines() -> None:
    rec = run(
        "class Net(ml.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.fc = ml.nn.Linear(2, 1)\n"
        "    def forward(self, x):\n"
        "        h = self.fc(x)\n"
        "        return h.relu()\n"
        "net = Net()\n"
        "x = ml.ones(3, 2)\n"
        "with record() as rec:\n"
        "    y = net(x)\n"
    )
    assert [(op.op, op.line) for op in rec.each(ev.Op)] == [("linear", "l6"), ("relu", "l7")]
    assert lines(rec) == [
        (5, "def forward(self, x):"),
        (6, "    h = self.fc(x)"),
        (7, "    return h.relu()"),
        (0, "…"),
        (11, "y = net(x)"),
    ]
    assert [n.name for n in rec.each(ev.Name)] == ["x", "fc.weight", "fc.bias", "h", "y"]


def test_a_leaf_is_shown_on_the_line_that_made_it() -> None:
    rec = run("x = ml.tensor(2.0, requires_grad=True)\nwith record() as rec:\n    y = x * x\n")
    leaf = next(t for t in rec.each(ev.Tensor) if t.how == "leaf")
    assert leaf.line == "l1"
    assert lines(rec) == [
        (1, "x = ml.tensor(2.0, requires_grad=True)"),
        (2, "with record() as rec:"),
        (3, "    y = x * x"),
    ]


def test_a_long_stretch_shows_only_what_ran() -> None:
    idle = "".join(f"z{k} = {k}\n" for k in range(40))
    rec = run(
        "x = ml.ones(2)\n"
        + idle
        + "with record() as rec:\n    y = x * x\n"
        + idle.replace("z", "    z")
        + "    w = y + 1\n"
    )
    assert lines(rec) == [
        (1, "x = ml.ones(2)"),
        (2, "z0 = 0"),
        (0, "…"),
        (42, "with record() as rec:"),
        (43, "    y = x * x"),
        (44, "    z0 = 0"),
        (0, "…"),
        (83, "z39 = 39"),
        (84, "w = y + 1"),
    ]


def test_idle_functions_are_left_out() -> None:
    rec = run("with record() as rec:\n    x = ml.ones(2)\n    def idle():\n        pass\n    y = x + 1\n")
    assert [no for no, _ in lines(rec)] == [2, 0, 5]


def test_code_without_source_is_recorded_too() -> None:
    names = {"ml": ml, "record": record}
    exec("a = ml.ones(2)\nwith record() as rec:\n    x = a * 2\n", names)
    rec = names["rec"]
    assert isinstance(rec, Recording)
    assert named(rec) == ["x"]
    assert rec.each(ev.Source) == []
    assert [op.line for op in rec.each(ev.Op)] == [None]


def test_nobody_learns_where_the_readers_files_lie() -> None:
    a = ml.ones(2)
    with record() as rec:
        b = a * 2
    assert b.shape == (2,)
    assert [source.title for source in rec.each(ev.Source)] == ["test_names.py"]
    assert str(Path(__file__).parent) not in "".join(map(repr, rec))


def test_what_a_layer_of_ours_made_is_called_after_the_layer() -> None:
    net = ml.nn.Sequential(ml.nn.Linear(2, 3), ml.nn.Sequential(ml.nn.ReLU(), ml.nn.Dropout(0.5)), ml.nn.Linear(3, 1))
    x = ml.ones(1, 2)
    with record() as rec:
        y = net(x)
    names = named(rec)
    assert names[:2] == ["net[0](…)", "net[1][0](…)"]
    assert names[-2:] == ["net[1][1](…)", "y"]
    assert y.shape == (1, 1)


def test_a_write_through_a_view_without_a_name() -> None:
    x = ml.ones(3, requires_grad=True)
    with record() as rec:
        y = x * 2
        y[1:].mul_(10)
    assert y.tolist() == [2.0, 20.0, 20.0]
    assert "" not in [name.name for name in rec.each(ev.Name)]


def test_parameters_of_several_modules_are_told_apart_by_their_variables() -> None:
    emb, wq, wk = nn.Embedding(5, 4), nn.Linear(4, 4), nn.Linear(4, 4)
    parts = [nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)]
    with ml.record() as rec:
        h = emb(ml.tensor([1, 2]))
        parts[1](parts[0](wq(h) + wk(h))).sum().backward()
    names = {event.name for event in rec.each(ev.Name)}
    assert {"emb.weight", "wq.weight", "wk.weight", "wq.bias", "parts[0].weight", "parts[1].weight"} <= names
    assert "weight" not in names


def test_a_module_alone_gives_its_paths() -> None:
    layer = nn.Linear(4, 4)
    with ml.record() as rec:
        layer(ml.ones(2, 4)).sum().backward()
    assert {"weight", "bias"} <= {event.name for event in rec.each(ev.Name)}
