"""Trace once, then run the compiled program for as long as its guards hold.

A graph is right only for what it was traced with: these shapes, these dtypes, these Python values. Guards say so, and a
call that does not match is traced again. Where Python asked for a number, the answer becomes a guard too: each answer
has a graph of its own. If a gradient is wanted, the program becomes one node of the tape, with a program for its rule.
"""

import numpy as np

from .cut import choose_saved
from .errors import teach
from .interpret import stack
from .joint import split, trace_joint
from .passes import simplify
from .program import TARGETS, Program
from .tape import TapeNode, tape
from .tensor import Tensor, Value
from .trace import Trace

LIMIT = 16  # graphs of one function; after that it runs as it was written
PLAIN = (bool, int, float, str, type(None))


class Region:
    """One graph of a function, compiled. To the tape it is one op."""

    name = "region"

    def __init__(self, trace, target):
        self.trace, self.target = trace, target
        self.graph = simplify(trace.graph)
        self.plain, self.pairs = None, {}  # programs, made when first needed; pairs by the inputs that want a gradient

    def run(self, tensors):
        """The results as tensors."""
        values = [x.value if isinstance(x, Tensor) else x for x in tensors]
        nodes = tuple(x.node if isinstance(x, Tensor) else None for x in tensors)
        if self.trace.question or not (tape.recording and any(nodes)):
            self.plain = self.plain or Program(self.graph, self.target)
            return [Tensor(np.asarray(y), None, tape) for y in self.plain(*values)]
        if not self.trace.single:
            raise teach("several", count=len(self.graph.outputs))
        wanted = tuple(k for k, node in enumerate(nodes) if node)
        forward, backward = self.pair(wanted)
        out, *saved = forward(*values)
        out, params = np.asarray(out), {"backward": backward, "wanted": wanted}
        return [Tensor(out, TapeNode(out.shape, self, params, nodes, (None, *saved)), tape)]

    def pair(self, wanted):
        """The programs for forward and backward, for the inputs whose numbers are `wanted`."""
        if wanted not in self.pairs:
            joint = simplify(trace_joint(self.graph, wanted))
            self.pairs[wanted] = [Program(simplify(half), self.target) for half in split(joint, choose_saved(joint))]
        return self.pairs[wanted]

    def vjp(self, g, _out, *saved, backward, wanted):
        """The rule of the region."""
        if isinstance(g, Value):
            raise teach("twice")
        found = dict(zip(wanted, backward(*saved, g)))
        return [found.get(k) for k in range(len(self.graph.inputs))]


class Compiled:
    """A function that is traced when its guards fail."""

    def __init__(self, f, target="c"):
        if target not in TARGETS:
            raise teach("target", target=target, targets=", ".join(TARGETS))
        self.f, self.target, self.regions, self.log = f, target, {}, []

    def __call__(self, *args):
        if stack[-1] is not tape:  # inside a transform or another trace: be part of that
            return self.f(*args)
        guards, answers = (*map(guard, args), *read_outside(self.f)), ()
        while True:
            region = self.regions.get((guards, answers)) or self.add_region(guards, answers, args)
            if region is None:
                return self.f(*(Tensor(x, None, tape) if isinstance(x, np.ndarray) else x for x in args))
            results = tape.run_region(region, [x for x in args if hasattr(x, "shape")] + region.trace.captured)
            if not region.trace.question:
                return results[0] if region.trace.single else tuple(results)
            answers += (results[0].number(region.trace.question.kind),)  # the next graph begins with this answer

    def add_region(self, guards, answers, args):
        """Trace and compile for these guards; None if there are too many graphs already."""
        if len(self.regions) >= LIMIT:
            self.log.append(f"not compiled: there are {LIMIT} graphs already, so f runs as it was written")
            return None
        trace = Trace(self.f, args, answers)
        before = self.regions[guards, answers[:-1]].trace.asked if answers else []
        if not trace.equals(Trace(self.f, args, answers)) or trace.asked[: len(before)] != before:
            raise teach("impure", name=trace.name, where=f" with the answers {list(answers)}" if answers else "")
        region = self.regions[guards, answers] = Region(trace, self.target)
        found = ", ".join(map(str, guards)) + "".join(f", answer {a}" for a in answers)
        self.log.append(f"graph {len(self.log)} for ({found})")
        if trace.question:
            self.log.append(f"break: {trace.question}")
        return region

    def explain(self):
        """What was traced and why, and every program that has been made so far."""
        made = [(r.plain, *(half for pair in r.pairs.values() for half in pair)) for r in self.regions.values()]
        return "\n\n".join(["\n".join(self.log), *(p.explain() for programs in made for p in programs if p)])


def guard(x):
    """What must be the same for a graph to be used again."""
    if isinstance(x, Tensor | np.ndarray | np.generic):
        return f"{np.dtype(x.dtype)}{list(x.shape)}"
    if isinstance(x, PLAIN):
        return type(x).__name__, repr(x)  # 1, 1.0 and True are equal, and so are 0.0 and -0.0
    try:
        hash(x)
    except TypeError:
        raise teach("guard", thing=x, kind=type(x).__name__) from None
    return x


def read_outside(f):
    """What f reads by name from around it: the value of what is plain, the identity of all else."""
    f = getattr(f, "__func__", f)
    code = getattr(f, "__code__", None)
    if code is None:
        return
    found = {name: f.__globals__[name] for name in code.co_names if name in f.__globals__}
    cells = zip(code.co_freevars, f.__closure__ or ())
    found |= {name: cell.cell_contents for name, cell in cells if cell != type(cell)()}
    for name, value in found.items():
        yield name, repr(value) if isinstance(value, PLAIN) else id(value)


def compile(f, target="c"):
    """f, traced and compiled when it is first called. It must be pure: what Python does besides ops happens once.

    Values that f reads by name from around it are guarded; what it reads through attributes, as `self.scale`, is not.
    """
    return Compiled(f, target)
