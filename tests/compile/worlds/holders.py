"""Functions that read and change what holds other things, where that changes between their calls as well."""

from __future__ import annotations

import array
import bisect
import collections
import heapq
import queue
import types
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def the_order_of_a_dict(compile: Any) -> Any:
    d = {"a": 1, "b": 2}
    f = compile(lambda x: [(k, v) for k, v in d.items()])
    g = compile(lambda x: next(iter(d)))
    h = compile(lambda x: x * sum(v * 10**i for i, v in enumerate(d.values())))
    yield f(X), g(X), h(X)
    d["a"] = d.pop("a")
    yield f(X), g(X), h(X)
    d.clear()
    d.update(b=3, a=4)
    yield f(X), g(X), h(X)
    d.clear()
    yield f(X), outcome(g, X), h(X)


def keys_of_other_kinds(compile: Any) -> Any:
    d = {1: "int", "1": "str"}
    f = compile(lambda x, k: (d.get(k), k in d, list(d)))
    for k in (1, True, 1.0, "1", 1, None):
        yield f(X, k)
    d.clear()
    d[True] = "bool"
    for k in (1, True, 1.0):
        yield f(X, k)
    d.clear()
    d[1.0] = "float"
    for k in (1, True, 1.0):
        yield f(X, k)
    nan = float("nan")
    d[nan] = "nan"
    yield f(X, nan), f(X, float("nan")), f(X, nan)


def views_of_a_changing_dict(compile: Any) -> Any:
    d = {"a": 1}
    keys, items, shown = d.keys(), d.items(), types.MappingProxyType(d)
    f = compile(lambda x: (list(keys), list(items), shown["a"], len(shown), "b" in keys, dict(shown)))
    yield f(X)
    d["b"] = 2
    yield f(X)
    d["a"] = 5
    yield f(X)
    del d["b"]
    yield f(X)


def chained_maps(compile: Any) -> Any:
    a, b = {"k": 1}, {"k": 2, "z": 3}
    chain = collections.ChainMap(a, b)
    f = compile(lambda x: x * chain["k"] + chain.get("z", 0) + len(chain))
    yield f(X)
    a["k"] = 4
    yield f(X)
    del a["k"]
    yield f(X)
    chain.maps.append({"new": 1})
    yield f(X)

    @compile
    def g(x):
        chain["k"] = chain["k"] + 1
        return x * chain["k"]

    yield g(X), g(X), a, b


def defaults_of_dicts(compile: Any) -> Any:
    made = []

    def make():
        made.append(len(made))
        return made[-1]

    d = collections.defaultdict(make)

    @compile
    def f(x, k):
        d[k] += 1
        return x * d[k]

    yield f(X, "a"), f(X, "b"), f(X, "a"), d, made
    d.default_factory = lambda: 100
    yield f(X, "c"), f(X, "a"), d, made
    d.default_factory = None
    yield outcome(f, X, "e"), f(X, "a"), d
    groups = collections.defaultdict(list)

    @compile
    def g(x, k):
        groups[k].append(len(groups))
        return groups[k]

    yield g(X, 1), g(X, 1), g(X, 2), groups


def counters(compile: Any) -> Any:
    c = collections.Counter("aab")

    @compile
    def f(x, word):
        c.update(word)
        c["z"] -= 1
        return x * c["a"], c.most_common(1), sum(c.values()), c["missing"]

    yield f(X, "ab"), f(X, "bbb"), c
    c.clear()
    yield f(X, "a"), c


def deques(compile: Any) -> Any:
    q = collections.deque([1, 2, 3], maxlen=3)

    @compile
    def f(x):
        q.append(q[0] + 10)
        q.rotate(1)
        return x * q[0], list(q), q.maxlen, len(q)

    yield f(X), f(X), f(X)
    q.clear()
    q.extend([5])
    yield f(X), f(X), q
    q.appendleft(x := ml.ones(2))
    yield outcome(f, X), len(q), x


def heaps_and_bisections(compile: Any) -> Any:
    heap, row = [5, 7], [1, 3, 5]

    @compile
    def f(x, v):
        heapq.heappush(heap, v)
        bisect.insort(row, v)
        return x * heapq.heappop(heap), bisect.bisect(row, 4), list(row)

    for v in (1, 9, 4, 4):
        yield f(X, v), heap
    heap.clear()
    yield f(X, 3), heap


def queues_and_arrays(compile: Any) -> Any:
    q, a = queue.Queue(), array.array("i", [1, 2, 3])

    @compile
    def f(x):
        a[0] += 1
        q.put(a[0])
        return x * a[0] + q.qsize(), sum(a), len(a)

    yield f(X), f(X), a.tolist()
    a.append(9)
    q.get()
    yield f(X), a.tolist(), q.get(), q.get()
    b = bytearray(b"ab")

    @compile
    def g(x):
        b[0] += 1
        b.append(65)
        return x * len(b), bytes(b)

    yield g(X), g(X), b.clear(), outcome(g, X)


def a_list_and_its_alias(compile: Any) -> Any:
    @compile
    def f(x, a, b):
        a.append(1)
        b.append(2)
        return x * len(a), a is b, a == b

    xs = [0]
    yield f(X, xs, [0]), f(X, xs, xs), f(X, [0], xs), xs
    pair = types.SimpleNamespace(a=[1], b=[1])

    @compile
    def g(x):
        pair.a.append(len(pair.b))
        return pair.b, pair.a is pair.b

    yield g(X), g(X)
    pair.b = pair.a
    yield g(X), g(X), pair
    pair.a = [7]
    yield g(X), pair


def deep_changes(compile: Any) -> Any:
    tree = {"l": [{"w": (1, [2, {"k": 3}])}], "r": None}
    f = compile(lambda x: x * tree["l"][0]["w"][1][1]["k"] + tree["l"][-1]["w"][0])
    yield f(X)
    tree["l"][0]["w"][1][1]["k"] = 5
    yield f(X)
    tree["l"][0]["w"][1].insert(0, 9)
    yield outcome(f, X)
    tree["l"][0]["w"][1].pop(0)
    tree["l"].append({"w": [10]})
    yield f(X)
    tree["l"][0]["w"] = (1, (2, {"k": 0.5}))
    yield f(X)


def a_list_sorted_in_place(compile: Any) -> Any:
    xs, log = [3, 1, 2], []

    def key(v):
        log.append(v)
        return -v

    @compile
    def f(x):
        xs.sort(key=key)
        xs.reverse()
        xs[1:2] = [9, 8]
        xs.insert(1, xs[0])
        del xs[-1]
        return x * xs[1], xs.index(9), xs.count(8)

    yield f(X), xs, log
    xs.append(4)
    yield f(X), xs, log
    xs[:] = [2.5, 0.5]
    yield f(X), xs, log
