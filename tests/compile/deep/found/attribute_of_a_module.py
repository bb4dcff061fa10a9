"""A plain attribute set in `forward`."""

import minitorch_lab as ml


class Plain(ml.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls, self.last = 0, None

    def forward(self, x):
        self.calls += 1
        self.last = x
        return x * self.calls


def f(x):
    return plain(x)


plain = Plain()
f = compile(f)
x = ml.ones(3)
r = f(x)
r = f(x)
