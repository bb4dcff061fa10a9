"""The way into a region where a gradient is wanted that costs least: one test, the kernel, and a node on the tape.

What the node consists of is known when the kernels are there, so it is written out: no loop over arguments or results
is left. `Eager.custom` does the same for any call. Arguments of other types, with other histories, or on another tape
go there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...autograd import EAGER
from ...autograd.context import FunctionContext
from ...autograd.custom import CustomOp
from ...autograd.node import NOTHING, Node, Saved, next_order
from ...core.interpret import grad_mode, stack
from ...func.trees import flatten
from ...tensors.tensor import Storage, Tensor, View, storage_of, tracked
from ..autodiff.again import Given
from ..autodiff.imagined import Place
from ..ir.graph import Node as Value
from ..ir.views import root
from ..targets.numpy.backend import built, format_input
from .call import RegionCall, name_of
from .entry import kernel_lines, returned
from .results import Plan, Source
from .stages import Memory

MISS = object()  # what a way gives to arguments that it is not for
SCOPE: dict[str, Any] = {
    "top_op": stack.get, "grad_op": grad_mode.get, "EAGER_op": EAGER, "MISS_op": MISS, "bare_op": object.__new__,
    "tracked_op": tracked, "storage_op": storage_of, "next_op": next_order, "NOTHING_op": NOTHING, "Tensor_op": Tensor,
    "Node_op": Node, "Call_op": RegionCall, "Op_op": CustomOp, "Ctx_op": FunctionContext, "Given_op": Given,
    "Saved_op": Saved, "Storage_op": Storage,
}  # fmt: skip


def taped(region: Any, wanted: tuple[int, ...], given: Sequence[Any]) -> Callable[..., Any] | None:
    """A function of the region and its arguments that runs the forward kernel and leaves the node; None: there is none.

    Args:
        region: The region, or one at given sizes.
        wanted: The positions of the arguments that want a gradient.
        given: Arguments; the function is for others of the same types.
    """
    kernels, plan = region.differentiated(wanted), region.plan
    leaves = flatten(kernels.parts.forward.returned)[0]
    results = leaves[: len(kernels.joint.outputs)]
    lent = [n for n in results if not isinstance(n, Value) or root(n).kind != "call"]
    boxed = any(isinstance(x, Tensor) and type(x).level != 0 for x in given)
    if plan.writes or lent or boxed or not kernels.joint.moving:
        return None
    ins = Ins([format_input(n) for n in kernels.parts.forward.placeholders], given, wanted)
    run, values, scope = kernel_lines(kernels.forward, ins.arguments, len(leaves))
    outs = Outs(plan, results, kernels, values)
    own = len(given) - len(region.pure.outside)
    scope |= SCOPE | dict(zip(ins.names[own:], region.pure.outside, strict=True)) | region.lengths
    scope |= {"build": plan.build, "result_op": plan.result, "direct_op": pulled(region, wanted, kernels, given)}
    scope |= {"wanted_op": wanted, "name_op": name_of(region), "own_op": outs.own()} | ins.scope() | outs.scope()
    body = [
        *ins.fit(),
        *ins.read(),
        *run,
        "node_op, ctx_op, op_op, call_op = bare_op(Node_op), bare_op(Ctx_op), bare_op(Op_op), bare_op(Call_op)",
        *outs.made(),
        *ins.noted(),
        "call_op.region, call_op.wanted, call_op.name, call_op.given = region_op, wanted_op, name_op, given_op",
        f"op_op.name, op_op.call, op_op.arity, op_op.parts = name_op, call_op, {len(given)}, {{}}",
        f"op_op.dtypes, op_op.outs, op_op.direct = dtypes_op, [{outs.facts()}], direct_op",
        *outs.kept(),
        "ctx_op.needs_input_grad, ctx_op.materialize, ctx_op._own = needs_op, False, own_op",
        "node_op.op, node_op.params, node_op.hooks, node_op.order = op_op, NOTHING_op, None, next_op()",
        f"node_op.edges, node_op.saved = {ins.edges()}, {{'ctx': ctx_op}}",
        *outs.ends(),
        f"return {outs.handed_back(region, ins.names)}",
    ]
    head = f"def f({', '.join(['region_op', *ins.names[:own]])}):"
    return built("\n    ".join([head, *body]), f"entry of {plan.core.name}", scope)


class Ins:
    """The lines about arguments. Tensor `i` is called t{i}_op, its node n{i}_op, its storage s{i}_op."""

    def __init__(self, arguments: list[str], given: Sequence[Any], wanted: tuple[int, ...]) -> None:
        self.arguments, self.given, self.wanted = arguments, given, wanted
        self.kinds: dict[int, type] = {i: type(x) for i, x in enumerate(given) if isinstance(x, Tensor)}
        self.names = [f"t{i}_op" if i in self.kinds else a for i, a in enumerate(arguments)]

    def scope(self) -> dict[str, Any]:
        """What the lines name."""
        needs = tuple(i in self.wanted for i in range(len(self.given)))
        dtypes = [x.dtype if isinstance(x, Tensor) else None for x in self.given]
        return {"needs_op": needs, "dtypes_op": dtypes} | {f"type{i}_op": kind for i, kind in self.kinds.items()}

    def fit(self) -> list[str]:
        """Go elsewhere unless the plain tape runs, types are the same, and just the arguments wanted have a history."""
        node = {i: f"tracked_op(t{i}_op)" if issubclass(k, View) else f"t{i}_op.node" for i, k in self.kinds.items()}
        kinds = [f"type(t{i}_op) is not type{i}_op" for i in self.kinds]
        history = [f"n{i}_op is None" if i in self.wanted else f"{node[i]} is not None" for i in self.kinds]
        return [
            f"if {' or '.join(['top_op() is not EAGER_op or not grad_op()', *kinds])}: return MISS_op",
            *(f"n{i}_op = {node[i]}" for i in self.wanted),
            f"if {' or '.join(history)}: return MISS_op",
        ]

    def read(self) -> list[str]:
        """The arrays."""
        return [f"{self.arguments[i]} = t{i}_op.value" for i in self.kinds]

    def noted(self) -> list[str]:
        """The arguments with their storages and versions, for a walk that is to be differentiated in turn."""
        storages, all_ = [f"s{i}_op" if i in self.kinds else "None" for i in range(len(self.given))], self.arguments
        return [
            *(f"s{i}_op = t{i}_op.storage or storage_op(t{i}_op)" for i in self.kinds),
            f"given_op = bare_op(Given_op); given_op.values = [{', '.join(all_)}]",
            f"given_op.storages = [{', '.join(storages)}]",
            f"given_op.versions = [{', '.join('0' if s == 'None' else f'{s}.version' for s in storages)}]",
        ]

    def edges(self) -> str:
        """Where the node leads."""
        return f"({''.join(f'n{i}_op, ' if i in self.wanted else 'None, ' for i in range(len(self.given)))})"


class Outs:
    """The lines about what the kernel gives: `values`, first results, which are called r{k}_op, then what is saved."""

    def __init__(self, plan: Plan, results: list[Value], kernels: Any, values: list[str]) -> None:
        self.plan, self.results, self.values = plan, results, values
        self.moving, self.memories, self.holds = kernels.joint.moving, kernels.memories, list(kernels.tape.holds)
        self.names = [f"r{k}_op" for k in range(len(results))]

    def scope(self) -> dict[str, Any]:
        """What the lines name."""
        places = {f"place{j}_op": place for j, place in enumerate(self.holds)}
        return {f"dtype{k}_op": n.dtype for k, n in enumerate(self.results)} | places

    def made(self) -> list[str]:
        """The results as tensors, which know how often the program has written into them."""
        lines = list[str]()
        for y, value, times in zip(self.names, self.values, self.plan.versions, strict=False):
            lines.append(f"{y} = bare_op(Tensor_op); {y}.value, {y}.node, {y}.storage = {value}, None, None")
            lines += [f"storage_op({y}).version = {times}"] * (times > 0)
        return lines

    def kept(self) -> list[str]:
        """What is saved, with its storage and version: that of a result or argument in whose memory it lies."""
        since = [f"place{j}_op: ({self.lies(p)}, {self.since(p)})" for j, p in enumerate(self.holds)]
        lines = ["between_op = Storage_op()", f"call_op.freed, call_op.since = set(), {{{', '.join(since)}}}"]
        kept, numbers = list[str](), list[str]()
        for i, (value, at) in enumerate(zip(self.values[len(self.results) :], self.memories, strict=True)):
            kept.append("None" if at.number else f"k{i}_op")
            numbers += [f"{i}: {value}"] * at.number
            if not at.number:
                place = place_of(at)
                storage = "between_op" if place is None or place not in self.holds else self.lies(place)
                value = f"{value}.copy()" if place is not None and place not in self.holds else value
                lines.append(f"k{i}_op = k_op = bare_op(Saved_op); k_op.value, k_op.node = {value}, None")
                lines.append(f"k_op.storage = at_op = {storage}; k_op.version = at_op.version")
        lines += [f"call_op.numbers = {{{', '.join(numbers)}}}"] * bool(numbers)
        return [*lines, f"ctx_op._kept = [{', '.join(kept)}]"]

    def lies(self, place: Place) -> str:
        """The storage of an argument or result."""
        return f"s{place.position}_op" if place.argument else f"storage_op({self.names[place.position]})"

    def since(self, place: Place) -> str:
        """The version that it had before the region wrote into it."""
        return f"s{place.position}_op.version" if place.argument else "0"

    def own(self) -> dict[int, int]:
        """Which saved values are results."""
        return {i: at.result for i, at in enumerate(self.memories) if at.result >= 0 and place_of(at) in self.holds}

    def facts(self) -> str:
        """Shape, dtype and device of the results."""
        named = zip(self.names, self.results, strict=True)
        return ", ".join(f"({y}.value.shape, dtype{k}_op, {n.device!r})" for k, (y, n) in enumerate(named))

    def ends(self) -> list[str]:
        """Where their cotangents go."""
        if len(self.names) == 1:
            return ["node_op.shape, r0_op.node = r0_op.value.shape, node_op"]
        return ["node_op.shape = ()", *(f"r{k}_op.node = op_op.end(node_op, {k})" for k in self.moving)]

    def handed_back(self, region: Any, given: list[str]) -> str:
        """The user's result."""
        if any(isinstance(s, Source) and (s.argument or s.views) for s in self.plan.sources):
            return f"result_op([{', '.join(given)}], [{', '.join(self.names)}])"
        return returned(region, self.names)


def pulled(region: Any, wanted: tuple[int, ...], kernels: Any, given: Sequence[Any]) -> Callable[..., Any] | None:
    """The rule of the node on arrays, for a walk from all results to all arguments: the backward kernel, written out.

    None if a gradient is not of its argument's dtype, or something is written inside that eager execution asks for. The
    rule gives None where `RegionCall.backward` has to look.
    """
    parts, moving, memories, tape = kernels.parts, kernels.joint.moving, kernels.memories, kernels.tape
    met, places = tape.walk(moving), list(tape.holds)
    leaves = flatten(parts.backward.returned)[0]
    if met.refused or any(n.dtype != given[i].dtype for n, i in zip(leaves, wanted, strict=True)):
        return None
    arguments = [format_input(n) for n in parts.backward.placeholders]
    saved, tangents = arguments[: len(memories)], arguments[len(memories) :]
    run, values, scope = kernel_lines(kernels.backward, arguments, len(leaves))
    several = len(kernels.joint.outputs) > 1
    kept = [f"k{i}_op" for i in range(len(saved))]
    tensors = [k for k, at in zip(kept, memories, strict=True) if not at.number]
    asked = {places.index(place): version for place, version in met.relies}
    unfit = ["call_op.to is not None or call_op.freed", *(f"{k}.storage.version != {k}.version" for k in tensors)]
    unfit += [f"p{j}_op[0].version != p{j}_op[1] + {version}" for j, version in asked.items()]
    unfit += [f"{t} is None" for t in tangents] if several else []
    held = [f"call_op.numbers[{i}]" if at.number else f"k{i}_op.value" for i, at in enumerate(memories)]
    found = {i: owned(values, k, arguments) for k, i in enumerate(wanted) if i in met.arrives}
    body = [
        "def f(node_op, g_op):",
        "call_op = node_op.op.call",
        *([f"{''.join(f'{k}, ' for k in kept)} = node_op.saved['ctx']._kept"] if kept else []),
        *(f"{t} = g_op[{k}]" if several else f"{t} = g_op" for t, k in zip(tangents, moving, strict=True)),
        *([f"{''.join(f'p{j}_op, ' for j in range(len(places)))} = call_op.since.values()"] if places else []),
        f"if {' or '.join(unfit)}: return None",
        *map("{} = {}".format, saved, held),
        *run,
        "call_op.asked = moving_op",
        f"return [{', '.join(found.get(i, 'None') for i in range(len(given)))}]",
    ]
    scope |= {"moving_op": moving} | region.lengths
    return built("\n    ".join(body), f"rule of {region.plan.core.name}", scope)


def place_of(at: Memory) -> Place | None:
    """The argument or result in whose memory a saved value lies; None if it has its own."""
    position = max(at.result, at.argument)
    return None if position < 0 else Place(at.result < 0, position)


def owned(values: list[str], k: int, given: list[str]) -> str:
    """A gradient in memory of its own: a kernel may give one value for two of them, or hand on what it was given."""
    return f"{values[k]}.copy()" if values[k] in given or values[k] in values[:k] else values[k]
