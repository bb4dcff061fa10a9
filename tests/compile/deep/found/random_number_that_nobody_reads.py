"""A draw moves the stream, whether its result is used or not."""

import minitorch_lab as ml


def f():
    ml.randn(2)
    return ml.randint(0, 5, (2,))


f = compile(f)
r = f()
r = f()
