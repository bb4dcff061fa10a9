"""Objects: attributes, fresh ones with containers, dataclasses, properties, special methods, the tools of functools."""

# ruff: noqa: E501
from tests.compile.deep.features.feature import Feature

BOXES = Feature(
    prelude="""
class Box:
    made = 0
    def __init__(self, n=0):
        self.n, self.t, self.items, self.scale, self.peer = n, ml.tensor([1.0, 1.0, 0.5]), [], 0.5, None
        self.p = ml.tensor([0.5, -1.0, 0.25], requires_grad=True)
        Box.made += 1
    def bump(self, by=1):
        self.n += by
        return self
    @property
    def twice(self):
        return self.t * 2
    @twice.setter
    def twice(self, value):
        self.t, self.n = value / 2, self.n + 1
""",
    world=("b, c = Box(1), Box(2)",),
    passed=("b", "c"),
    tensors=("$o.t * $t", "$o.twice", "$t * $o.scale", "$o.p * $t", "$o.bump().t", "getattr($o, 't')", "$o.peer.t if $o.peer else $t", "vars($o)['t']", "$o.__dict__['t'] * 2"),
    ints=("$o.n", "len($o.items)", "Box.made", "$o.bump(2).n", "getattr($o, 'q', 3)"),
    floats=("$o.scale",),
    conditions=("b is c", "$o.peer is $o", "hasattr($o, 'q')", "$o.n > 2", "$o.peer is None", "isinstance($o, Box)", "b.t is c.t", "b == c", "$o.items"),
    parameters=("b.p", "c.p"),
    statements=(
        "$o.t = $t", "$o.n += 1", "$o.n = n", "$o.items.append($t)", "$o.items.append(n)", "$o.scale = $o.scale + 0.25", "$o.peer = $o", "b.peer = c", "$o.q = n", "del $o.q", "setattr($o, 'q', $t)", "$o.twice = $t", "b.n, c.n = c.n, b.n", "$o.items = [n]", "$o.bump(n)", "Box.made = n", "$o.t.add_(1)",
        "$o.n = n; print('n'); $o.n += 1; n = $o.n", "$o.t = $t; print($o.n); $v = $o.t * 2", "$o.t = $v; $v = $v * 2; unused = $o.t", "$u = Box(n); $u.items.append($t); $o.peer = $u", "$u = Box(); $u.t = $t; $v = $u.twice", "$o.last = $v; $o.last = $t", "for o in (b, c): o.n += 1; o.t = o.t + $o.n", "$o.items.clear()", "$o.items[:] = [n, n]",
        "$v = $v + $o.n; $o.n = len(log)", "$o.n += 1\nif $m: $o.n += 10\n$v = $v * $o.n", "b.t, c.t = c.t, b.t", "$o.__dict__['z'] = n", "log.append(sorted(vars($o)))", "$o.log = log; $o.log.append(n)", "$o.t = $o.t.detach() * 0.5", "log.append($o.bump)", "($o.p * $t).sum().backward()", "$o.p.grad = None", "with ml.no_grad(): $o.p -= 0.1", "$o.p = $o.p.detach().requires_grad_()",
    ),
    heads=("for o in (b, c):", "if $o.n > 2:", "with ml.no_grad():", "if hasattr($o, 'q'):", "for q in $o.items:", "if $o.peer is not None:"),
    results=("b", "c.t", "b.peer", "Box(n)", "c.items", "b.p.grad"),
    between=("b, c = c, b", "c = b", "b.n = 5", "b.t = ml.tensor([2.0, 0.0, 1.0])", "c.peer = b", "b.items.append(1)", "b.q = 4", "Box.made = 0", "c = Box(7)", "b.t = c.t", "b.scale = 2", "b.scale = 1.5", "b.t = ml.ones(2, 3)", "b.peer = b", "c.items = b.items", "b.p.grad = None", "Box.bump = lambda self, by=1: setattr(self, 'n', self.n - by) or self", "b.bump = lambda by=1: c", "vars(b).pop('q', None)"),
    after=("r[0].sum().backward()", "b.p.grad = None", "b.items.append(r[0])", "log.append(b.n)", "(b.t * b.p).sum().backward()"),
)  # fmt: skip

FRESH = Feature(
    prelude="""
class Acc:
    def __init__(self, first):
        self.h, self.best, self.log = [first], {}, []
        self.total = first
    def add(self, t):
        self.h.append(t)
        self.total = self.total + t
        self.best[len(self.h)] = t
        return self
    def __len__(self):
        return len(self.h)
    def __call__(self, t):
        self.log.append(len(self))
        return t + self.total
    def __getitem__(self, i):
        return self.h[i]
    def __iter__(self):
        return iter(self.h)
    def __bool__(self):
        return len(self.h) > 1
    def __contains__(self, q):
        return q == len(self.h)
    def __add__(self, other):
        return Acc(self.total + (other.total if isinstance(other, Acc) else other))
    def __eq__(self, other):
        return isinstance(other, Acc) and len(self) == len(other)
    __hash__ = object.__hash__
    def __getattr__(self, name):
        if name.startswith('auto'):
            return len(name)
        raise AttributeError(name)

class Slim:
    __slots__ = ('a', 'b')
    shared = []
    def __init__(self, a):
        self.a = a
    @classmethod
    def make(cls, a):
        made = cls(a)
        made.b = [a]
        cls.shared.append(1)
        return made
    @staticmethod
    def double(t):
        return t * 2

class Deep(Acc):
    def __init__(self, first, n=1):
        super().__init__(first)
        self.n = n
    def add(self, t):
        super().add(t * self.n)
        self.log.append('deep')
        return self
""",
    world=("acc = Acc(ml.tensor([1.0, 0.5, 0.25]))", "slim = Slim.make(ml.tensor([1.0, 2.0, 3.0]))"),
    passed=("acc", "slim"),
    tensors=("acc($t)", "acc[0]", "Acc($t).add($t).total", "Deep($t, n).add($t)[-1]", "Slim.make($t).b[0]", "Slim.double($t)", "sum(Acc($t).add($t))", "(Acc($t) + $t).total", "slim.a * $t", "slim.b[0]"),
    ints=("len(acc)", "acc.automatic", "len(Slim.shared)", "len(Acc($t))", "len(slim.b)"),
    conditions=("acc", "2 in acc", "acc == Acc($t)", "bool(Acc($t))", "Acc($t) != acc", "hasattr(acc, 'nothing')", "isinstance(acc, Deep)", "hasattr(slim, 'b')"),
    statements=(
        "a = Acc($t); a.h.append($t); log.append(a)", "a = Acc($t); a.add($t).add($v); $v = a.total; log.append(a.best)", "acc.add($t.detach())", "$v = acc($t)", "a = Deep($t, n); a.add($v); log.append(a.log)", "a = Acc($t); a.best['k'] = a.h; a.h.append(n); log.append(a)", "slim.a = $t", "slim.b.append(n)", "a = Slim($t); a.b = [a.a]; $v = a.b[0]",
        "a = Acc($t); print(len(a)); a.h.append($t); log.append(a)", "a = Acc($t); a.extra = {'n': n}; a.extra['m'] = $t; log.append(a.extra)", "for q in acc: $v = $v + q", "a = Slim.make($v); log.append(a)", "a = [Acc($t), Acc($v)]; a[0].add(a[1].total); log.append(a)", "acc.h.pop() if len(acc) > 3 else None", "acc.total = acc.total.detach() * 0.5", "a = type('Made', (), {'v': $t})(); $v = a.v",
        "a = Acc($t)\nif $m: a.add($v)\nlog.append(a)", "a = Acc($t); a.self = a; a.h.append(a.self.total); log.append(a.h)", "acc.log += [n]", "a = object.__new__(Acc); a.h = [n]; log.append(len(a))", "a = Acc($t); b2 = a.h; a.h = [*b2, n]; log.append((a, b2))",
        "class Local:\n    size = n\n    def go(self, t): return t * self.size\n$v = Local().go($v)", "import copy; a = copy.copy(acc); a.h = []; log.append(a)",
    ),
    heads=("for q in acc:", "if acc:", "for q in Acc($t).add($v):", "if acc == Acc($t):"),
    results=("acc", "Acc(x)", "Acc(x).add(z)", "Deep(y, n).add(x)", "Slim.make(z)", "acc.h", "slim", "Acc(x).h"),
    between=("acc.h.clear()", "acc = Acc(x)", "acc = Deep(ml.ones(3), 2)", "slim = Slim.make(x)", "acc.add(ml.ones(3))", "Acc.extra = 3", "Acc.__len__ = lambda self: 2", "acc.automatic = 2", "Slim.shared = []"),
    after=("[q.add(r[0]) for q in r if isinstance(q, Acc)]", "log.append(len(acc))", "log.append([len(q) for q in r if isinstance(q, Acc)])"),
)  # fmt: skip

DATACLASSES = Feature(
    prelude="""
import dataclasses, enum, typing

@dataclasses.dataclass
class State:
    t: typing.Any
    n: int = 0
    seen: list = dataclasses.field(default_factory=list)
    def step(self, by):
        return dataclasses.replace(self, t=self.t + by, n=self.n + 1)

@dataclasses.dataclass(frozen=True)
class Config:
    scale: float = 0.5
    depth: int = 2

class Mode(enum.Enum):
    ADD = 1
    MUL = 2

class Both(typing.NamedTuple):
    t: typing.Any
    n: int = 1
""",
    world=("state = State(ml.tensor([1.0, 0.5, 2.0]))", "config = Config()", "mode = Mode.ADD", "two = Both(ml.tensor([2.0, 1.0, 0.0]))"),
    passed=("state", "config", "mode", "two"),
    tensors=("state.t * $t", "state.step($t).t", "$t * config.scale", "State($t).t", "dataclasses.replace(state, t=$t).t", "($t + 1 if mode is Mode.ADD else $t * 2)", "two.t * $t", "Both($t, n)[0]", "dataclasses.astuple(config)[0] * $t"),
    ints=("state.n", "config.depth", "mode.value", "two.n", "len(dataclasses.fields(state))"),
    conditions=("mode is Mode.ADD", "mode == Mode.MUL", "config == Config()", "config.scale > 0.7", "state.n > 1", "mode in (Mode.MUL,)", "two.n == n", "mode.name == 'ADD'"),
    statements=(
        "state.n += 1", "state.t = $t", "state.seen.append(n)", "s = State($t, n); s.seen.append($v); log.append(s)", "s = state.step($t); log.append(s)", "s = dataclasses.replace(state, n=n); s.seen.append(n)", "log.append(dataclasses.asdict(config))", "log.append(mode)", "log.append(mode.name)", "config.scale = 3", "log.append(repr(config))", "$v = Both($v, n)._replace(t=$t).t",
        "for q in Mode: n += q.value", "s = State($t); s.n = n; print(s.n); s.n += 1; log.append(s)", "q, m = two; $v = q * m", "log.append(State($t.detach(), n) is state)", "log.append(Mode(2) is mode)", "log.append(Mode['ADD'])", "log.append(hash(config) == hash(Config()))", "s = [State($t, i) for i in range(2)]; log.append(s); $v = s[1].t",
    ),
    heads=("for i in range(config.depth):", "if mode is Mode.ADD:", "for q in Mode:", "for q in two:"),
    results=("state", "State(x, n)", "state.step(y)", "config", "mode", "two", "Both(x, n)", "dataclasses.replace(config, depth=n)"),
    between=("mode = Mode.MUL", "config = Config(scale=2.0)", "config = Config(depth=3)", "state = State(x)", "state.n = 4", "two = Both(x, 3)", "state.seen = []", "config = Config()"),
    after=("log.append(state.n)", "state.seen.append(r[0])"),
)  # fmt: skip

TOOLS = Feature(
    prelude="""
import functools, operator, math, copy, collections, weakref

@functools.lru_cache
def cached(n):
    return n * 2

@functools.singledispatch
def dispatch(q, t):
    return t

@dispatch.register
def _(q: int, t):
    return t * q

@dispatch.register
def _(q: float, t):
    return t + q

class Lazy:
    def __init__(self, t):
        self.t = t
    @functools.cached_property
    def norm(self):
        return self.t * 2

def native_helper(*args, **kwargs):
    return eval("args[0] * 2 if kwargs else args[0]", {"args": args, "kwargs": kwargs})
""",
    world=("lazy = Lazy(ml.tensor([1.0, 2.0, 3.0]))", "ops = {'add': operator.add, 'mul': operator.mul}"),
    passed=("lazy", "ops"),
    tensors=("ops['add']($t, $t)", "dispatch(n, $t)", "dispatch(k, $t)", "lazy.norm * $t", "Lazy($t).norm", "operator.mul($t, $t)", "native_helper($t, a=1)", "operator.itemgetter(0)([$t])", "operator.attrgetter('t')(lazy)", "functools.reduce(operator.add, [$t, $t, $t])", "copy.copy(lazy).t", "ml.tensor(math.sin(k)) * $t", "operator.methodcaller('relu')($t)"),
    ints=("cached(n)", "math.floor(k + n)", "operator.index(n)", "math.gcd(n, 4)", "max(cached(n), 2)", "len(ops)", "isinstance(n, int) + 0"),
    floats=("math.sqrt(n * n)", "math.exp(-k)", "math.pi", "float('0.5')"),
    conditions=("callable(lazy)", "math.isnan(k)", "operator.gt(n, 2)", "'norm' in vars(lazy)", "issubclass(Lazy, object)", "math.isclose(k, 0.5)"),
    statements=("log.append(cached(n))", "lazy.t = $t", "$v = lazy.norm + $v", "vars(lazy).pop('norm', None)", "ops['sub'] = operator.sub", "$v = ops.get('sub', operator.add)($v, $t)", "q = copy.deepcopy(log); q.append(n); log.append(len(q))", "q = weakref.ref(lazy); log.append(q() is lazy)", "$v = copy.copy($v)", "q = Lazy($t); q.norm; log.append(q)", "k = math.floor(k) + 0.5", "log.append(native_helper(n))", "q = functools.partial(dispatch, n); $v = q($v)", "q = copy.deepcopy(lazy); log.append(q)"),
    results=("lazy", "ops['add']", "Lazy(x)"),
    between=("vars(lazy).pop('norm', None)", "lazy = Lazy(x)", "ops['add'] = operator.sub", "cached.cache_clear()", "ops.pop('mul', None)", "pass"),
    after=("log.append(cached.cache_info().misses)", "lazy.norm"),
)  # fmt: skip

OBJECTS = {"boxes": BOXES, "fresh": FRESH, "dataclasses": DATACLASSES, "tools": TOOLS}
