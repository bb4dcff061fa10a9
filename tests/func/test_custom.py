"""custom_vjp, custom_jvp, linearize and pytrees: what they are for, and what they refuse."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, GradientError, ShapeError
from minitorch_lab.func import custom_jvp, custom_vjp, grad, hessian, jvp, linearize, vjp, vmap

X = ml.tensor([0.5, -1.0, 100.0], dtype=ml.float64)


@custom_jvp
def log1pexp(x: Any) -> Any:
    return (1 + x.exp()).log()


log1pexp.defjvps(lambda t, out, x: t * x.sigmoid())


@custom_vjp
def straight_through(x: Any) -> Any:
    return (x * 2 + 0.5).detach().clamp(0.0, 1.0) * 0 + (x > 0).double()


straight_through.defvjp(lambda x: (straight_through(x), None), lambda _, g: (g,))


def test_a_rule_that_is_stable_where_the_derivative_is_not() -> None:
    big = ml.tensor(1000.0, dtype=ml.float64)
    with np.errstate(all="ignore"):
        assert np.isnan(grad(log1pexp.fun)(big).item())
        assert grad(log1pexp)(big).item() == 1.0
        assert vmap(jvp_of(log1pexp))(ml.stack([big, big])).tolist() == [1.0, 1.0]
    s = 1 / (1 + np.exp(-0.5))
    assert grad(grad(log1pexp))(ml.tensor(0.5, dtype=ml.float64)).item() == pytest.approx(s * (1 - s))


def jvp_of(f: Any) -> Any:
    return lambda x: jvp(f, (x,), (ml.ones_like(x),))[1]


def test_a_straight_through_estimator() -> None:
    assert grad(lambda x: (straight_through(x) * X).sum())(X).tolist() == X.tolist()
    x = X.clone().requires_grad_()
    straight_through(x).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]
    assert x.grad_fn is None
    assert straight_through(x).grad_fn.name() == "StraightThroughBackward"


def test_nested_arguments_and_nothing_for_some() -> None:
    @custom_vjp
    def f(p: Any, x: Any) -> Any:
        return {"out": p["w"] * x, "size": x.sum()}

    f.defvjp(
        lambda p, x: (f(p, x), (p, x)),
        lambda kept, g: ({"w": g["out"] * kept[1] * 10, "unused": ml.zeros(2)}, None),
    )
    p = {"w": X, "unused": ml.ones(2)}
    gp, gx = grad(lambda p, x: f(p, x)["out"].sum() + f(p, x)["size"], argnums=(0, 1))(p, X)
    assert gp["w"].tolist() == [5.0, -10.0, 1000.0]
    assert (gp["unused"].tolist(), gx.tolist()) == ([0.0, 0.0], [0.0, 0.0, 0.0])


def test_a_call_is_kept_by_nothing_but_its_node() -> None:
    x = X.clone().requires_grad_()
    y = log1pexp(x)
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx(X.sigmoid().tolist())
    with pytest.raises(GradientError, match="freed"):
        y.sum().backward()


def test_linearize_runs_the_function_once() -> None:
    runs: list[int] = []

    def f(x: Any, y: Any) -> Any:
        runs.append(1)
        return (x.sin() * y).sum(), y * 2

    value, push = linearize(f, X, X)
    for k in range(3):
        moved = push(X * k, X)
        want = jvp(lambda x, y: ((x.sin() * y).sum(), y * 2), (X, X), (X * k, X))
        assert moved[0].item() == pytest.approx(want[1][0].item())
        assert moved[1].tolist() == want[1][1].tolist()
        assert value[0].item() == want[0][0].item()
    assert len(runs) == 1
    rows = vmap(lambda t: push(t, X * 0)[0])(ml.eye(3, dtype=ml.float64))
    np.testing.assert_allclose(rows.value, (X.cos() * X).value)


Point = namedtuple("Point", "x y")


@dataclass
class Line:
    slope: Any
    offset: Any


ml.func.register_pytree_node(Line, lambda line: ((line.slope, line.offset), None), lambda _, parts: Line(*parts))


def test_what_may_be_nested() -> None:
    one, two = ml.tensor(1.0), ml.tensor(2.0)
    g = grad(lambda p: p.x * p.y * 3)(Point(one, two))
    assert (type(g), g.x.item(), g.y.item()) == (Point, 6.0, 3.0)
    g = grad(lambda line: line.slope * 3 + line.offset)(Line(one, two))
    assert (type(g), g.slope.item(), g.offset.item()) == (Line, 3.0, 1.0)
    g = grad(lambda t: t[0] * t[2]["a"])([one, None, {"a": two}])
    assert (g[0].item(), g[1], g[2]["a"].item()) == (2.0, None, 1.0)
    many = vmap(lambda line: line.slope + line.offset, in_axes=(Line(0, None),))(Line(ml.ones(2), two))
    assert many.tolist() == [3.0, 3.0]


def test_dicts_are_matched_by_keys_and_come_back_in_their_own_order() -> None:
    g = grad(lambda p: p["b"] * 2 + p["a"])({"b": ml.tensor(1.0), "a": ml.tensor(1.0)})
    assert [(key, x.item()) for key, x in g.items()] == [("b", 2.0), ("a", 1.0)]  # as torch.func, so that zip fits
    moved = jvp(
        lambda p: p["a"], ({"a": ml.tensor(1.0), "b": ml.tensor(2.0)},), ({"b": ml.tensor(5.0), "a": ml.tensor(7.0)},)
    )
    assert moved[1].item() == 7.0


def plain(x: Any) -> Any:
    return x * 2


def ruled(fwd: Any, bwd: Any) -> Any:
    f = custom_vjp(plain)
    f.defvjp(fwd, bwd)
    return grad(lambda x: f(x).sum())


def pushed(rule: Any) -> Any:
    f = custom_jvp(plain)
    f.defjvp(rule)
    return jvp(f, (X,), (X,))


WRONG = {
    "no rule": (
        lambda: custom_vjp(plain)(X),
        ArgumentError,
        """\
plain is a custom_vjp function without a rule.
  The rule says how to differentiate it, and there is none to fall back on.
  Call plain.defvjp(fwd, bwd) once, after the function is defined.""",
    ),
    "jvp of custom_vjp": (
        lambda: jvp(straight_through, (X,), (X,)),
        GradientError,
        """\
jvp of straight_through, which has a custom_vjp rule.
  That rule pulls cotangents back; forward mode pushes tangents, and one does not follow from the other.
  Did you mean custom_jvp? It serves both modes.""",
    ),
    "fwd without residuals": (
        lambda: ruled(lambda x: x, lambda kept, g: (g,))(X),
        ArgumentError,
        """\
The fwd of plain returned a tensor.
  fwd returns a pair: the result of the function, and what bwd needs of it.
  Did you mean return result, (x, y)?""",
    ),
    "bwd without a tuple": (
        lambda: ruled(lambda x: (x, None), lambda kept, g: g)(X),
        ArgumentError,
        """\
The bwd of plain returned a tensor for 1 arguments.
  bwd returns a tuple with one cotangent per argument, None where it is zero.
  Did you mean (g * 2,), with a comma?""",
    ),
    "bwd of another form": (
        lambda: ruled(lambda x: (x, None), lambda kept, g: ((g, g),))(X),
        ArgumentError,
        """\
The bwd of plain returned a cotangent with 2 tensors for argument 0.
  That argument has 1, and its cotangent has the same form.
  Build it as the argument is built: the same keys, the same order.""",
    ),
    "bwd of another shape": (
        lambda: ruled(lambda x: (x, None), lambda kept, g: (g.sum(),))(X),
        ShapeError,
        """\
plain.backward returned a gradient of shape () for argument 0.
  That argument has shape (3,), and so has its gradient.
  Did you sum, or take a mean, where there is one number for each entry? Then expand it, or leave that out.""",
    ),
    "rule without a pair": (
        lambda: pushed(lambda p, t: t[0]),
        ArgumentError,
        """\
The jvp rule of plain returned a tensor.
  A rule returns a pair: the result, and its tangent, of the same form and shape.
  Did you mean return result, tangent?""",
    ),
    "tangent of another shape": (
        lambda: pushed(lambda p, t: (p[0], t[0].sum())),
        ArgumentError,
        """\
The jvp rule of plain returned tangents of shapes [()].
  A rule returns a pair: the result, and its tangent, of the same form and shape.
  Did you mean return result, tangent?""",
    ),
    "tangents nested in another way": (
        lambda: jvp(plain, (X,), ((X, X),)),
        ArgumentError,
        """\
jvp got 2 tangents for 1 primals, or nested in another way.
  Every primal has one tangent, at the same place of the same structure.
  Did you mean (x,), a tuple with one entry? ml.zeros_like is the tangent of what does not move.""",
    ),
    "cotangents": (
        lambda: vjp(plain, X)[1]((X, X)),
        ArgumentError,
        """\
A pullback got 2 cotangents for 1 values.
  Every tensor in the result has one cotangent, at the same place of the same structure.
  Did you mean one argument, nested like the result of the function?""",
    ),
    "shape of a cotangent": (
        lambda: vjp(plain, X)[1](ml.ones(2)),
        ShapeError,
        """\
A pullback got a cotangent of shape (2,) for a value of shape (3,).
  The cotangent has one number per entry of the value.
  Did you mean ml.ones_like(y)?""",
    ),
    "has_aux": (
        lambda: grad(lambda x: x.sum(), has_aux=True)(X),
        ArgumentError,
        """\
has_aux of a function that returned a tensor.
  It returns a pair: what is differentiated, and anything else.
  Did you mean return loss, other?""",
    ),
    "axes": (
        lambda: vmap(plain, in_axes=(0, 0))(X),
        ArgumentError,
        """\
The axes [0, 0] for 1 values.
  Axes are one number for all, or nested as the arguments are, down to any depth.
  Did you mean one number, or one entry per argument? None stands for what all examples share.""",
    ),
    "out_axes": (
        lambda: vmap(plain, out_axes=None)(X),
        ShapeError,
        """\
vmap got out_axes=None for a result of shape () that differs from example to example.
  None keeps one result for all examples, so it must not depend on what is mapped.
  Did you mean out_axes=0?""",
    ),
    "keys": (
        lambda: grad(lambda p: p[1])({1: X[0], "a": X[0]}),
        ArgumentError,
        """\
A dict with the keys 1, 'a' as an argument of a transform.
  Its parts are taken in the order of their keys, and these cannot be compared.
  Did you mean to write all keys as strings?""",
    ),
    "registered twice": (
        lambda: ml.func.register_pytree_node(Line, lambda line: ((), None), lambda _, parts: None),
        ArgumentError,
        """\
register_pytree_node got Line a second time.
  A container is taken apart in one way.
  Register each class once, where it is defined.""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_uses_are_answered(name: str) -> None:
    call, kind, text = WRONG[name]
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == text


def test_arguments_that_are_no_tensors() -> None:
    @partial(custom_jvp, nondiff_argnums=(1, 2))
    def power(x: Any, n: int, note: str = "none") -> Any:
        return x**n

    power.defjvp(lambda n, note, p, t: (power(p[0], n, note), n * p[0] ** (n - 1) * t[0]))
    assert grad(lambda x: power(x, 3).sum())(X).tolist() == pytest.approx((3 * X * X).tolist())
    np.testing.assert_allclose(hessian(lambda x: power(x, n=3).sum())(X).value, np.diag(6 * X.value))
