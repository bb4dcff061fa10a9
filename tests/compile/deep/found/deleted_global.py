"""A global that is not there any more."""

import minitorch_lab as ml


def f(x):
    return x * CACHE


f = compile(f)
CACHE = 2
r = f(ml.ones(2))
del CACHE
r = f(ml.ones(2))
CACHE = 3
r = f(ml.ones(2))
