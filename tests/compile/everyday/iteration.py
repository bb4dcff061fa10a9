"""Loops as people write them: builtins and itertools over lists, dicts, tensors, generators."""

from __future__ import annotations

import operator
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.everyday.table import Made, everyday, three, vec

WEIGHTS = [0.5, 1.5, -2.0]
NAMED = {"a": 2.0, "b": -1.0, "c": 0.5}


@everyday
def zip_in_a_for() -> Made:
    def f(x: Any) -> Any:
        total = x * 0
        for w, n in zip(WEIGHTS, (1, 2, 3)):
            total = total + x * w * n
        return total

    return f, three()


@everyday
def zip_strict() -> Made:
    def f(x: Any) -> Any:
        return sum(x * w * n for w, n in zip(WEIGHTS, [1, 2, 3], strict=True))

    return f, three()


@everyday
def zip_strict_of_unequal() -> Made:
    def f(x: Any) -> Any:
        try:
            for w, n in zip(WEIGHTS, [1, 2], strict=True):
                x = x * w * n
        except ValueError as error:
            return x, str(error)
        return x

    return f, three()


@everyday
def zip_of_tensor_rows() -> Made:
    def f(x: Any) -> Any:
        m = ml.stack([x, x * 2])
        return [a * b for a, b in zip(m, [x, x + 1])]

    return f, three()


@everyday
def zip_star_transposes() -> Made:
    def f(x: Any) -> Any:
        pairs = [(x * i, x + i) for i in range(3)]
        lefts, rights = zip(*pairs)
        return ml.stack(lefts).sum(0) - ml.stack(rights).sum(0)

    return f, three()


@everyday
def zip_of_parameters() -> Made:
    net, target = nn.Linear(3, 2).to(ml.float64), nn.Linear(3, 2).to(ml.float64)

    def f(x: Any) -> Any:
        with ml.no_grad():
            for p, q in zip(net.parameters(), target.parameters()):
                q.mul_(0.9).add_(p, alpha=0.1)
        return target(x)

    return f, three(), lambda: target.state_dict()


@everyday
def dict_of_zip() -> Made:
    return (lambda x: dict(zip(["a", "b"], [x, x * 2]))), three()


@everyday
def list_of_zip() -> Made:
    return (lambda x: list(zip("ab", [x, x * 2]))), three()


@everyday
def enumerate_a_list() -> Made:
    return (lambda x: sum(x * i * w for i, w in enumerate(WEIGHTS, start=1))), three()


@everyday
def enumerate_zip() -> Made:
    def f(x: Any) -> Any:
        out = []
        for i, (w, k) in enumerate(zip(WEIGHTS, NAMED)):
            out.append(x * i * w * NAMED[k])
        return out

    return f, three()


@everyday
def reversed_list() -> Made:
    def f(x: Any) -> Any:
        for w in reversed(WEIGHTS):
            x = x * w + 1
        return x

    return f, three()


@everyday
def reversed_range_and_dict() -> Made:
    def f(x: Any) -> Any:
        for i in reversed(range(3)):
            x = x * 2 - i
        for k in reversed(NAMED):
            x = x + NAMED[k]
        return x

    return f, three()


@everyday
def map_and_filter() -> Made:
    def f(x: Any) -> Any:
        ys = list(map(lambda w: x * w, filter(lambda w: w > 0, WEIGHTS)))
        return sum(ys), list(map(operator.mul, ys, [1, 2])), list(filter(None, [0, 1, 2]))

    return f, three()


@everyday
def sum_over_dict_values() -> Made:
    def f(x: Any) -> Any:
        losses = {"mse": (x * x).mean(), "l1": x.abs().mean()}
        return sum(losses.values()), sum(v * 2 for v in losses.values()), sum(v for k, v in losses.items() if k != "l1")

    return f, three()


@everyday
def sum_with_tensor_start() -> Made:
    return (lambda x: sum([x, x * 2], start=x * 3)), three()


@everyday
def sum_of_lists() -> Made:
    return (lambda x: sum([[x], [x * 2]], [])), three()


@everyday
def sum_of_generator_of_module_losses() -> Made:
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).to(ml.float64)

    def f(x: Any) -> Any:
        decay = sum((p * p).sum() for p in net.parameters())
        biases = sum((p * p).sum() for n, p in net.named_parameters() if n.endswith("bias"))
        return net(x).sum() + 0.1 * decay + biases

    return f, three()


@everyday
def loops_over_views() -> Made:
    def f(x: Any) -> Any:
        for k in NAMED:
            x = x * NAMED[k]
        for v in NAMED.values():
            x = x + v
        for k, v in NAMED.items():
            x = x - v * len(k)
        return x

    return f, three()


@everyday
def set_operations_on_views() -> Made:
    def f(x: Any) -> Any:
        d, e = {"a": x, "b": x * 2}, {"b": 3.0, "c": 4.0}
        both = d.keys() & e.keys()
        extra = sorted(e.keys() - d.keys())
        return {k: d[k] * e[k] for k in both}, extra, len(d.keys() | e.keys()), "a" in d, d.keys() == {"a", "b"}

    return f, three()


@everyday
def sorted_with_key() -> Made:
    def f(x: Any) -> Any:
        shapes = {"b": (2, 3), "a": (5,), "c": ()}
        names = sorted(shapes, key=lambda k: len(shapes[k]), reverse=True)
        return [x * len(shapes[n]) for n in names], sorted([3, 1, 2]), sorted({"z": 1, "y": 2}.items())

    return f, three()


@everyday
def smallest_and_largest() -> Made:
    def f(x: Any) -> Any:
        a = max(WEIGHTS, key=abs)
        b = min(NAMED, key=NAMED.get)
        c = max(NAMED.items(), key=lambda kv: kv[1])[0]
        d = max((w * 2 for w in WEIGHTS), default=0.0)
        e = min([], default=7)
        g = max(len(w) for w in ["ab", "c"])
        return x * a + NAMED[b] + NAMED[c] + d + e + g + min(3, 1, 2) + max("ab", "c", key=len).count("a")

    return f, three()


@everyday
def any_and_all() -> Made:
    def f(x: Any) -> Any:
        if any(w < 0 for w in WEIGHTS) and all(isinstance(k, str) for k in NAMED) and not any([]):
            return x * 2
        return x

    return f, three()


@everyday
def comprehensions() -> Made:
    def f(x: Any) -> Any:
        squares = {i: x * i * i for i in range(3)}
        lengths = {len(k) for k in NAMED}
        nested = [[x * i * j for j in range(2)] for i in range(2)]
        flat = [y for row in nested for y in row]
        return squares, lengths, sum(flat)

    return f, three()


@everyday
def iterates_a_tensor() -> Made:
    def f(x: Any) -> Any:
        total = x[0] * 0
        for i, row in enumerate(x):
            total = total + row * i
        return total

    return f, three()


@everyday
def unpacks_a_tensor() -> Made:
    def f(x: Any) -> Any:
        a, b, c = x
        first, *rest = x
        return a * b + c, first, rest

    return f, three()


@everyday
def while_with_iterator() -> Made:
    def f(x: Any) -> Any:
        it = iter(WEIGHTS)
        while (w := next(it, None)) is not None:
            x = x * w
        return x

    return f, three()


@everyday
def iter_with_sentinel() -> Made:
    def f(x: Any) -> Any:
        stack = [1, 2, 3, 0]
        return sum(x * n for n in iter(stack.pop, 2))

    return f, three()


@everyday
def generator_function() -> Made:
    def chunks(xs: Any, n: int) -> Any:
        for i in range(0, len(xs), n):
            yield xs[i : i + n]

    def f(x: Any) -> Any:
        return [c.sum() for c in chunks(x, 2)], [sum(c) for c in chunks(WEIGHTS, 2)]

    return f, three()


@everyday
def for_else_and_break() -> Made:
    def f(x: Any) -> Any:
        for w in WEIGHTS:
            if w < 0:
                break
            x = x * w
        else:
            return x * 100
        for _ in ():
            pass
        else:
            x = x + 1
        return x

    return f, three()


@everyday
def mutates_while_looping() -> Made:
    def f(x: Any) -> Any:
        queue, out = [1, 2], []
        while queue:
            n = queue.pop(0)
            out.append(x * n)
            if n < 4:
                queue.append(n * 2)
        return out

    return f, three()


@everyday
def range_lengths() -> Made:
    def f(x: Any) -> Any:
        r = range(1, 10, 3)
        return x * len(r) + r[1] + (4 in r), list(r), [*range(3)], r.start

    return f, three()


@everyday
def string_iteration() -> Made:
    def f(x: Any) -> Any:
        for c in "+*-":
            x = x + 1 if c == "+" else x * 2 if c == "*" else x - 3
        return x

    return f, three()


@everyday
def sorts_in_place() -> Made:
    def f(x: Any) -> Any:
        ws = [3.0, 1.0, 2.0]
        ws.sort()
        pairs = [("b", 1), ("a", 2)]
        pairs.sort(key=lambda p: p[1], reverse=True)
        return x * ws[0], pairs, ws.index(2.0), ws.count(1.0)

    return f, three()


@everyday
def list_methods() -> Made:
    def f(x: Any) -> Any:
        xs = [x]
        xs.extend([x * 2, x * 3])
        xs.insert(0, x * 4)
        xs.reverse()
        xs += [x * 5]
        ys = xs.copy()
        ys.remove(ys[0]) if len(ys) > 10 else ys.pop()
        return xs[::-1], ys, xs * 2, len(xs[1:])

    return f, three()


@everyday
def sorts_numbers_of_a_call() -> Made:
    def f(x: Any, scales: Any) -> Any:
        return [x * s for s in sorted(scales)], max(scales), min(scales)

    return f, [(vec(1.0), [3.0, 1.0]), (vec(2.0), [1.0, 3.0]), (vec(3.0), [2.0, 5.0])]
