"""Functions that the tests of `explain` explain. The lines are counted: add at the end."""


def print_break(x):
    y = x * 1 + 1
    print("middle")
    return y * 2


def leaky(x):
    if x.sum() > 0:
        return x
    return 0.1 * x


def trained(x, w):
    return (x @ w * 1).relu().sum()


def raising(x):
    x.add_(1)
    raise ValueError("no")


def generating(x):
    yield x


def storing(x, box):
    x.mul_(2)
    box.append(x)
    return x.sum()


def three(a, b, c, d):
    t = a + b
    u = t * c
    return d + u
