"""A generator that a loop lets go ends before the next one goes on, also where one was closed before."""

log = []


def noting(t, n):
    try:
        for _ in range(n):
            log.append((yield t))
    finally:
        log.append("end")


def f(n):
    for _ in range(3):
        u = noting(1.5, 3)
        next(u)
        u.send(n)


f = compile(f)
f(0)
f(1)
