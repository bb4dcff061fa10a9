"""A class that the function makes holds the tensors of this call."""

import minitorch_lab as ml


def f(x):
    return type("Made", (), {"v": x * 2})().v


f = compile(f)
r = f(ml.ones(2))
r = f(ml.zeros(2))
