"""What a method of a base class appends to a list of a fresh object."""


class Acc:
    def __init__(self):
        self.h = []

    def add(self, t):
        self.h.append(t)


class Deep(Acc):
    def add(self, t):
        super().add(t)
        return self


def f(x):
    return Deep().add(x)


f = compile(f)
r = f(1)
r = f(1)
