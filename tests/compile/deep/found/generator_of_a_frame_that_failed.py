"""A generator that waits as an error leaves its function ends when nobody has the error any more, and not before."""

log = []


def noting(t):
    try:
        yield t
    finally:
        log.append("end")


def f(n):
    u = noting(n)
    next(u)
    return n[1]


f = compile(f)
for _ in range(3):
    try:
        f([3])
    except IndexError:
        log.append("caught")
