"""A dict with `__missing__`."""

from collections import Counter, defaultdict

seen, sums = Counter(), defaultdict(list)


def f(n):
    seen["a"] += n
    sums[n].append(n)
    return seen["b"]


f = compile(f)
r = f(1)
r = f(1)
r = f(2)
