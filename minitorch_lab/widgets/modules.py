"""The view "ModuleTree": what a module consists of: modules in modules, parameters, buffers, modes and hooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ArgumentError
from ..nn import BatchNorm1d, Dropout, Linear, Module, ReLU, Sequential
from ..recording.recording import Recording
from ..tensors.tensor import Tensor
from .frame import Json, framed
from .linking import Links
from .model import Model, taped
from .moments import Moment, moments_of
from .numbers import listed, plural, shape, size
from .scene import source

QUESTION = "What is a module made of?"
HOOKS = ("before", "after", "back_before", "back_after")
SHORT = 24  # characters of a description that a sentence has room for
ALIKE = 3  # so many children in a row that look the same become one row


@dataclass(slots=True)
class Row:
    """One line of the tree. `path` is the dotted name, "" for the module itself."""

    path: str
    kind: str  # module, parameter or buffer
    depth: int
    what: str
    entries: int = 0  # of parameters, in it and below
    facts: list[str] = field(default_factory=list[str])
    tensor: Tensor | None = None
    times: int = 1
    shared: tuple[str, ...] = ()  # the paths under which the same tensor stands elsewhere

    @property
    def id(self) -> str:
        """The id of the line."""
        return f"m:{self.path}"

    @property
    def name(self) -> str:
        """The last part of the dotted name."""
        return self.path.rpartition(".")[2]


def module_example() -> Module:
    """A small classifier with everything that a module can hold."""
    model = Sequential(Linear(784, 256), BatchNorm1d(256), ReLU(), Dropout(0.1), Linear(256, 10))
    model.register_forward_hook(lambda module, args, out: None)
    return model


def modules_scene(module: Module, recording: Recording | None = None, question: str = QUESTION) -> Json:
    """The scene of the view "ModuleTree". With a recording its steps are the ops that read parameters of the module.

    Raises:
        ArgumentError: `module` is no module.
        RecordingError: The recording is still running.
    """
    if not isinstance(module, Module):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"ModuleTree got a {type(module).__name__}.",
            "It shows what an nn.Module is made of.",
            "Did you mean ModuleTree(model)?",
        )
    rows = list(rows_of(module, "", 0))
    sharing(rows)
    model = None if recording is None else taped(recording)
    steps = walked(rows) if model is None else ran(rows, model)
    start: Json = {"phase": "start", "say": f"{question} {describe_total(module, rows)}", "at": 0}
    links, details = Links(), {row.id: describe_row(row) for row in rows}
    if model is not None:
        link_parameters(links, rows, model)
        details |= {line["id"]: f"line {line['no']} · {line['text'].strip()}" for line in source(model)}
    stages = [{"at": 0, "focus": None}, *({"at": step["at"], "focus": step["focus"][0]} for step in steps)]
    panel: Json = {
        "kind": "tree",
        "id": "tree",
        "label": type(module).__name__,
        "rows": [drawn(row, rows[0].entries) for row in rows],
        "stages": stages,
    }
    return framed(
        "modules",
        question,
        [start, *steps],
        [panel],
        title="ModuleTree",
        recording=recording.id if recording is not None else None,
        source=source(model) if model is not None else (),
        links=links.json(),
        details=details,
    )


# ---- the tree --------------------------------------------------------------------------------------------


def rows_of(module: Module, path: str, depth: int) -> Iterator[Row]:
    """The module, its tensors, then its children; children in a row that look the same are one."""
    own = Row(path, "module", depth, described(module), sum(p.numel() for p in module.parameters()), modes(module))
    yield own
    for home, kind in (("_parameters", "parameter"), ("_buffers", "buffer")):
        for name, tensor in vars(module)[home].items():
            if tensor is not None:
                yield tensor_row(module, joined(path, name), kind, depth + 1, tensor)
    for group in alike(list(module.named_children())):
        name, child = group[0]
        below = list(rows_of(child, joined(path, name), depth + 1))
        if len(group) > 1:
            below[0].times, below[0].what = (
                len(group),
                f"{below[0].what}, {len(group)} alike ({name} to {group[-1][0]})",
            )
            below[0].entries *= len(group)
        yield from below


def tensor_row(module: Module, path: str, kind: str, depth: int, tensor: Tensor) -> Row:
    """A parameter or a buffer."""
    facts = [str(tensor.dtype)]
    if kind == "parameter" and not tensor.requires_grad:
        facts.append("frozen")
    if kind == "buffer" and path.rpartition(".")[2] in vars(module)["_transient"]:
        facts.append("not in the state")
    return Row(path, kind, depth, shape(tensor.shape), tensor.numel() if kind == "parameter" else 0, facts, tensor)


def sharing(rows: Sequence[Row]) -> None:
    """Rows that hold the same tensor say so, each with the others."""
    held: dict[int, list[Row]] = {}
    for row in rows:
        if row.tensor is not None:
            held.setdefault(id(row.tensor), []).append(row)
    for same in held.values():
        for row in same:
            row.shared = tuple(other.path for other in same if other is not row)
            row.facts += [f"shared with {listed(list(row.shared))}"] if row.shared else []


def joined(path: str, name: str) -> str:
    """A dotted name."""
    return f"{path}.{name}" if path else name


def alike(children: Sequence[tuple[str, Module]]) -> list[list[tuple[str, Module]]]:
    """Children in groups: those in a row that look the same, if there are enough of them; else each alone."""
    groups: list[list[tuple[str, Module]]] = []
    for name, child in children:
        if groups and looks(groups[-1][0][1]) == looks(child):
            groups[-1].append((name, child))
        else:
            groups.append([(name, child)])
    return [part for group in groups for part in ([group] if len(group) >= ALIKE else [[one] for one in group])]


def looks(module: Module) -> tuple[Any, ...]:
    """What two modules that look the same have in common."""
    tensors = [(name, tuple(p.shape), p.requires_grad) for name, p in module.named_parameters()]
    return repr(module), module.training, tensors


def described(module: Module) -> str:
    """Linear(784 → 256), as its repr says it."""
    extra = module.extra_repr()
    return f"{type(module).__name__}({extra})" if extra else type(module).__name__


def modes(module: Module) -> list[str]:
    """Its mode and its hooks."""
    lists: Any = vars(module).get("_hooks")
    count = 0 if lists is None else sum(len(getattr(lists, name)) for name in HOOKS)
    return ["training" if module.training else "eval", *([plural(count, "hook")] if count else [])]


# ---- sentences -------------------------------------------------------------------------------------------


def describe_total(module: Module, rows: Sequence[Row]) -> str:
    """What there is in all."""
    count = len(list(module.modules())) - 1
    buffers = len(list(module.buffers()))
    held = f" and {plural(buffers, 'buffer')}" if buffers else ""
    tensors = len(list(module.parameters()))
    memory = sum(p.numel() * p.itemsize for p in module.parameters())
    return (
        f"`{type(module).__name__}` holds {plural(count, 'module')}, {plural(tensors, 'parameter')}{held}: "
        f"{rows[0].entries:,} numbers to learn, {size(memory)}."
    )


def walked(rows: Sequence[Row]) -> list[Json]:
    """Module by module."""
    steps: list[Json] = []
    for k, row in enumerate(rows):
        if row.kind != "module" or not row.path:
            continue
        own = [r for r in rows[k + 1 :] if r.depth == row.depth + 1 and r.path.startswith(f"{row.path}.")]
        tensors = [r for r in own if r.kind != "module"]
        focus = [row.id, *(r.id for r in tensors)]
        steps.append(
            {
                "phase": "modules",
                "say": describe_module(row, tensors, rows[0].entries),
                "focus": focus,
                "at": len(steps) + 1,
            }
        )
    return steps


def describe_module(row: Row, tensors: Sequence[Row], total: int) -> str:
    """What one module holds."""
    kept = [f"{r.name} {r.what}" for r in tensors if r.kind == "parameter"]
    buffers = [r.name for r in tensors if r.kind == "buffer"]
    parts = [listed(kept)] if kept else []
    parts += [f"the {'buffer' if len(buffers) == 1 else 'buffers'} {listed(buffers)}"] if buffers else []
    what = row.what if len(row.what) <= SHORT else row.what.partition("(")[0]
    holds = f" holds {', and '.join(parts)}" if parts else ""
    if not row.entries:
        return f"`{row.path}`, {what},{holds or ' has no parameters'}: nothing to learn."
    share = 100 * row.entries / total
    also = [f"{r.name} is the same tensor as {listed([f'`{path}`' for path in r.shared])}" for r in tensors if r.shared]
    told = f"; {', '.join(also)}, counted once in all" if also else ""
    return f"`{row.path}`, {what},{holds}: {row.entries:,} numbers to learn, {percent(share)} of all{told}."


def percent(share: float) -> str:
    """98 %, or under 1 %.

    Example:
        >>> percent(98.4), percent(0.2)
        ('98 %', 'under 1 %')
    """
    return f"{round(share)} %" if share >= 1 else "under 1 %"


def ran(rows: Sequence[Row], model: Model) -> list[Json]:
    """Op by op, where an op reads parameters."""
    steps, tensors = list[Json](), named(rows, model)
    top = rows[0].what.partition("(")[0]
    for moment in moments_of(model):
        op = moment.op
        read = [] if op is None else [tensors[t] for t in dict.fromkeys(op.inputs) if t in tensors]
        if op is None or not read:
            continue
        owner = read[0].path.rpartition(".")[0]
        if moment.phase == "update":
            updated(steps, moment, read)
            continue
        verb = "goes back through" if moment.phase == "backward" else "reads"
        say = f"`{owner or top}`: {moment.what} {verb} {listed([f'`{r.path}`' for r in read])}."
        focus = [f"m:{owner}", *(r.id for r in read), op.id]
        steps.append({"phase": moment.phase, "say": say, "focus": focus, "line": moment.line, "at": moment.until})
    return steps


def updated(steps: list[Json], moment: Moment, read: Sequence[Row]) -> None:
    """All writes of an update are one step."""
    if not steps or steps[-1]["phase"] != "update":
        steps.append({"phase": "update", "focus": [], "line": moment.line})
    step = steps[-1]
    step["focus"] = list(dict.fromkeys([*step["focus"], *(row.id for row in read)]))
    step["at"] = moment.until
    step["say"] = f"The update writes {plural(len(step['focus']), 'parameter')} in place."


def named(rows: Sequence[Row], model: Model) -> dict[str, Row]:
    """Which row a tensor of the recording is, by its name, before and after it is written to."""
    paths = {row.path: row for row in rows if row.tensor is not None}
    found: dict[str, Row] = {}
    for tensor in model.tensors.values():
        name = model.name(tensor.id).rstrip("′")
        row = paths.get(name) or next((r for path, r in paths.items() if name.endswith(f".{path}")), None)
        if row is not None:
            found[tensor.id] = row
    return found


def link_parameters(links: Links, rows: Sequence[Row], model: Model) -> None:
    """A parameter lights up with its tensors and the ops that read them; a module with the lines of those."""
    for tensor, row in named(rows, model).items():
        links.pair(row.id, tensor)
        for op in model.ops:
            if tensor in op.inputs:
                owner = f"m:{row.path.rpartition('.')[0]}"
                links.star(row.id, [op.id, op.line])
                links.star(owner, [op.id, op.line])


def describe_row(row: Row) -> str:
    """The facts about a row."""
    parts = [f"`{row.path or 'the module'}`", row.kind, row.what, *row.facts]
    parts += [f"{row.entries:,} numbers to learn"] if row.entries else []
    if row.tensor is not None:
        parts.append(size(row.tensor.numel() * row.tensor.itemsize))
    return " · ".join(parts)


def drawn(row: Row, total: int) -> Json:
    """A row as the panel holds it."""
    return {
        "id": row.id,
        "kind": row.kind,
        "depth": row.depth,
        "name": row.name,
        "what": row.what,
        "count": row.entries,
        "share": row.entries / total if total else 0,
        "facts": row.facts,
    }
