"""`vars(x)` has the methods of a dict."""


class Lazy:
    pass


def f(t):
    vars(lazy).setdefault("norm", t)
    return vars(lazy).pop("norm", None), sorted(vars(lazy))


lazy = Lazy()
lazy.n = 1
f = compile(f)
r = f(2)
r = f(3)
