"""Context managers, and classes that say what an operator means."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from typing import Any

import minitorch_lab as ml
from tests.compile.everyday.table import Made, everyday, three


# ---- context managers -----------------------------------------------------------------------------------------------
@everyday
def suppressed() -> Made:
    def f(x: Any) -> Any:
        with contextlib.suppress(KeyError, ValueError):
            x = x * 2
            raise ValueError("gone")
        return x

    return f, three()


@everyday
def null_context() -> Made:
    def f(x: Any) -> Any:
        with contextlib.nullcontext(3.0) as k, ml.no_grad():
            x = x * k
        return x

    return f, three()


@everyday
def exit_stack() -> Made:
    def f(x: Any) -> Any:
        log = []
        with contextlib.ExitStack() as stack:
            stack.enter_context(ml.no_grad())
            stack.callback(log.append, "closed")
            y = x * 2
        return y, log

    return f, three()


@everyday
def own_context_manager() -> Made:
    class Scope:
        depth = 0

        def __enter__(self) -> Any:
            self.depth += 1
            return self

        def __exit__(self, *error: Any) -> bool:
            self.depth -= 1
            return error[0] is KeyError

    scope = Scope()

    def f(x: Any) -> Any:
        with scope as s:
            x = x * s.depth
            raise KeyError("a")
        return x + scope.depth

    return f, three(), lambda: scope.depth


@everyday
def finally_runs() -> Made:
    log: list[Any] = []

    def f(x: Any) -> Any:
        try:
            return x * 2
        finally:
            log.append(len(x))

    return f, three(), lambda: log


# ---- classes --------------------------------------------------------------------------------------------------------
@everyday
def abstract_base() -> Made:
    class Base(ABC):
        @abstractmethod
        def go(self, x: Any) -> Any: ...

        def __call__(self, x: Any) -> Any:
            return self.go(x) + 1

    class Double(Base):
        def go(self, x: Any) -> Any:
            return x * 2

    return (lambda x: Double()(x)), three()


@everyday
def class_and_static_methods() -> Made:
    class Op:
        k = 2.0

        @classmethod
        def make(cls, **kw: Any) -> Any:
            o = cls()
            for name, v in kw.items():
                setattr(o, name, v)
            return o

        @staticmethod
        def twice(x: Any) -> Any:
            return x * 2

        def __call__(self, x: Any) -> Any:
            return self.twice(x) * self.k

    return (lambda x: Op.make(k=3.0)(x) + Op()(x) + Op.twice(x)), three()


@everyday
def overloaded_operators() -> Made:
    class Vec:
        def __init__(self, x: Any) -> None:
            self.x = x

        def __add__(self, other: Any) -> Any:
            return Vec(self.x + (other.x if isinstance(other, Vec) else other))

        __radd__ = __add__

        def __mul__(self, k: Any) -> Any:
            return Vec(self.x * k)

        def __neg__(self) -> Any:
            return Vec(-self.x)

        def __getitem__(self, i: Any) -> Any:
            return self.x[i]

        def __len__(self) -> int:
            return len(self.x)

        def __eq__(self, other: Any) -> bool:
            return isinstance(other, Vec)

        def __iter__(self) -> Any:
            return iter([self.x, self.x * 2])

        def __contains__(self, k: Any) -> bool:
            return k == 1

        def __bool__(self) -> bool:
            return True

        def __call__(self) -> Any:
            return self.x

    def f(x: Any) -> Any:
        v = 1 + Vec(x) + Vec(x) * 2
        w = -v
        a, b = v
        return w[0], len(w), v == w, a * b, (1 in v) and 2, w(), x if v else None, sum([v, w]).x

    return f, three()


@everyday
def dict_subclass_with_attributes() -> Made:
    class AttrDict(dict):
        def __getattr__(self, name: str) -> Any:
            try:
                return self[name]
            except KeyError:
                raise AttributeError(name) from None

        def __setattr__(self, name: str, value: Any) -> None:
            self[name] = value

    cfg = AttrDict(lr=0.1, steps=2)

    def f(x: Any) -> Any:
        cfg.seen = x * cfg.lr
        return cfg.seen * cfg["steps"], hasattr(cfg, "nope")

    return f, three(), lambda: dict(cfg)


@everyday
def list_subclass() -> Made:
    class History(list):
        def last(self) -> Any:
            return self[-1]

    h = History()

    def f(x: Any) -> Any:
        h.append(x * 2)
        return h.last() * len(h)

    return f, three(), lambda: list(h)


@everyday
def descriptor() -> Made:
    class Positive:
        def __set_name__(self, owner: Any, name: str) -> None:
            self.name = "_" + name

        def __get__(self, obj: Any, owner: Any = None) -> Any:
            return getattr(obj, self.name)

        def __set__(self, obj: Any, value: Any) -> None:
            if value < 0:
                raise ValueError("negative")
            setattr(obj, self.name, value)

    class Net:
        lr = Positive()

        def __init__(self) -> None:
            self.lr = 0.5

        def __call__(self, x: Any) -> Any:
            self.lr = self.lr * 2
            return x * self.lr

    net = Net()
    return net, three(), lambda: net.lr


@everyday
def registry() -> Made:
    models: dict[str, Any] = {}

    def register(name: str) -> Any:
        def enter(cls: Any) -> Any:
            models[name] = cls
            return cls

        return enter

    @register("a")
    class A:
        def __call__(self, x: Any) -> Any:
            return x * 2

    return (lambda x: models["a"]()(x)), three()


@everyday
def own_exception() -> Made:
    class Stop(Exception):
        def __init__(self, value: Any) -> None:
            super().__init__("stopped")
            self.value = value

    def g(x: Any) -> Any:
        raise Stop(x * 2)

    def f(x: Any) -> Any:
        try:
            g(x)
        except Stop as stop:
            return stop.value, str(stop), stop.args
        return None

    return f, three()
