"""Functions that do things and then fail, or fail in another way than before: what was done stays done, once."""

from __future__ import annotations

import types
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
DONE: Any = 0


def effects_before_an_error(compile: Any) -> Any:
    global DONE
    a, xs, d, t = types.SimpleNamespace(k=0), [], {}, ml.zeros(2)
    DONE = 0

    @compile
    def f(x, fails):
        global DONE
        DONE += 1
        a.k += 1
        xs.append(a.k)
        d[a.k] = x
        t.add_(x)
        print("before")
        if fails:
            raise ValueError(f"after {a.k}")
        a.last = x
        return x * a.k

    for fails in (False, True, False, True, True):
        yield outcome(f, X, fails), DONE, a, list(xs), list(d), t


def an_error_of_an_op_after_effects(compile: Any) -> Any:
    xs, t = [], ml.zeros(2)

    @compile
    def f(x, y):
        xs.append(len(xs))
        t.add_(1)
        z = x + y
        xs.append("after")
        return z

    yield outcome(f, X, X), xs, t
    yield outcome(f, X, ml.ones(3)), xs, t
    yield outcome(f, X, X), xs, t
    yield outcome(f, X, ml.ones(3)), xs, t
    yield outcome(f, X, None), xs, t


def finally_with_effects(compile: Any) -> Any:
    log = []

    @compile
    def f(x, how):
        for k in range(2):
            try:
                log.append(k)
                if how == "raise":
                    raise KeyError(k)
                if how == "return":
                    return x * k
                if how == "break":
                    break
                if how == "continue":
                    continue
                log.append("end")
            except KeyError as error:
                log.append(error.args)
                if k:
                    raise
            finally:
                log.append("finally")
        else:
            log.append("else")
        return x

    for how in ("", "raise", "return", "break", "continue", "raise", ""):
        yield outcome(f, X, how), log
        log.clear()


def an_error_that_is_kept(compile: Any) -> Any:
    error = ValueError("kept")

    @compile
    def f(x):
        error.n = getattr(error, "n", 0) + 1
        if error.n % 2:
            raise error
        return x * error.n

    for _ in range(4):
        yield outcome(f, X), error.n, error.__context__, error.args
    error.args = ("other", 2)
    yield outcome(f, X)
    error = KeyError("new")
    yield outcome(f, X), outcome(f, X)


def notes_on_errors(compile: Any) -> Any:
    @compile
    def f(x, k):
        try:
            if k:
                raise ValueError("noted")
        except ValueError as error:
            error.add_note(f"k is {k}")
            error.k = k
            raise
        return x

    for k in (0, 1, 2):
        error = outcome(f, X, k)
        yield error, getattr(error, "__notes__", None), getattr(error, "k", None)


def causes_and_contexts(compile: Any) -> Any:
    @compile
    def f(x, how):
        try:
            {}["missing"]
        except KeyError as error:
            if how == "from":
                raise ValueError("a") from error
            if how == "none":
                raise ValueError("b") from None
            if how == "plain":
                raise ValueError("c")  # noqa: B904
            if how == "again":
                raise
        return x

    for how in ("from", "none", "plain", "again", "", "from"):
        error = outcome(f, X, how)
        yield error, getattr(error, "__suppress_context__", None)


def errors_of_lookups(compile: Any) -> Any:
    a, d, xs, held = types.SimpleNamespace(), {}, [], 3
    acts = [
        lambda x: a.k, lambda x: d["k"], lambda x: xs[0], lambda x: missing_name, lambda x: xs.index(3),  # noqa: F821
        lambda x: d.pop("k"), lambda x: next(iter(xs)), lambda x: int("z" if not xs else "1"), lambda x: x[5 - len(xs)],
        lambda x: xs.remove(1), lambda x: len(a.__dict__) / len(xs), lambda x: {}[x.sum().item()], lambda x: xs.pop(),
        lambda x: getattr(x, "nothing"), lambda x: (lambda y: y)(), lambda x: None + x, lambda x: held(),  # noqa: B009
    ]  # fmt: skip
    fs = [compile(f) for f in acts]
    for _ in range(3):
        yield [outcome(f, X) for f in fs]
        a.k, d["k"] = 5, 6
        xs += [1, 3]


def errors_that_are_expected(compile: Any) -> Any:
    d, log = {}, []

    @compile
    def f(x, k):
        try:
            v = d[k]
        except KeyError:
            v = d[k] = len(d)
        try:
            y = x * d["scale"]
        except KeyError as error:
            log.append(repr(error))
            y = x
        try:
            x.missing
        except AttributeError:
            log.append("no attribute")
        return y * v

    yield f(X, "a"), f(X, "b"), f(X, "a"), d, log
    d["scale"] = 3
    yield f(X, "b"), f(X, "c"), d, log
    d.clear()
    yield f(X, "c"), d, log


def stop_iteration_in_places(compile: Any) -> Any:
    def values(n):
        yield from range(n)
        return "end"

    def outer(n, log):
        log.append((yield from values(n)))

    @compile
    def f(x, n):
        log = []
        got = list(outer(n, log))
        it = values(n)
        try:
            first = next(it)
        except StopIteration as stop:
            first = stop.value
        return x * len(got), log, first, next(it, "none")

    for n in (0, 1, 2, 0):
        yield f(X, n)


def generators_that_fail(compile: Any) -> Any:
    log = []

    def values(n):
        try:
            for k in range(3):
                if k == n:
                    raise ValueError(k)
                yield k
        finally:
            log.append("closed")

    @compile
    def f(x, n):
        total = x
        try:
            for k in values(n):
                total = total + k
                log.append(k)
        except ValueError as error:
            total = total * error.args[0]
        return total

    for n in (5, 1, 0, 5):
        yield f(X, n), log
        log.clear()


def asserts_with_messages(compile: Any) -> Any:
    log = []

    def message(k):
        log.append(k)
        return f"k is {k}"

    held = types.SimpleNamespace(k=1)

    @compile
    def f(x):
        assert held.k < 3, message(held.k)
        assert x.sum() > 0, message("sum")
        return x * held.k

    yield f(X), outcome(f, -X), log
    held.k = 5
    yield outcome(f, X), log
    held.k = 2
    yield f(X), log


def groups_of_errors(compile: Any) -> Any:
    @compile
    def f(x, k):
        try:
            raise ExceptionGroup("several", [ValueError(1), KeyError(2)][:k])
        except* ValueError as group:
            y = x * len(group.exceptions)
        return y

    for k in (1, 2, 1):
        yield outcome(f, X, k)


def an_exit_that_swallows(compile: Any) -> Any:
    class Guard:
        def __init__(self):
            self.kinds, self.seen = [KeyError], []

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            self.seen.append(str(error))
            return kind is not None and issubclass(kind, tuple(self.kinds))

    guard = Guard()

    @compile
    def f(x, error):
        with guard:
            x = x * 2
            raise error
        return x

    yield outcome(f, X, KeyError("a")), outcome(f, X, ValueError("b")), guard.seen
    guard.kinds.append(ValueError)
    yield outcome(f, X, ValueError("c")), guard.seen
    guard.kinds.clear()
    yield outcome(f, X, KeyError("d")), guard.seen


def wrong_calls(compile: Any) -> Any:
    def act(x, k=1):
        return x * k

    f = compile(lambda x, *args, **kwargs: act(x, *args, **kwargs))
    yield f(X), f(X, 2), outcome(f, X, 1, 2), f(X, k=3), outcome(f, X, z=1), outcome(f, X, 1, k=2)
    act = lambda x, z=5: x * z  # noqa: E731, F811
    yield f(X), outcome(f, X, k=3), f(X, z=1)
    act.__defaults__ = None
    yield outcome(f, X), f(X, 4)
    g = compile(lambda x, a, b=2: x * a + b)
    yield outcome(g, X), g(X, 1), outcome(g, X, 1, 2, 3), g(X, b=1, a=2), outcome(g)


def setters_that_refuse(compile: Any) -> Any:
    class A:
        limit = 3

        def __setattr__(self, name, value):
            if name == "k" and value > self.limit:
                raise ValueError(f"{value} is over {self.limit}")
            object.__setattr__(self, name, value)

        @property
        def fixed(self):
            return 1

    a = A()

    @compile
    def f(x, k):
        a.k = k
        a.last = x
        return x * a.k

    yield f(X, 1), outcome(f, X, 5), a, f(X, 3), a
    A.limit = 10
    yield f(X, 5), a
    a.limit = 1
    yield outcome(f, X, 2), a

    @compile
    def g(x):
        a.fixed = 2
        return x

    yield outcome(g, X), outcome(g, X)
    A.fixed = 3
    yield outcome(g, X), a
