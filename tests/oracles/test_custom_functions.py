"""Custom Functions beside PyTorch's: the same classes, run by both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

BOTH = (ml, torch)


def leaf(lib: Any, *values: float) -> Any:
    return lib.tensor(values, dtype=lib.float64, requires_grad=True)


def said(x: Any) -> Any:
    """Anything as plain Python, rounded."""
    if isinstance(x, (tuple, list)):
        return [said(part) for part in x]
    return np.round(x.detach().numpy(), 9).tolist() if hasattr(x, "detach") else x


# ---- Functions: each test builds its class on the library's own base ---


def several(lib: Any) -> Any:
    class Several(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, k: Any, y: Any) -> Any:
            s = x.sin() * k
            ctx.save_for_backward(x, y, s)
            ctx.k = k
            return s, x * y, "a note", (x > 0)

        @staticmethod
        def backward(ctx: Any, gs: Any, gp: Any, note: Any, mask: Any) -> Any:
            x, y, s = ctx.saved_tensors
            assert note is None
            return gs * x.cos() * ctx.k + gp * y + 0 * s, None, gp * x

    return Several


def second(lib: Any, out: Any, xs: list[Any]) -> Any:
    first = lib.autograd.grad(out, xs, create_graph=True, allow_unused=True)
    total = sum((g * g).sum() for g in first if g is not None)
    return [first, lib.autograd.grad(total, xs, allow_unused=True)]


USES = {
    "both": lambda s, p: (s * p).sum(),
    "first": lambda s, p: s.sum(),
    "second": lambda s, p: (p * p).sum(),
    "twice": lambda s, p: (s * s * p + s).sum(),
}


@pytest.mark.parametrize("use", USES)
def test_several_results(use: str) -> None:
    found: list[Any] = []
    for lib in BOTH:
        x, y = leaf(lib, 0.3, -0.7), leaf(lib, 1.5, 2.0)
        s, p, note, mask = several(lib).apply(x, 3.0, y)
        assert (note, mask.requires_grad) == ("a note", False)
        assert s.grad_fn is not None
        assert [t.output_nr for t in (s, p)] == [0, 1]
        fn, index = (p * 1).grad_fn.next_functions[0]
        assert (type(fn).__name__ if lib is torch else fn.name(), index) == ("SeveralBackward", 1)
        found.append(said(second(lib, USES[use](s, p), [x, y])))
    np.testing.assert_allclose(*[[v for part in f for g in part if g is not None for v in g] for f in found], rtol=1e-8)
    assert [[g is None for g in part] for part in found[0]] == [[g is None for g in part] for part in found[1]]


def test_cotangents_of_unused_results() -> None:
    seen: list[Any] = []
    for lib in BOTH:
        for zeros in (True, False):

            class Two(lib.autograd.Function):
                @staticmethod
                def forward(ctx: Any, x: Any, zeros: bool = zeros) -> Any:
                    ctx.set_materialize_grads(zeros)
                    assert ctx.needs_input_grad == (True,)
                    return x * 2, x.sum() * 3

                @staticmethod
                def backward(ctx: Any, *grads: Any) -> Any:
                    seen.append(said(grads))
                    return grads[0]

            a, _ = Two.apply(leaf(lib, 1.0, 2.0))
            a.sum().backward()
    assert seen[0] == [[1.0, 1.0], 0.0]
    assert seen[:2] == seen[2:]


def dirty(lib: Any) -> Any:
    class Dirty(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.mul_(2)
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 2 + 0 * x

    return Dirty


def test_a_function_that_writes_in_place() -> None:
    found: list[Any] = []
    for lib in BOTH:
        x = leaf(lib, 1.0, 2.0, 3.0)
        y = x * 1
        part = y[:2]
        out = dirty(lib).apply(part)
        assert out is part
        z = (y * y).sum() + (out * x[:2]).sum()
        z.backward()
        with pytest.raises(RuntimeError):
            dirty(lib).apply(x)
        found.append(said([y, out, z, x.grad]))
    assert found[0] == found[1]


def test_what_is_not_returned_and_what_is_constant() -> None:
    for lib in BOTH:

        class Lost(lib.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.mark_dirty(x)
                return x * 1

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g

        class Still(lib.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                rest = x * 3
                ctx.mark_non_differentiable(rest)
                return x * 2, rest

            @staticmethod
            def backward(ctx: Any, g: Any, rest: Any) -> Any:
                assert said(rest) == [0.0, 0.0]
                return g * 2

        x = leaf(lib, 1.0, 2.0)
        with pytest.raises(RuntimeError, match="dirty"):
            Lost.apply(x * 1)
        a, b = Still.apply(x)
        assert (a.requires_grad, b.requires_grad) == (True, False)
        a.sum().backward()
        assert said(x.grad) == [2.0, 2.0]


def once(lib: Any) -> Any:
    mark = ml.autograd.once_differentiable if lib is ml else torch.autograd.function.once_differentiable

    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @mark
        def backward(ctx: Any, g: Any) -> Any:
            assert not lib.is_grad_enabled()
            return g * 2 * ctx.saved_tensors[0]

    return Square


def test_once_differentiable() -> None:
    for lib in BOTH:
        x = leaf(lib, 3.0)
        once(lib).apply(x).backward()
        assert said(x.grad) == [6.0]
        (g,) = lib.autograd.grad((once(lib).apply(x) * x).sum(), x, create_graph=True)
        with pytest.raises(RuntimeError, match="once_differentiable"):
            g.sum().backward()


def split(lib: Any) -> Any:
    class Split(lib.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any, y: Any) -> Any:
            return x.sin() * y, x.exp()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            assert isinstance(inputs, tuple)
            ctx.save_for_backward(*inputs, output[1])
            ctx.save_for_forward = None

        @staticmethod
        def backward(ctx: Any, gs: Any, ge: Any) -> Any:
            x, y, e = ctx.saved_tensors
            return gs * x.cos() * y + ge * e, gs * x.sin()

    return Split


def test_the_split_form() -> None:
    found: list[Any] = []
    for lib in BOTH:
        x, y = leaf(lib, 0.3, 0.4), leaf(lib, 2.0, 5.0)
        s, e = split(lib).apply(x, y)
        found.append(said(second(lib, (s * e).sum(), [x, y])))
    np.testing.assert_allclose(found[0], found[1])


TRANSFORMS = {
    "grad": lambda lib, f: lib.func.grad(lambda x: f(x, x * 2).sum()),
    "grad of grad": lambda lib, f: lib.func.grad(lambda x: lib.func.grad(lambda z: f(z, x).sum())(x).sum()),
    "vmap": lambda lib, f: lib.func.vmap(lambda x: f(x, x + 1)),
    "vmap of one": lambda lib, f: (
        lambda x: (
            lib.func.vmap(f, in_dims=(0, None))(x, x.sum())
            if lib is torch
            else lib.func.vmap(f, in_axes=(0, None))(x, x.sum())
        )
    ),
    "vmap of grad": lambda lib, f: lib.func.vmap(lib.func.grad(lambda x: f(x, x * x).sum())),
    "grad of vmap": lambda lib, f: lib.func.grad(lambda x: lib.func.vmap(lambda a: f(a, a * x.sum()))(x).sum()),
}


@pytest.mark.parametrize("way", TRANSFORMS)
def test_a_split_function_under_transforms(way: str) -> None:
    found: list[Any] = []
    for lib in BOTH:
        cls = split(lib)
        f = lambda x, y, cls=cls: cls.apply(x, y)[0] * cls.apply(y, x)[1]  # noqa: E731
        found.append(said(TRANSFORMS[way](lib, f)(leaf(lib, 0.3, 0.4).detach())))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9)


def test_rules_for_jvp_and_for_a_batch() -> None:
    found: list[Any] = []
    for lib in BOTH:

        class Scale(lib.autograd.Function):
            @staticmethod
            def forward(x: Any, factor: float) -> Any:
                return x * factor

            @staticmethod
            def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
                ctx.factor = inputs[1]

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * ctx.factor, None

            @staticmethod
            def jvp(ctx: Any, t: Any, _: Any) -> Any:
                return t * ctx.factor * 10  # told apart from the truth

            @staticmethod
            def vmap(info: Any, in_dims: Any, x: Any, factor: float) -> Any:
                assert (info.batch_size, in_dims) == (2, (0, None))
                return x * factor * 100, 0

        x = leaf(lib, 1.0, 2.0).detach()
        jvp = lib.func.jvp(lambda x, c=Scale: c.apply(x, 3.0), (x,), (x,))
        many = lib.func.vmap(lambda x, c=Scale: c.apply(x, 3.0))(x)
        found.append([said(jvp), said(many)])
    assert found[0] == found[1]


@pytest.mark.parametrize("first", ["saved", "marked"])
def test_what_forward_writes_is_saved_as_it_is_afterwards(first: str) -> None:
    def gradient(library: Any) -> Any:
        class Twice(library.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                notes = [lambda: ctx.save_for_backward(x), lambda: ctx.mark_dirty(x)]
                for note in notes if first == "saved" else notes[::-1]:
                    note()
                return x.mul_(2)

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * ctx.saved_tensors[0]

        leaf = library.tensor([1.0, 2.0, 3.0], requires_grad=True)
        out = Twice.apply(leaf * 1)
        (out * out).sum().backward()
        return leaf.grad

    np.testing.assert_array_equal(gradient(ml).numpy(), gradient(torch).numpy())
