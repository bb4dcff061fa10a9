"""`copy.copy` of an object has its attributes, in each call."""

import copy


class Acc:
    def __init__(self, first):
        self.total, self.h = first, [first]


def f():
    a = copy.copy(acc)
    a.h = [*a.h, 1]
    return a


acc = Acc(1)
f = compile(f)
r = f()
r = f()
