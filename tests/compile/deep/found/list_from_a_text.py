"""The list that a method of a text makes is a new one in each call."""

log = []
name = "first second"


def f():
    log.append(name.split())


f = compile(f)
f()
f()
log[0].append(3)
f()
