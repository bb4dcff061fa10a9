"""The blocks of a recording: what each is called, who made it, whose it is, and how much lives when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ..memory.ledger import CATEGORIES
from ..recording import events as ev
from .model import Model, atom
from .moments import Moment
from .numbers import several, shape

OWNERS = 7  # the others are one


@dataclass(slots=True, eq=False)
class Holding:
    """One block."""

    birth: ev.Birth
    death: ev.Death | None
    name: str
    tensor: str | None
    moment: Moment | None
    owner: str = ""

    @property
    def born(self) -> int:
        """When; −1 for what was there before."""
        return -1 if self.birth.phase == "before" else self.birth.n

    @property
    def died(self) -> int | None:
        """When; None if it outlives the recording."""
        return self.death.n if self.death is not None else None

    @property
    def op(self) -> ev.Op | None:
        """The op that made it, or whose rule did."""
        return self.moment.op if self.moment is not None else None


def holdings(model: Model, moments: Sequence[Moment]) -> list[Holding]:
    """All blocks, in the order of their births."""
    made = {birth.id: moment for moment in moments for birth in moment.births}
    summed = {event.node for event in model.recording.each(ev.Sum) if event.parts > 1}
    sent = {id: name for moment in moments for id, name in sent_by(model, moment, summed).items()}
    died = {death.id: death for death in model.recording.each(ev.Death)}
    on = memories(model)
    found: list[Holding] = []
    for birth in model.recording.each(ev.Birth):
        moment = made.get(birth.id) if birth.phase != "before" and birth.category != "input" else None
        tensor = tensor_of(model, birth, moment, on)
        name = name_of(model, birth, tensor, sent.get(birth.id, ""))
        one = Holding(birth, died.get(birth.id), name, tensor, moment)
        one.owner = owner_of(model, one)
        found.append(one)
    return found


def memories(model: Model) -> dict[str, str]:
    """For each memory the tensor that says best what it holds: the first one that the reader has named."""
    found: dict[str, str] = {}
    for tensor in model.tensors.values():
        known = found.get(tensor.memory)
        if known is None or (model.name(known) == known and model.name(tensor.id) != tensor.id):
            found[tensor.memory] = tensor.id
    return found


def tensor_of(model: Model, birth: ev.Birth, moment: Moment | None, on: dict[str, str]) -> str | None:
    """The tensor whose memory a block is."""
    if birth.memory in on:
        return on[birth.memory]
    op = moment.op if moment is not None else None
    return op.output if op is not None and op.n == moment.n and op.op == birth.op else None  # pyright: ignore[reportOptionalMemberAccess]


SEED = "the seed"


def sent_by(model: Model, moment: Moment, summed: set[str]) -> dict[str, str]:
    """The blocks of a walk that were born in a moment, by what they hold: the seed, or the adjoint of a tensor.

    A rule sends one adjoint to each input. Its block has the adjoint's shape, or fewer entries where one number stands
    for many. Where a node is `summed`, from several parts, a part is named with the op that sends it, and what is left
    over is the sum.
    """
    names: dict[str, str] = {}
    waiting = [send for send in moment.sends if not several(send.value)]
    told = list[ev.Send]()
    for birth in moment.births if moment.phase == "backward" else []:
        if birth.category != "temporary":
            continue
        if birth.n < moment.n:
            names[birth.id] = SEED
            continue
        alike = [send for send in waiting if send.value.shape == birth.shape]
        again = [send for send in told if send.value.shape == birth.shape]
        fitting = alike or again or [send for send in waiting if prod(birth.shape) < send.value.numel]
        if fitting:
            names[birth.id] = adjoint(model, fitting[0].to)
            if fitting[0] in waiting:
                names[birth.id] += f" by {moment.op.op}" if moment.op and fitting[0].to in summed else ""
                waiting.remove(fitting[0])
                told.append(fitting[0])
    return names


def adjoint(model: Model, node: str) -> str:
    """What the gradient that a node gets is called."""
    of = next((t.id for t in model.tensors.values() if t.node == node), None)
    return f"∂{atom(model.name(of))}" if of is not None else "∂"


def name_of(model: Model, birth: ev.Birth, tensor: str | None, sent: str) -> str:
    """What a block is called; `sent` is what it is in a walk."""
    if birth.leaf is not None and birth.category == "gradient":
        return model.grad(birth.leaf)
    if tensor is not None and model.name(tensor) != tensor:
        return model.name(tensor)
    return sent or f"{birth.op or birth.category} {shape(birth.shape)}"


def owner_of(model: Model, one: Holding) -> str:
    """The module that owns a parameter and its gradient; else the line that made the block."""
    leaf = one.birth.leaf or (one.tensor if one.birth.category == "parameter" else None)
    if leaf is not None:
        module, dot, _ = model.name(leaf).rpartition(".")
        return module if dot else model.name(leaf)
    line = one.birth.line or (one.op.line if one.op is not None else None)
    return f"line {line[1:].partition('.')[0]}" if line else "given"


def owners(found: Sequence[Holding]) -> list[str]:
    """The owners of most bytes, in the order in which they appear; and one word for the others."""
    size: Counter[str] = Counter()
    for one in found:
        size[one.owner] += one.birth.nbytes
    large = {name for name, _ in size.most_common(OWNERS)}
    names = [name for name in dict.fromkeys(one.owner for one in found) if name in large]
    return names if len(large) == len(size) else [*names, "others"]


def alive(found: Sequence[Holding], n: int) -> list[Holding]:
    """What lives right after event `n`."""
    return [one for one in found if one.born <= n and (one.died is None or one.died > n)]


def peak(found: Sequence[Holding]) -> tuple[int, int]:
    """When most was alive, and how many bytes: the first such event."""
    changes = [(one.born, one.birth.nbytes) for one in found]
    changes += [(one.died, -one.birth.nbytes) for one in found if one.died is not None]
    live = top = at = 0
    for n, size in sorted(changes, key=lambda change: change[0]):
        live += size
        if live > top:
            top, at = live, n
    return at, top


def composition(found: Sequence[Holding]) -> list[tuple[str, int]]:
    """Bytes by category, in the order in which they are shown."""
    sums: Counter[str] = Counter()
    for one in found:
        sums[one.birth.category] += one.birth.nbytes
    return [(name, sums[name]) for name in CATEGORIES if sums[name]]
