"""`functools.singledispatch` by the class of a number."""

import functools

import minitorch_lab as ml


@functools.singledispatch
def dispatch(q, t):
    return t


@dispatch.register
def _(q: int, t):
    return t * q


def f(q, t):
    return dispatch(q, t)


f = compile(f)
r = f(0.5, ml.ones(2))
r = f(2, ml.ones(2))
r = f(0.5, ml.ones(2))
