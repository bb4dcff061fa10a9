"""Functions in surroundings that change: modes, the environment, streams, files, clocks, contexts, other modules."""

from __future__ import annotations

import contextvars
import decimal
import io
import json
import logging
import os
import random
import sys
import tempfile
import threading
import types
import warnings
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
VAR: contextvars.ContextVar[int] = contextvars.ContextVar("VAR", default=1)


def a_context_variable_between(compile: Any) -> Any:
    f = compile(lambda x: x * VAR.get())
    yield f(X)
    token = VAR.set(5)
    yield f(X)
    VAR.reset(token)
    yield f(X)
    yield contextvars.copy_context().run(lambda: (VAR.set(9), f(X))[1]), f(X)

    @compile
    def g(x):
        token = VAR.set(VAR.get() + 1)
        y = x * VAR.get()
        VAR.reset(token)
        return y, VAR.get()

    yield g(X), g(X)


def the_environment_between(compile: Any) -> Any:
    name = "MINITORCH_WORLDS"
    f = compile(lambda x: x * int(os.environ.get(name, "2")) + len(os.getenv(name, "")))
    try:
        yield f(X)
        os.environ[name] = "5"
        yield f(X)
        os.environ[name] = "55"
        yield f(X)
    finally:
        os.environ.pop(name, None)
    yield f(X)

    @compile
    def g(x):
        os.environ[name] = str(int(os.environ.get(name, 0)) + 1)
        return x * (name in os.environ)

    try:
        yield g(X), os.environ[name], g(X), os.environ[name]
    finally:
        os.environ.pop(name, None)


def a_thread_local(compile: Any) -> Any:
    local = threading.local()
    local.k = 2
    f = compile(lambda x: x * getattr(local, "k", 7))
    yield f(X)
    local.k = 3
    yield f(X)
    out: list[Any] = []
    thread = threading.Thread(target=lambda: out.append(f(X)))
    thread.start()
    thread.join()
    yield out, f(X)


def a_decimal_context(compile: Any) -> Any:
    f = compile(lambda x: (x * 2, str(decimal.Decimal(1) / decimal.Decimal(3))))
    with decimal.localcontext():
        decimal.getcontext().prec = 5
        yield f(X)
        decimal.getcontext().prec = 3
        yield f(X)


def streams(compile: Any) -> Any:
    out = io.StringIO()

    @compile
    def f(x, end):
        print("a", x.tolist(), file=out, end=end)
        out.write("b")
        y = x * out.tell()
        sys.stdout.write("seen\n")
        return y

    yield f(X, "\n"), f(X, ""), out.getvalue()
    out.truncate(0)
    out.seek(0)
    yield f(X, "-"), out.getvalue()
    out = io.StringIO("x")
    yield f(X, "-"), out.getvalue()


def files(compile: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.txt")

        @compile
        def f(x):
            with open(path, "a") as file:
                file.write(f"{x.sum().item()}\n")
            with open(path) as file:
                lines = file.readlines()
            return x * len(lines), os.path.getsize(path)

        yield f(X), f(X)
        os.remove(path)
        yield f(X)
        with open(path, "w") as file:
            json.dump({"k": 3}, file)
        g = compile(lambda x: x * json.load(open(path))["k"])  # noqa: SIM115
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            yield g(X)
            with open(path, "w") as file:
                json.dump({"k": 0.5}, file)
            yield g(X)


def logging_levels(compile: Any) -> Any:
    log, out = logging.getLogger("minitorch.worlds"), io.StringIO()
    handler = logging.StreamHandler(out)
    log.addHandler(handler)
    log.propagate = False

    @compile
    def f(x):
        log.info("sum %s", x.sum().item())
        if log.isEnabledFor(logging.DEBUG):
            x = x * 2
        return x

    try:
        for level in (logging.WARNING, logging.INFO, logging.DEBUG, logging.WARNING):
            log.setLevel(level)
            yield f(X), out.getvalue()
        handler.setLevel(logging.ERROR)
        log.setLevel(logging.INFO)
        yield f(X), out.getvalue()
    finally:
        log.removeHandler(handler)


def warnings_told(compile: Any) -> Any:
    @compile
    def f(x, loud):
        if loud:
            warnings.warn("loud", UserWarning, stacklevel=1)
        return x * 2

    for how in ("always", "ignore", "error"):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter(how)
            yield outcome(f, X, True), f(X, False), outcome(f, X, True), [str(w.message) for w in seen]


def streams_of_random_numbers(compile: Any) -> Any:
    rng, gen, own = np.random.default_rng(3), ml.Generator(), random.Random(5)
    gen.manual_seed(4)

    @compile
    def f(x):
        a = x * own.random()
        b = a + rng.random()
        return b + ml.rand(2, generator=gen) + ml.rand(2), own.choice("abc"), random.random() < 2

    yield f(X), f(X)
    own.seed(5)
    gen.manual_seed(4)
    ml.manual_seed(1)
    yield f(X)
    rng, own = np.random.default_rng(3), random.Random(9)
    yield f(X), f(X), ml.rand(1)


def draws_around_a_choice(compile: Any) -> Any:
    @compile
    def f(x, flag):
        a = ml.rand(2)
        if flag:
            a = a + ml.randn(2)
        if a.sum() > 1:
            ml.rand(1)
        return x + nn.functional.dropout(a, 0.5, training=flag)

    for flag in (True, False, True, False, True):
        yield f(X, flag), ml.rand(1)


def a_name_that_a_module_lacks(compile: Any) -> Any:
    optional, inner = types.ModuleType("optional"), types.ModuleType("optional.inner")
    sys.modules["optional"] = optional

    @compile
    def f(x):
        try:
            from optional import inner
        except ImportError as error:
            return x * 2, str(error), error.name, error.path, error.__context__
        return x * inner.scale

    inner.scale = 3
    yield f(X), f(X)
    sys.modules["optional.inner"] = inner  # it is being imported
    yield f(X), f(X)
    optional.inner = types.SimpleNamespace(scale=5)
    yield f(X)
    del optional.inner, sys.modules["optional.inner"]
    yield f(X)
    optional.__getattr__ = lambda name: inner
    yield f(X), f(X)
    del sys.modules["optional"]
    yield f(X)


def warnings_of_lines(compile: Any) -> Any:
    def inner(x, level):
        warnings.warn("inner", stacklevel=level)
        return x

    def f(x):
        warnings.warn("first", stacklevel=1)
        warnings.warn("second", DeprecationWarning, stacklevel=1)
        warnings.warn(FutureWarning("third"), stacklevel=2)
        for _ in range(2):
            warnings.warn("again", stacklevel=1)
        list(map(lambda v: warnings.warn("mapped", stacklevel=2), [1]))
        return inner(inner(inner(x * 2, 1), 2), 3)

    for how in ("default", "always", "module", "error"):
        run = compile(f)
        globals().pop("__warningregistry__", None)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter(how)
            for _ in range(3):
                yield outcome(run, X)
        yield [(w.filename, w.lineno, w.category, str(w.message)) for w in seen]
