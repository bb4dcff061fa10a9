"""Python itself: iterators, generators, contexts, errors, closures, containers, texts, calls."""

# ruff: noqa: E501
from tests.compile.deep.features.feature import Feature

ITERATORS = Feature(
    prelude="""
import itertools

class Countdown:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n
""",
    world=("it = iter([1, 2, 3, 4, 5, 6, 7, 8, 9])", "count = itertools.count(1)", "rows = [ml.tensor([1.0, 2.0, 3.0]), ml.tensor([0.5, 0.25, 1.0])]", "table = {'a': 1, 'b': 2}", "down = Countdown(7)"),
    passed=("it", "count", "rows", "table", "down"),
    tensors=("rows[n % len(rows)] * $t", "sum(rows) * $t", "next(iter(rows)) + $t", "sum(q * 2 for q in rows)", "sum(map(lambda q: q * k, rows))", "ml.stack(list(rows)).sum(0)", "$t * next(it, 1)", "max(rows, key=lambda q: q.sum().item())"),
    ints=("next(it, 0)", "next(count)", "sum(table.values())", "len(list(it))", "sum(i for i in range(n))", "max(table.values())", "next(down, 0)", "len(rows)"),
    conditions=("any(q.ndim > 1 for q in rows)", "all(v > 0 for v in table.values())", "'a' in table", "next(it, None) is None", "n in table.values()", "2 in it"),
    statements=(
        "log.append(next(it, None))", "$u = iter(rows); $v = next($u) * $v", "log.append(next(count))", "$u = enumerate(rows); log.append(next($u)[0])", "$u = zip(rows, table); $v = next($u)[0] + $v", "log.append(list(table.items()))",
        "$u = table.keys(); table['c'] = n; log.append(len($u))", "$u = [*it][:2]; log.append($u)", "$u = list(itertools.islice(count, 2)); n = $u[-1] % 5", "for q, p in itertools.groupby([1, 1, 2, n]): log.append((q, len(list(p))))", "$u = list(itertools.chain(rows, [$t])); $v = $u[-1]",
        "$u = map(lambda q: q + 1, rows); $v = next($u)", "$u = filter(lambda q: q > 1, [1, 2, n]); log.append(list($u))", "first, *rest = rows; $v = first", "$u = reversed(rows); $v = next($u) * k", "rows.append($t)", "$u = itertools.accumulate([1, n, 2]); log.append(list($u))",
        "for q in down: n += q", "$u = iter(lambda: next(count), 4)\nlog.append(next($u, None))", "a, b2 = zip(*[(1, 2), (n, 4)]); log.append(a)", "$u = list(itertools.product([1, n], 'ab')); log.append($u[-1])", "table.update(n=n)", "$u = {k2: v2 * $v for k2, v2 in zip('ab', rows)}; $v = $u['a']",
        "$u = iter($v)\n$v = $v + next($u)", "for i, (q, p) in enumerate(zip(rows, reversed(rows))): $v = $v + q * p * i", "$u = itertools.tee(it); log.append(next($u[0], 0))", "for q in zip(rows, rows, strict=True): pass", "n += sum(1 for _ in zip(rows, $v))",
    ),
    heads=("for q in rows:", "for q in it:", "for i, q in enumerate(rows):", "for q, p in zip(rows, (1, 2)):", "for key in table:", "for key, q in table.items():", "for q in $v:", "for q in itertools.islice(count, $k):", "for q in map(lambda q: q * 2, rows):", "for q in reversed(rows):", "for q in sorted(table.values()):", "for q in list(it)[:2]:", "for q in zip($v, rows):", "for q in table.values():"),
    results=("it", "zip(rows, rows)", "map(len, rows)", "enumerate(rows)", "table.items()", "list(table)", "iter(rows)", "rows", "(q for q in rows)", "range(n)", "reversed(rows)"),
    between=("it = iter([1, 2, 3])", "next(it, None)", "rows.pop() if len(rows) > 1 else None", "rows.append(ml.tensor([0.0, 1.0, 0.0]))", "table.pop('a', None)", "table['z'] = 3", "count = itertools.count(5)", "rows = rows[:1]", "rows = tuple(rows)", "down = Countdown(3)", "table = {'b': 4}"),
    after=("log.append(next(it, None))", "log.append([type(q).__name__ for q in r])", "[log.append(next(q, None)) for q in r if hasattr(q, '__next__')]", "[log.extend(q) for q in r[2:] if hasattr(q, '__iter__')]", "log.append(next(count))"),
)  # fmt: skip

GENERATORS = Feature(
    prelude="""
def steps(t, n):
    for i in range(n):
        t = t * 0.5 + i
        yield t

def noting(log, t, n):
    log.append('start')
    try:
        for i in range(n):
            got = yield t * i
            log.append(got)
    except ValueError as e:
        log.append(str(e))
    finally:
        log.append('end')
    return n

def outer(log, t, n):
    done = yield from noting(log, t, n)
    yield t * done
""",
    world=("going = noting(log, ml.tensor([1.0, 2.0, 3.0]), 9)",),
    passed=("going",),
    tensors=("sum(steps($t, $k))", "next(steps($t, 2))", "list(noting(log, $t, $k))[-1]", "[*outer(log, $t, $k)][-1]", "next(going, x)", "sum(q for q in steps($t, 2) if q.ndim)"),
    statements=(
        "$u = noting(log, $t, $k); $v = next($u)", "$u = noting(log, $t, 3); next($u); $v = $u.send(n)", "$u = noting(log, $t, 2); next($u); $u.close()", "$u = noting(log, $t, 2); next($u)\ntry: $u.throw(ValueError('thrown'))\nexcept StopIteration as e: log.append(e.value)", "$v = next(going, $v)", "next(going, None)",
        "for q in noting(log, $t, 3): break", "*$u, last = outer(log, $t, 2); $v = last", "$u = outer(log, $t, 1); log.append(len(list($u)))", "try: going.send(n)\nexcept (StopIteration, TypeError): n += 1", "log.extend(q.sum() for q in steps($t, 2))", "n = max((i * n for i in range(3)), default=0)",
        "$u = (q * 2 for q in steps($t, 3)); $v = next($u)", "$u = steps($t, 2); $v = next($u); print('u'); $v = next($u)", "for q in noting(log, $t, 3):\n    if q.sum() > 1.3: break\n    $v = $v + q", "$u = dict(zip('ab', steps($t, 2))); $v = $u['b']", "$u, p = steps($t, 2); $v = p",
    ),
    heads=("for $v in steps($t, $k):", "for q in noting(log, $t, 2):", "for q in going:", "for q in (v * 2 for v in steps($t, 2)):", "for q in outer(log, $t, n % 3):"),
    results=("steps(x, 2)", "going", "noting(log, y, 2)", "(q for q in steps(x, 2))"),
    between=("going = noting(log, ml.tensor([3.0, 2.0, 1.0]), 3)", "next(going, None)", "going.close()", "going = steps(x, 4)", "going = iter([x, x])"),
    after=("log.append(next(going, None))", "[log.append(next(q)) for q in r if hasattr(q, 'send')]", "going.close()", "[log.extend(q) for q in r if hasattr(q, 'send')]"),
)  # fmt: skip

CONTEXTS = Feature(
    prelude="""
import contextlib

class Noted:
    def __init__(self, log, caught=()):
        self.log, self.caught, self.depth = log, caught, 0
    def __enter__(self):
        self.depth += 1
        self.log.append('in')
        return self
    def __exit__(self, kind, error, trace):
        self.depth -= 1
        self.log.append(kind.__name__ if kind else 'out')
        return kind is not None and issubclass(kind, self.caught)

@contextlib.contextmanager
def managed(log, value):
    log.append('enter')
    try:
        yield value
    except KeyError:
        log.append('caught')
    finally:
        log.append('exit')

@contextlib.contextmanager
def setting(log, n):
    log.append(n)
    yield n * 2
    log.append(-n)
""",
    world=("noted = Noted(log, (KeyError,))",),
    passed=("noted",),
    ints=("noted.depth",),
    statements=(
        "with noted: $v = $t", "with managed(log, $t) as $u: $v = $u * 2", "with setting(log, n) as n: $v = $v * n", "with contextlib.suppress(KeyError): log[0]['q']", "with contextlib.ExitStack() as $u:\n    $u.enter_context(noted); $u.callback(log.append, 'called'); $v = $t", "with contextlib.nullcontext($t) as $u: $v = $u",
        "with managed(log, 1): raise KeyError('k')", "with noted, managed(log, 2) as n: $v = $t", "with Noted(log, Exception): $v = $v + log[99]", "with noted as $u: log.append($u.depth)",
        "@ml.no_grad()\ndef quiet(q): return q * w\n$v = quiet($v)", "with managed(log, $t) as $u:\n    print('inside'); $v = $u", "with contextlib.redirect_stdout(None): pass",
    ),
    heads=("with noted:", "with managed(log, n) as q:", "with setting(log, n):", "with contextlib.suppress(ValueError, KeyError):", "with noted, setting(log, 1):", "with Noted(log, (ValueError, IndexError)) as q:", "with contextlib.ExitStack() as stack:", "with managed(log, $t) as $v:"),
    results=("noted", "noted.depth"),
    between=("noted.caught = (ValueError,)", "noted.caught = (Exception,)", "noted = Noted(log)", "noted.log = []"),
    after=("log.append(noted.depth)",),
)  # fmt: skip

ERRORS = Feature(
    prelude="""
class Odd(ValueError):
    def __init__(self, n):
        super().__init__(f"odd {n}")
        self.n = n

def check(t, n):
    if n % 2:
        raise Odd(n)
    return t * n

def guarded(t, log, n):
    try:
        return check(t, n)
    except Odd as e:
        log.append(e.n)
        return t
    finally:
        log.append('checked')
""",
    world=("stock = {'a': 1.0}",),
    passed=("stock",),
    tensors=("check($t, n)", "guarded($t, log, n)", "$t * stock['a']", "$t[n % 2]", "$t @ $t", "$t.reshape(3)", "$v[n]"),
    ints=("[1, 2, 3][n]", "6 // n", "int('7' if n else 'x')"),
    statements=(
        "$v = check($t, n)", "$v = guarded($t, log, n)", "raise Odd(n)", "try: $v = check($t, n)\nexcept Odd as e: log.append(e)", "try: n = n // (n - 1)\nexcept ZeroDivisionError as e: raise Odd(n) from e", "assert n < 3, f'n is {n}'", "stock.pop('a')", "del stock['a']", "log[7] = n", "stock['a'] += 1",
        "try:\n    try: $v = $v @ ml.ones(2)\n    finally: log.append('f')\nexcept Exception as e: log.append(type(e).__name__)", "try: $v = getattr($v, 'nothing')\nexcept AttributeError: $v = $t", "$u = None\ntry: $u = check($t, n)\nexcept Odd: pass\nelse: $v = $u", "raise KeyError(n) if n > 2 else IndexError(k)",
        "try: raise Odd(n)\nexcept ValueError as e: $u = e; log.append(str($u))", "try: print($v.detach()); check($t, n)\nexcept Odd as e: log.append(repr(e)); $v = $v * 0.5", "for i in range(3):\n    try:\n        if i == n: continue\n        $v = $v + i\n    finally: log.append(i)", "def $u():\n    try: return 1\n    finally: log.append('r')\nlog.append($u())",
        "try: ml.ones(2) + ml.ones(3)\nexcept Exception as e: log.append(type(e).__name__)", "$v = $v.reshape(2, -1)", "x.backward()", "$v = ml.stack([$v, w])",
    ),
    heads=("try:", "try:"),
    results=("stock",),
    between=("stock['a'] = 2.0", "stock.clear()", "stock = {'a': 0.5}"),
    after=("f(x, y, None, None, None, None, None, None)", "f(None, y)", "stock['a'] = 1.0"),
)  # fmt: skip

CLOSURES = Feature(
    prelude="""
import functools

def counter(start):
    total = start
    def more(t):
        nonlocal total
        total += 1
        return t * total
    return more

def doubled(g):
    @functools.wraps(g)
    def wrapper(*args, **kwargs):
        return g(*args, **kwargs) * 2
    wrapper.calls = 0
    return wrapper

@doubled
def scale(t, by=0.5, *, plus=0):
    return t * by + plus

def fact(t, n):
    return t if n <= 0 else fact(t * 0.5, n - 1) + n

def spread(*args, first=1, **rest):
    return sum(args) * first + len(rest)
""",
    world=("more = counter(0)", "half = functools.partial(scale, by=0.25)", "hooks = [lambda t: t + 1, lambda t: t * 2]"),
    passed=("more", "half", "hooks"),
    tensors=("more($t)", "scale($t)", "scale($t, $f, plus=n)", "half($t)", "fact($t, $k)", "hooks[n % len(hooks)]($t)", "(lambda q, m=n: q * m)($t)", "spread($t, $t, q=1)", "spread(*[$t, $t], **{'first': n})", "functools.reduce(lambda a, q: a * q, [$t, $t, w])", "counter(n)($t)"),
    ints=("(lambda: n + 1)()", "len(hooks)"),
    statements=(
        "$u = counter(n); $v = $u($t); $v = $u($v)", "$v = more($t)", "for g in hooks: $v = g($v)", "hooks.append(lambda t: t - n)", "g = lambda q: q * n; n = n + 1; $v = g($v)", "def g(q, c=n): return q + c + k\n$v = g($t)", "fs = [lambda q: q + i for i in range(3)]; $v = fs[0]($v)", "scale.calls += 1",
        "def g():\n    nonlocal_n = n + 1\n    return nonlocal_n\nn = g()", "$v = half($t, plus=n)", "$u = functools.partial(scale, $t); $v = $u()", "$v = fact($v, n % 3)", "$v = list(map(more, [$t, $t]))[1]", "log.append(more)", "hooks.reverse()", "scale.__kwdefaults__",
        "def g(q):\n    if n > 2: return q\n    print('g')\n    return q * 2\n$v = g($t)", "$v = sorted([$v, x], key=lambda q: q.sum().item())[0]", "def g(*a, **q): return len(a) + len(q)\nn = g(1, *log[:2], a=n)", "$u = [g($v) for g in hooks]; $v = $u[-1]",
    ),
    results=("lambda: z", "more", "lambda t: t * n", "counter(n)", "functools.partial(scale, by=k)"),
    between=("more = counter(5)", "hooks.pop() if len(hooks) > 1 else None", "hooks[0] = lambda t: t * 3", "scale.__wrapped__.__defaults__ = (0.75,)", "scale.__wrapped__.__kwdefaults__ = {'plus': 2}", "hooks.append(more)", "more(x)", "half = functools.partial(scale, by=2.0)", "scale = doubled(lambda t, by=1, plus=0: t + by)"),
    after=("log.append([q() for q in r[2:] if callable(q) and q is not more][:0])", "[log.append(q(x)) for q in r[2:] if callable(q) and q.__class__.__name__ == 'function' and q.__code__.co_argcount == 1]", "[log.append(q()) for q in r[2:] if callable(q) and getattr(q, '__name__', '') == '<lambda>' and q.__code__.co_argcount == 0]", "log.append(scale.calls)"),
)  # fmt: skip

CONTAINERS = Feature(
    prelude="""
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

Pair = namedtuple('Pair', 'a b')
""",
    world=("d = {'q': ml.tensor([1.0, 0.0, 2.0])}", "bag = set()", "line = deque([1, 2], maxlen=4)", "sums = defaultdict(list)", "seen = Counter()", "nest = {'a': [1, {'b': 2}], 't': (1, 2)}", "pair = Pair(1, 2.0)"),
    passed=("d", "bag", "line", "sums", "seen", "nest", "pair"),
    tensors=("d['q'] * $t", "d.get('w', $t)", "d.setdefault('s', $t)", "Pair($t, $t).b", "[$t, $t][-1]", "{'a': $t}['a']", "($t, $t, $t)[1:][0]", "sum([$t, $t])", "sum(d.values())"),
    ints=("len(d)", "len(bag)", "line[-1]", "seen['a']", "nest['a'][1]['b']", "sum(line)", "pair.a", "len(sums['n'])", "[n, 1, 2].index(1)", "max([n, 2])", "len({n, 1, 2})"),
    conditions=("'q' in d", "n in bag", "bag", "line and n", "'s' in d", "n in (1, 2)", "[1, 2] == [1, n]", "{'a': n} == {'a': 2}", "pair == (1, 2.0)", "nest['a'] == [1, {'b': n}]", "d.get('x') is None", "isinstance(d, dict)"),
    statements=(
        "d['q'] = $t", "d['s'] = n", "del d['q']", "$v = d.pop('q', $t)", "d.update(p=$t, n=n)", "bag.add(n)", "bag |= {n, 7}", "bag.discard(1)", "line.append(n)", "line.appendleft(k)", "log.append(line.popleft()) if line else None", "sums['n'].append(n)", "sums[n].append($t)", "seen['a'] += 1", "seen.update('abc')",
        "nest['a'][1]['b'] += 1", "nest['a'].append(n)", "log.append(pair._replace(a=n))", "$u = pair.a + n; log.append($u)", "log.extend([n, k])", "log.insert(0, n)", "log.sort(key=str)", "log.reverse()", "log[1:2] = [n, n]", "del log[:1]", "log += [n]", "log.append(log[:2])", "log.append(log.count(1))", "$u = log.copy(); $u.append(n)", "log.append(sorted({n, 1, 5}))",
        "$u = [q for q in log if isinstance(q, int)]; n = sum($u) % 7", "$u = {i: $v * i for i in range(3)}; $v = $u[2]", "$u = {n, 2, 3}; log.append(len($u))", "[*$u, last] = [n, 2, 3]; n = last" , "(a, b2), c2 = (n, k), $t; $v = c2", "log.append({**d}.keys() == d.keys())", "log.append([[n] * 2] * 2)", "$u = dict(d); $u['new'] = $t; log.append(len($u))", "log.append(tuple(bag))",
        "$u = [[], []]; $u[0].append($t); $u[1] = $u[0]; log.append($u)", "$u = dict.fromkeys('ab', []); $u['a'].append(n); log.append($u)", "for key in list(d): d[key] = d[key] * 2", "$u = OrderedDict(a=$t); $u.move_to_end('a'); $v = $u['a']", "log.append(seen.most_common(1))", "print(sorted(d), len(bag))", "log.append(' '.join(d))", "log.append(n); print(log[-1:]); log.append(k)",
        "$v = $v * len(d); d['later'] = n", "log.append([n, $t]); log[-1].append(k)", "$u = log; $u.append('same')", "d |= {'m': $t}",
    ),
    heads=("for key in d:", "for key, q in d.items():", "for key in sorted(bag):", "for q in list(log)[:3]:", "for q in line:", "for key, q in list(d.items()):"),
    results=("d", "bag", "[log, log]", "line", "dict(a=x, b=[y])", "{'d': d}", "pair", "Pair(x, n)", "tuple(log)", "sums", "d.keys()"),
    between=("d['q'] = ml.tensor([1.0, 1.0, 1.0])", "d.clear()", "bag.add(9)", "line.append(3)", "d = {'q': x}", "nest['a'][1]['b'] = 5", "pair = Pair(3, 4.0)", "bag = {1}", "seen['a'] = 4", "log[:] = [1]", "d['extra'] = 1", "nest['a'] = [1, {'b': 2}]", "line.clear()"),
    after=("d['r'] = r[0]", "log.append(len(d))", "sums.clear()"),
)  # fmt: skip

TEXTS = Feature(
    world=("name = 'first'", "words = ['a', 'b']"),
    passed=("name", "words"),
    ints=("len(name)", "name.count('t')", "ord(name[0]) % 5", "len(f'{n}{k}')"),
    conditions=("name == 'first'", "name.startswith('f')", "'i' in name", "name in words", "name < 'm'", "name[0] == 'f'"),
    statements=(
        "log.append(f'{n} {k:.3f} {name!r} {name:>8}')", "log.append('%d %.2f' % (n, k))", "log.append('{} {a}'.format(n, a=k))", "log.append(','.join(str(q) for q in [n, k]))", "name += 'x'", "name = name.upper()" , "words.append(name + str(n))", "log.append(f'{$s.item():.2f}')", "log.append(f'{$v.shape} {$v.dtype}')",
        "log.append(str($v.detach()))", "log.append(repr(log[-1:]))", "log.append(name[::-1])", "log.append(name * n)", "log.append(words == ['a', 'b'])", "print(name, n, sep='-', end=';')", "log.append(f'{$t}')" , "log.append(f'{n:03d}{n + 1}')", "log.append(type(n).__name__ + type($v).__name__)", "log.append(name.split('i'))", "log.append(f'{k=}')", "log.append(str(n) in '123')",
    ),
    heads=("for q in name:", "for q in words:", "if name == 'first':", "for i, q in enumerate(name[:2]):"),
    results=("name", "words", "f'{n}-{name}'"),
    between=("name = 'second'", "name = 'first'", "words.append('c')", "name = 'fi' + 'rst'"),
)  # fmt: skip

SYNTAX = Feature(
    prelude="""
class Point:
    __match_args__ = ('a', 'b')
    def __init__(self, a, b):
        self.a, self.b = a, b
""",
    world=("order = ['add', 2]", "point = Point(1, 2.0)", "flags = (True, None, 1)"),
    passed=("order", "point", "flags"),
    conditions=("(m := n * 2) > 3", "0 < n <= 3", "flags[0] is True", "flags[2] == 1 and flags[2] is not True", "n is None", "flags[1] is None", "type(n) is int", "n is True", "isinstance(n, bool)", "not (n and k)", "n if k else flags", "flags[0] == 1", "None in flags"),
    ints=("n if n > 2 else -n", "(n and 3) or 1", "int(flags[0])", "point.a", "~n & 3", "n << 1", "-n // 2", "divmod(n, 2)[1]", "n ** 2 % 5", "hash(n) % 3", "round(k * 3)", "abs(-n)", "pow(n, 2, 5)", "int(n is True)", "min(n, 3, key=lambda q: -q)"),
    statements=(
        "match order:\n    case ['add', m]: $v = $v + m\n    case ['mul', m, *q]: $v = $v * m\n    case {'k': m}: n = m\n    case _: $v = -$v", "match point:\n    case Point(1, b): $v = $v * b\n    case Point(a=a): n = a", "match n:\n    case 0 | 1: $v = $t\n    case int(q) if q > 2: $v = $v * q\n    case _: pass",
        "$u = $v; del $u", "a = b2 = $t; $v = a", "$v = (q := $t) + q", "n, k = n, k", "point.a, n = n, point.a", "point.a += 1; n = point.a", "order[-1] = n", "[a, (b2, *q)] = [n, (k, 1, 2)]; n = q[0]", "$u: int = n + 1; n = $u", "pass; ...", "if n: pass\nelif k > 1: $v = $t\nelse: $v = $v * 2",
        "i = 0\nwhile True:\n    i += 1\n    if i > n: break\n    if i == 2: continue\n    $v = $v + i\nelse: log.append('never')", "for i in range(n):\n    if i > 1: break\nelse: log.append('no break')", "log.append(n is True); log.append(n == True)", "log.append((n, True, 1.0, n == 1))", "log.append([1, True, 1.0, n])",
        "log.append(True if n is True else n)", "$v = $v if point is None else $t", "log.append(x is y)", "$v = $v[..., None][..., 0]", "$v = $v[None, ...][0]", "lengths = [q.shape[-1] for q in (x, y)]; n = lengths[0] % 4", "log.append((lambda *a: a)(*order))", "import math; k = math.sqrt(abs(k)) + math.pi", "from math import floor; n = floor(k)",
    ),
    heads=("if (m := n + 1) > 2:", "for a, b2 in [(n, 1), (2, k)]:", "for point.a in range(2):", "for log2 in [log, [1]]:", "if n is True:", "if type(n) is bool:"),
    results=("point", "order", "n is True", "flags", "(n, True)"),
    between=("order = ['mul', 3, 4]", "order = {'k': 2}", "point.a = 1", "point.a = True", "flags = (1, None, True)", "flags = (True, 0, 1)", "order = ['add', 1]", "point = Point(2, 0.5)", "n = True", "n = 1", "k = 1"),
)  # fmt: skip

PYTHON = {
    "iterators": ITERATORS, "generators": GENERATORS, "contexts": CONTEXTS, "errors": ERRORS, "closures": CLOSURES,
    "containers": CONTAINERS, "texts": TEXTS, "syntax": SYNTAX,
}  # fmt: skip
