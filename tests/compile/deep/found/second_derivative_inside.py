"""`create_graph=True` inside, and what is made of it unused."""

import minitorch_lab as ml

w = ml.tensor(1.0, requires_grad=True)


def f(x):
    (g,) = ml.autograd.grad((w * w * x).sum(), w, create_graph=True)
    return g * 2


f = compile(f)
r = f(ml.ones(2))
r.backward()
r = f(ml.ones(2))
r.backward()
