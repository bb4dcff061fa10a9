"""Everyday lines, at the edges: what is shared, what is refused, what is wrapped around, beside PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import minitorch_lab as ml

from .alike import Run, assert_alike, assert_same_gradients

pytestmark = pytest.mark.oracle


def lines(text: str) -> list[str]:
    """The lines of a table, which are parted by semicolons."""
    return text.strip().replace("\n", " ; ").split(" ; ")


WHOLE = {
    "x": np.array([6, 5, -4, 0]),
    "s": np.array([1, 2, 70, -1]),
    "u": np.array([6, 255, 4, 0], "uint8"),
    "i": np.array([-7], "int8"),
    "b": np.array([True, False, True, False]),
    "f": np.array([1.0, 2.0, 3.0, 4.0]),
}
BITS = """
x & 3 ; x | 3 ; x ^ 3 ; ~x ; x << 1 ; x >> 1 ; 3 & x ; 3 | x ; 3 ^ x ; 1 << x ; 100 >> x ; x & b ; b & b ; b | b
b ^ b ; ~b ; b & 3 ; b ^ True ; True & b ; u & 300 ; u | -1 ; u ^ x ; ~u ; u << 7 ; u >> 9 ; i << 6 ; i >> 70 ; i & u
x << s ; x >> s ; 1 << s ; b << 1 ; b << b ; f & 1 ; x & 1.0 ; ~f ; f << 1 ; x << f ; x & f ; b | f ; 1.5 ^ x
L.bitwise_and(x, s) ; L.bitwise_or(x, u) ; L.bitwise_xor(x, i) ; L.bitwise_not(u) ; L.bitwise_left_shift(x, 2)
L.bitwise_right_shift(x, 2) ; x.bitwise_and_(u) ; x.bitwise_xor_(3) ; b.bitwise_and_(x) ; u.bitwise_not_() ; u // 300
L.logical_xor(f, b) ; x.logical_and(f) ; u % 300 ; x.where(b, s) ; L.where(b, x, s) ; f.where(b, 1) ; f.where(f, f)
x.where(x, s) ; x[b & (f > 2)] ; x.where(b, f)
"""
INPLACE = "x &= 3 ; x |= u ; x ^= b ; x <<= 2 ; x >>= 1 ; b &= b ; b |= True ; b ^= True ; b &= x ; u &= x ; x &= f"


@pytest.mark.parametrize("line", lines(BITS))
def test_bits(line: str) -> None:
    assert_alike(line, **WHOLE)


@pytest.mark.parametrize("line", lines(INPLACE))
def test_bits_in_place(line: str) -> None:
    assert_alike(f"{line}; {line[0]}", **WHOLE)


X = {"x": np.arange(12.0).reshape(3, 4), "s": np.array(1.5), "i": np.array([10])}
PAST_THE_END = """
x[3] ; x[-4] ; x[0, 4] ; x[0, 0, 0] ; x[i] ; x[[0, 3]] ; x[:, i] ; x[t([0, -4])] ; x[s] ; x[1.0] ; x["a"]
x[t([1.0])] ; x.select(0, 3) ; x.select(2, 0) ; x.index_select(0, i) ; x.index_select(0, -i) ; x.sum(2)
x.transpose(0, 2) ; x.unsqueeze(4) ; L.cat([x, x], 2) ; L.stack([x, x], 3) ; s[0] ; s[:] ; s[i] ; len(s) ; iter(s)
list(s) ; [*s] ; x[::0] ; x[t([[True]])] ; x.squeeze(2) ; x.flip(2) ; x.softmax(2) ; x.argmax(2) ; x.cumsum(-3)
x.sort(2) ; x.roll(1, 2) ; x.gather(0, t([[10]])) ; x[i] = 0 ; x[3] = 0 ; x[0, 0, 0] = 1 ; x["a"] = 1 ; x.unbind(2)
x.chunk(2, 2) ; bool(x)
"""


@pytest.mark.parametrize("line", lines(PAST_THE_END))
def test_past_the_end(line: str) -> None:
    assert_alike(f"{line}; x" if " = " in line else line, **X)


Z = {
    "x": np.array([[0.0, 1.0, -2.0], [3.0, 0.0, 0.0]]),
    "y": np.array([[0.0, 2.0, -2.0], [3.0, -1.0, 1.0]]),
    "o": np.ones((2, 3)),
    "z": np.zeros((2, 3)),
    "n": np.array([[0.0, np.nan, -2.0], [3.0, np.inf, -np.inf]]),
}
GRADIENTS = """
o.std() ; o.std(0) ; z.std(correction=0) ; z.norm() ; z.norm(1) ; z.norm(3) ; z.norm(0.5) ; z.norm(1.5) ; z.norm(inf)
z.norm(-1) ; z.norm(2, 0) ; z.norm(3, 0) ; x.norm(3, 0) ; x.norm(0.5) ; x.norm(-2) ; x.norm(1.5, 1) ; x.norm(-inf)
L.linalg.vector_norm(x, 4, dim=0) ; L.linalg.norm(z) ; L.linalg.matrix_norm(z) ; L.linalg.svdvals(z) ; 0**x ; 0.0**z
2**x ; x**0 ; x**0.0 ; x**1 ; x**-1 ; x**0.5 ; (-2.0) ** x ; x**y ; z**y ; x / 0 ; x.atan2(y) ; z.atan2(z)
x.maximum(n) ; n.minimum(y) ; x.clamp(0, 1) ; x.clamp(1, 0) ; n.clamp(0, 1) ; x.clamp(y, y + 1) ; x.clamp(min=y)
x.clamp(max=y) ; x.clamp(y, y) ; x.clamp(o, z) ; x.clamp(y[0], y[:, :1]) ; n.clamp(min=z) ; x.clamp(min=n)
x.clamp_min(y) ; x.clip(z, o) ; x.round() ; x.floor() ; x.ceil() ; x.trunc() ; x.sign() ; x.fmod(2) ; x.remainder(2)
x.median() ; z.median() ; n.median() ; x.median(0) ; n.median(1) ; L.linalg.pinv(o) ; L.linalg.pinv(x @ x.mT)
x.abs() ; L.where(x > 0, x, z) ; x.where(x > 0, y)
"""
# the same, up to the signs of columns
FACTORS = "L.linalg.svd(a) ; L.linalg.svd(a.mT) ; L.linalg.svd(a, full_matrices=False)"


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value", "ignore:overflow")
@pytest.mark.parametrize("line", lines(GRADIENTS))
def test_gradients_at_kinks(line: str) -> None:
    assert_same_gradients(line, **Z)


@pytest.mark.parametrize("line", lines(FACTORS))
def test_singular_vectors(line: str) -> None:
    a = {"a": np.random.default_rng(0).normal(size=(4, 2))}
    product = "(u[..., :2] * s @ vh[..., :2, :]).sin().sum() + s.exp().sum() + (u[..., :1] * vh[:1, :1]).square().sum()"
    assert_same_gradients(f"u, s, vh = {line}; {product}", **a)
    shapes = f"u, s, vh = {line}; [tuple(p.shape) for p in (u, s, vh)]"
    assert Run(ml, shapes, a).found == Run(torch, shapes, a).found


MEMORY = """
m.repeat(1, 1) ; m.tile((1,)) ; v.repeat(1) ; s.repeat(2, 2) ; s.repeat(1) ; s.tile(2) ; m.diag() ; m.diag(1)
v.diag() ; s.max(0) ; s.min(0) ; s.cummax(0) ; s.cummin(0) ; m.expand(3, 4) ; m.expand(1, 3, 4) ; m.expand_as(m)
v.broadcast_to((4,)) ; s.expand(1) ; m.flatten() ; m.mT.flatten() ; m.contiguous() ; m.mT.contiguous() ; m.to(m.dtype)
m.double() ; m.float() ; m.roll(0, 0) ; m.flip(()) ; L.cat([m]) ; L.stack([m]) ; m.squeeze() ; m.reshape(3, 4)
m.ravel() ; m[...] ; m[:] ; m[[0, 1]] ; m[m > 0] ; m.clamp(-9, 9) ; m + 0 ; m * 1 ; m**1 ; +m ; m.abs() ; m.detach()
m.data ; m.clone() ; m.sort() ; m.cumsum(0) ; m.split(3) ; m.chunk(1) ; m.unbind() ; m.narrow(0, 0, 3)
m.select(0, 0) ; m.diagonal() ; m.tril() ; m.T ; m.t() ; v.t() ; m.movedim(0, 0) ; m.unfold(0, 1, 1)
m.masked_fill(m > 99, 0.0) ; L.where(m < 99, m, m) ; m.sum(()) ; m.mean(()) ; m.amax(()) ; m.any(())
m.squeeze(()) ; m.count_nonzero(()) ; m.std(()) ; m.var(())
m.norm(dim=()) ; F.dropout(m, 0.0) ; F.pad(m, (0, 0)) ; m.cpu() ; m.type(m.dtype) ; m.nan_to_num()
"""


@pytest.mark.parametrize("line", lines(MEMORY))
def test_memory(line: str) -> None:
    assert_alike(line, m=np.arange(1.0, 13.0).reshape(3, 4), v=np.arange(1.0, 5.0), s=np.array(1.5))


FITS = """
x.copy_(w) ; x.copy_(w[None, None]) ; w.copy_(x[:1]) ; x.copy_(w[:3]) ; x[0] = w[None] ; x[0, 0] = v ; x[0] = w[:2]
x[x > 3] = v
x.index_select(0, t([[0]])) ; x.index_select(0, t(0)) ; x.index_add(0, t([[0]]), x[:1]) ; x.index_add(0, t([0]), x[:2])
x.scatter(0, t([[0, 1]]), x) ; x.scatter(0, t([[0, 1]]), x[:1, :1]) ; x.scatter_add(0, t([[0, 1]]), x)
x.take_along_dim(t([0]), 0) ; x.narrow(0, 3, 0) ; x.narrow(0, 4, 1) ; x.expand(-1, -1, -1) ; x.repeat_interleave(-1)
F.cross_entropy(x, t([0, 1, 9])) ; F.cross_entropy(x, t([0, 1, -1])) ; L.tensor([[1, 2], [3]])
5.0 in w ; 1 in x ; v in w ; [5] in w ; f"{w:.2f}" ; list(reversed(w)) ; f"{v[0]:.2f}"
x[t([True, False])] ; x[:, t([True] * 3)] ; x.clamp() ; x.scatter(0, t([[2, 1]]), x.tanh())
"""
WRITES = """
y = x * 1; y[0] = v; y ; y = x * 1; y[0, 0] = v; y ; y = x * 1; y[0, 0] = v[None]; y ; y = x * 1; y[0] = w[None]; y
y = x * 1; y[:] = w[None, None]; y ; y = x * 1; y[[0, 0]] = w; y ; y = x * 1; y[y > 5] = v; y ; y = x * 1; y.copy_(v); y
y = x * 1; y.div_(w); y.add_(1); y ; y = x * 1; y.div_(w); y[0] = v; y
"""


@pytest.mark.parametrize("line", lines(FITS))
def test_what_fits(line: str) -> None:
    arrays = {"x": np.arange(12.0).reshape(3, 4), "v": np.array([5.0]), "w": np.arange(5.0, 9.0)}
    assert_alike(f"{line}; x" if " = " in line else line, **arrays)


@pytest.mark.parametrize("line", lines(WRITES))
def test_gradients_of_writes(line: str) -> None:
    assert_same_gradients(line, x=np.arange(1.0, 13.0).reshape(3, 4), v=np.array([5.0]), w=np.arange(5.0, 9.0))
