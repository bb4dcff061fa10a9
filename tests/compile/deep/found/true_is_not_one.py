"""`n is True` where n is 1, or was."""

log = []


def f(n):
    log.append(n is True)


f = compile(f)
f(5)
f(1)
f(True)
f(1)
