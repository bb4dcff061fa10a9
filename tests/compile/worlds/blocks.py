"""Functions that do things to the world: write, draw, enter and leave, print, raise."""

from __future__ import annotations

import contextlib
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
LOG: list[Any] = []


@contextlib.contextmanager
def traced(log: Any, name: str) -> Any:
    log.append(f"enter {name}")
    try:
        yield name
    except ValueError as e:
        log.append(f"error {e}")
    finally:
        log.append(f"exit {name}")


def a_context_manager_kept(compile: Any) -> Any:
    class Reused(contextlib.ContextDecorator):
        n = 0

        def __enter__(self):
            self.n += 1
            return self.n

        def __exit__(self, *error):
            self.n += 10
            return False

    r = Reused()

    @r
    def g(x):
        return x * r.n

    f = compile(lambda x: g(x))
    for _ in range(3):
        yield f(X), r.n


def a_decorated_context_manager(compile: Any) -> Any:
    log = []

    @traced(log, "whole")
    def g(x):
        log.append("inside")
        return x * 2

    f = compile(lambda x: g(x))
    h = compile(traced(log, "outer")(lambda x: x * 3))
    for _ in range(3):
        yield f(X), h(X), list(log)
        log.clear()


def redirected_output(compile: Any) -> Any:
    import io

    @compile
    def f(x):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            print("inside", x.sum().item())
        return out.getvalue()

    for k in (1, 2, 1):
        yield f(X * k)


def gradient_modes(compile: Any) -> Any:
    @compile
    def f(x):
        with ml.no_grad():
            y = x * 2
            with ml.enable_grad():
                z = x * 3
        w = x * 4
        return y.requires_grad, z.requires_grad, w.requires_grad, ml.is_grad_enabled(), z

    x = ml.ones(2, requires_grad=True)
    yield f(x)
    with ml.no_grad():
        yield f(x), f(X)
    yield f(x), f(x)


def locks(compile: Any) -> Any:
    import threading

    lock, r = threading.Lock(), threading.RLock()

    @compile
    def f(x):
        with lock, r:
            inside = lock.locked()
            x = x * 2
        return x, inside, lock.locked()

    for _ in range(3):
        yield f(X)


def try_else_finally(compile: Any) -> Any:
    log = []

    @compile
    def f(x, k):
        try:
            y = x * (6 // k)
        except ZeroDivisionError as e:
            log.append(str(e))
            y = x
        except TypeError:
            log.append("type")
            raise ValueError("not a number") from None
        else:
            log.append("else")
        finally:
            log.append("finally")
        return y

    for k in (1, 0, 2, "a", 0, 3):
        yield outcome(f, X, k), list(log)
        log.clear()


def return_in_finally(compile: Any) -> Any:
    @compile
    def f(x, d):
        for k in (1, 2, 3):
            try:
                if d["k"] > k:
                    continue
                return x * k
            except KeyError:
                break
            finally:
                LOG.append(k)
        return x

    for d in ({"k": 0}, {"k": 2}, {}, {"k": 9}):
        yield f(X, d), list(LOG)
        LOG.clear()


def chained_errors(compile: Any) -> Any:
    class Bad(Exception):
        def __init__(self, k):
            super().__init__(f"bad {k}")
            self.k = k

    @compile
    def f(x, k):
        try:
            try:
                if k:
                    raise Bad(k)
            except Bad as e:
                raise KeyError(e.k) from e
        except KeyError as e:
            if k > 1:
                raise
            e.add_note("noted")
            return x, e.__notes__, e.__cause__
        return x

    for k in (0, 1, 2, 3, 1, 0):
        yield outcome(f, X, k)


def errors_kept(compile: Any) -> Any:
    kept = []

    @compile
    def f(x, k):
        try:
            return x * {1: 2}[k]
        except KeyError as e:
            kept.append(e)
            return x

    for k in (1, 2, 3, 2):
        yield f(X, k), kept


def asserts(compile: Any) -> Any:
    @compile
    def f(x, k):
        assert k > 1, f"too small: {k}"
        return x * k

    for k in (2, 1, 3, 0):
        yield outcome(f, X, k)


def errors_of_ops(compile: Any) -> Any:
    log = []

    @compile
    def f(x, y):
        log.append(1)
        try:
            return x @ y
        except Exception as e:
            log.append(type(e).__name__)
            return x

    for n in (2, 3, 2, 4):
        yield f(X, ml.ones(n)), list(log)
        log.clear()


def prints_in_order(compile: Any) -> Any:
    @compile
    def f(x, k):
        print("a", k)
        y = x * k
        print("b", y.sum().item(), sep="|", end=";\n")
        print(f"{y.mean().item():.3f} {k!r:>5} {x.shape}")
        return y

    for k in (1, 2, 3, 2.5, True):
        yield f(X, k)


def formatting(compile: Any) -> Any:
    @compile
    def f(x, k):
        s = f"{k:.2f} {k} {k!r} {x.shape[0]:03d}" + "%s %r %d" % (k, k, k) + "{} {k}".format(k, k=k) + str(x.tolist())
        return s, x * len(s), s.split()[0], s.upper()[:3], repr(x), f"{x.sum()}", format(k, "e")

    for k in (1.0, 2.5, -0.0, 3, True, 1e10):
        yield f(X, k)


def lists_in_place(compile: Any) -> Any:
    xs = [3, 1, 2]
    other = xs

    @compile
    def f(x):
        nonlocal xs
        xs += [len(xs)]
        xs[0:1] = [9, 8]
        xs *= 2
        del xs[-1]
        xs.sort(key=lambda v: -v)
        xs.insert(1, 7)
        xs.remove(7)
        xs.reverse()
        xs.extend((1, 2))
        a = xs.pop(0)
        del xs[4:]
        return x * a, xs.index(9), xs.count(9), sorted(xs, reverse=True)

    for _ in range(3):
        yield outcome(f, X), xs, other is xs
