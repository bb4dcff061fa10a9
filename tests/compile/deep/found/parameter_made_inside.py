"""A parameter that the function makes."""

import minitorch_lab as ml


def f(t):
    return ml.nn.Parameter(t.detach())


f = compile(f)
r = f(ml.ones(2))
r = f(ml.ones(3))
r.sum().backward()
