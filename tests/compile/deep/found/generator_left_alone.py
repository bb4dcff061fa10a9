"""A generator that nobody holds any more runs its `finally`."""

log = []


def noting(t):
    try:
        yield t
    finally:
        log.append("end")


def f(t):
    for _ in noting(t):
        break
    u = noting(t)
    return next(u)


f = compile(f)
r = f(1)
r = f(2)
