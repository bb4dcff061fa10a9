"""The machine code of `questions`: it walks from objects to what they hold, and leaves at the first wrong answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from .interpreter import answer, outer, word
from .layout import BASE, DATA, DTYPE, FIT, FLAGS, LENGTHS, NDIM, STRIDES, TYPE
from .types import I32, I64, POINTER, ir

NO, YES = ir.Constant(I64, 0), ir.Constant(I64, 1)
EMPTY = ir.Constant(POINTER, None)  # what lies in a slot that nothing was put in


class Asking:
    """A function being written. Each `ask` goes on only if its answer is yes; what is behind the last gives True."""

    def __init__(self, module: Any, name: str) -> None:
        words = ir.FunctionType(POINTER, [POINTER, POINTER, I64])
        self.module, self.fn = module, ir.Function(module, words, name)
        self.constants, self.objects, self.count = self.fn.args
        self.b: Any = ir.IRBuilder(self.fn.append_basic_block("begin"))
        self.wrong: Any = self.fn.append_basic_block("wrong")
        answer(ir.IRBuilder(self.wrong), module, False)

    # ---- reading ----------------------------------------------------------------------------------------------------
    def at(self, p: Any, offset: int, kind: Any = POINTER) -> Any:
        """What lies so many bytes behind an address."""
        return self.b.load(word(self.b, p, offset), typ=kind)

    def nth(self, p: Any, i: Any, kind: Any = I64) -> Any:
        """The word at a position of a row."""
        return self.b.load(self.b.gep(p, [i], source_etype=I64), typ=kind)

    def behind(self, p: Any, words: Any) -> Any:
        """The address so many words further."""
        return self.b.gep(p, [words], source_etype=I64)

    def constant(self, i: int) -> Any:
        """An object that all these functions know."""
        return self.at(self.at(self.constants, DATA), 8 * i)

    @property
    def none(self) -> Any:
        """`None`."""
        return self.constant(0)

    def held(self, x: Any, slot: int) -> Any:
        """What lies in a slot of an object, if something does."""
        found = self.at(x, slot)
        self.differ(found, EMPTY)
        return found

    def whole(self, i: int) -> Any:
        """An argument that is a number."""
        return self.b.call(outer(self.module, "PyLong_AsLongLong", I64, [POINTER]), [self.at(self.objects, 8 * i)])

    # ---- asking -----------------------------------------------------------------------------------------------------
    def ask(self, truth: Any) -> None:
        """Go on if this holds."""
        right = self.fn.append_basic_block("right")
        self.b.cbranch(truth, right, self.wrong)
        self.b.position_at_end(right)

    def same(self, x: Any, y: Any) -> None:
        """Go on if two words are one and the same."""
        self.ask(self.b.icmp_unsigned("==", x, y))

    def differ(self, x: Any, y: Any) -> None:
        """Go on if two words differ."""
        self.ask(self.b.icmp_unsigned("!=", x, y))

    @contextmanager
    def unless(self, truth: Any) -> Generator[None]:
        """What is written here runs only if this does not hold."""
        inside, after = (self.fn.append_basic_block(name) for name in ("else", "after"))
        self.b.cbranch(truth, after, inside)
        self.b.position_at_end(inside)
        yield
        self.b.branch(after)
        self.b.position_at_end(after)

    @contextmanager
    def each(self, first: Any, end: Any, *carried: Any) -> Generator[tuple[Any, Any, list[Any]]]:
        """A loop: its number, what it carries, and the list to which it adds that for the next round."""
        before, head, inside, after = (
            self.b.block,
            *(self.fn.append_basic_block(n) for n in ("head", "inside", "after")),
        )
        self.b.branch(head)
        self.b.position_at_end(head)
        i, *states = (self.b.phi(x.type) for x in (first, *carried))
        self.b.cbranch(self.b.icmp_signed("<", i, end), inside, after)
        self.b.position_at_end(inside)
        new = list[Any]()
        yield i, states, new
        for phi, start, again in zip((i, *states), (first, *carried), (self.b.add(i, YES), *new), strict=True):
            phi.add_incoming(start, before)
            phi.add_incoming(again, self.b.block)
        self.b.branch(head)
        self.b.position_at_end(after)


def fits(a: Asking, value: int, node: int, *_slots: int) -> None:
    """Whether tensors have the facts that a table names."""
    table = a.at(a.at(a.objects, 0), DATA)
    with a.each(YES, a.count, table) as (i, (entry,), following):
        x, b = a.nth(a.objects, i, POINTER), a.b
        kind, history, dtype, ndim = (a.at(entry, 8 * k, I64) for k in (1, 2, 3, 4))
        a.same(a.at(x, TYPE, I64), kind)
        a.same(b.zext(b.icmp_unsigned("!=", a.at(x, node), a.none), I64), history)
        array = a.held(x, value)
        a.same(a.at(array, TYPE), a.constant(2))
        a.same(a.at(array, DTYPE, I64), dtype)
        a.same(a.at(array, NDIM, I32), b.trunc(ndim, I32))
        lengths, strides = a.at(array, LENGTHS), a.at(array, STRIDES)
        wanted = a.behind(entry, ir.Constant(I64, 5))
        steps = a.behind(wanted, ndim)
        with a.each(NO, ndim) as (k, _, _):
            b, length, want = a.b, a.nth(lengths, k), a.nth(wanted, k)
            two = b.icmp_signed(">=", length, ir.Constant(I64, 2))
            a.ask(b.select(b.icmp_signed("<", want, NO), two, b.icmp_signed("==", length, want)))
            each, axes = (a.nth(steps, b.add(b.shl(k, YES), n)) for n in (NO, YES))
            with a.each(NO, ndim, each) as (m, (step,), next_step):
                b = a.b
                multiplied = b.and_(b.lshr(axes, m), YES)
                next_step.append(b.select(b.trunc(multiplied, ir.IntType(1)), b.mul(step, a.nth(lengths, m)), step))
            a.same(a.nth(strides, k), step)
        following.append(a.behind(entry, a.at(entry, 0, I64)))


def leaves(a: Asking, value: int, node: int, hooks: int, grad: int) -> None:
    """Whether all tensors are leaves without hooks, at which gradients just arrive."""
    with a.each(NO, a.count) as (i, _, _):
        leaf = a.held(a.nth(a.objects, i, POINTER), node)
        a.same(a.at(leaf, TYPE), a.constant(1))
        a.same(a.at(leaf, hooks), a.none)
        held = a.held(leaf, grad)
        with a.unless(a.b.icmp_unsigned("==", held, a.none)):
            a.same(a.at(held, node), a.none)


def labels(a: Asking, value: int, *_slots: int) -> None:
    """Whether an array in row order has nothing but whole numbers below a number, and none below 0."""
    array = a.held(a.at(a.objects, 0), value)
    a.same(a.at(array, TYPE), a.constant(2))
    a.same(a.at(array, DTYPE), a.constant(3))
    a.same(a.b.and_(a.at(array, FLAGS, I32), ir.Constant(I32, FIT)), ir.Constant(I32, FIT))
    lengths, ndim = a.at(array, LENGTHS), a.b.zext(a.at(array, NDIM, I32), I64)
    with a.each(NO, ndim, YES) as (k, (count,), more):
        more.append(a.b.mul(count, a.nth(lengths, k)))
    data, classes = a.at(array, DATA), a.whole(1)
    with a.each(NO, count) as (i, _, _):
        a.ask(a.b.icmp_unsigned("<", a.nth(data, i), classes))  # seen as unsigned, -1 is huge


def apart(a: Asking, *_slots: int) -> None:
    """Whether the first n objects are none of the others, nor each other."""
    with a.each(YES, a.b.add(a.whole(0), YES)) as (i, _, _), a.each(a.b.add(i, YES), a.count) as (k, _, _):
        a.differ(a.nth(a.objects, i), a.nth(a.objects, k))


def owned(a: Asking, *_slots: int) -> None:
    """The same for arrays, and none shows memory of another. What is no array of NumPy's is a number of its own."""
    with a.each(YES, a.count) as (i, _, _):
        x = a.nth(a.objects, i, POINTER)
        with a.unless(a.b.icmp_unsigned("!=", a.at(x, TYPE), a.constant(2))):
            a.same(a.at(x, BASE), EMPTY)
    apart(a)


def assembly(offsets: Sequence[int]) -> str:
    """The functions as LLVM's assembly, for slots that lie at these offsets."""
    module = ir.Module("questions")
    for write in (fits, leaves, labels, apart, owned):
        asking = Asking(module, write.__name__)
        write(asking, *offsets)
        answer(asking.b, module, True)
    return str(module)
