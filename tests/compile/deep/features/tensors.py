"""Tensors: arithmetic, breaks, walks, writes, random numbers, dtypes."""

# ruff: noqa: E501
from tests.compile.deep.features.feature import Feature

CORE = Feature(
    world=("log = []", "n, k = 2, 0.5", "w = ml.tensor([0.5, -1.0, 2.0], requires_grad=True)"),
    passed=("log", "w"),
    tensors=(
        "$t + $t", "$t * $t", "$t - $f * $t", "$t.relu()", "$t.tanh()", "$t.sigmoid()", "-$t", "$t * w", "$t / 2", "$v.sum()", "$t.mean(-1, keepdim=True)",
        "ml.where($t > 0, $t, $t)", "$t.exp().clamp(max=3.0)", "$t.softmax(-1)", "ml.maximum($t, $t)", "$t.detach()", "$t.clone()", "w + $f", "$v[..., :1]",
        "$t.abs().sqrt()", "ml.cat([$v, $v], -1)[..., :3]", "ml.stack([$v, $v]).sum(0)", "$t + $i", "$v.unsqueeze(0)[0]", "$t.reshape(-1)[:3]",
    ),
    ints=("n", "n + $k", "n * 2", "$v.shape[-1]", "$v.ndim", "len(log)", "$k", "n % 3"),
    floats=("k", "k * 0.5", "0.25", "float(n)", "-k", "n / 4"),
    conditions=("n > $k", "k < 1", "$v.requires_grad", "len(log) > $k", "n % 2 == 0", "not n", "$v is $v", "$v.ndim == 1", "log", "$i < $i", "$v.shape == $v.shape"),
    parameters=("w",),
    statements=(
        "$v = $t", "$v = $t", "$v = $t", "n = $i", "k = $f", "log.append($i)", "log.append($t)", "$v = $t; $v = $t", "n += 1", "$v += $t * 0.5", "$v, $v = $t, $t",
        "$v = $v if $c else $t", "log.append(len(log))", "$u = $t; $v = $v * $u", "$v = ($t, $t)[n % 2]",
    ),
    heads=("for i in range($k):", "for i in range(n % 3):", "for $v in ($t, $t):", "try:"),
    results=("log", "w", "{'y': y, 'n': n}", "(x, y)", "z.shape", "len(log)"),
    between=("log.clear()", "log.append(1)", "n = n + 1", "k = k * 0.5", "w.grad = None", "log = []", "w = (w.detach() * 0.5).requires_grad_()", "pass"),
    after=("log.append(r[0])", "r = None", "log.append(len(r))", "r.append(n)", "r[0].sum()", "log[:] = log[-2:]"),
)  # fmt: skip

BREAKS = Feature(
    prelude="""
def unknown(b, log):
    exec("log.append('u')", {"log": log})

def native(t):
    return eval("t * 2", {"t": t})
""",
    tensors=("native($t)", "$t * $s.item()", "$t * float($s.detach())", "ml.tensor($v.tolist())"),
    ints=("int($s.detach()) % 4", "len($v.tolist())", "int($m)", "($v > 0.1).sum().item()"),
    floats=("$s.item() * 0.1", "float($s.detach()) * 0.1"),
    conditions=("$m", "bool($m)", "($t).detach().numpy().sum() > 0.3", "$m and $m", "not $m"),
    statements=(
        "print($v.detach())", "print(n, k)", "unknown(w, log)", "log.append($t.tolist())", "log.append(bool($m))", "k = $s.item() * 0.01", "$v = native($t)", "log.append(f'{$s.item():.3f}')",
        "assert $m, 'asked'", "n = sum(1 for v in (x, y, z) if v.sum() > 0.1)", "$v = $t if $m else $t", "print(f'{n} {k:.2f}', len(log))", "$u = $t; print('u'); $v = $u * 2",
    ),
    heads=("if $m:", "while $s.item() > 5.3 and len(log) < 9:", "if $m and $c:"),
    results=("x.tolist()", "bool((y.sum() > 0.1))"),
    after=("print(r)", "log.append(r[0].tolist())"),
)  # fmt: skip

WALKS = Feature(
    world=("w2 = ml.tensor([1.0, 0.25, -0.5], requires_grad=True)",),
    passed=("w2",),
    tensors=("$t * w2", "(w2 * w).tanh()", "w.grad if w.grad is not None else w", "ml.autograd.grad(($t * w2).sum(), w2)[0]", "ml.autograd.grad((w2 * $t).sum(), w2, create_graph=True)[0]"),
    conditions=("w.grad is None", "w2.grad is not None", "$v.is_leaf", "$v.grad_fn is None"),
    parameters=("w2", "w"),
    statements=(
        "($t * $p).sum().backward()", "$u = ($t * $p).tanh(); $u.sum().backward()", "$u = ($t * $p).sum(); $u.backward(retain_graph=True); $u.backward()", "$p.grad = None",
        "$u, = ml.autograd.grad(($p * $t).sum(), $p); $v = $u * $v", "$u = ml.autograd.grad((w * w2 * $t).sum(), [w, w2]); $v = $u[1]", "$u = ml.autograd.grad(($p * $p * $t).sum(), $p, create_graph=True)[0]; $u.sum().backward()",
        "with ml.no_grad(): $p.sub_(0.1 * $p)", "$v = ($v * $p).detach()", "$v.retain_grad() if $v.requires_grad and not $v.is_leaf else None", "$u = $s\nif $u.requires_grad: $u.backward(retain_graph=True)",
        "$v.backward(ml.ones_like($v)) if $v.requires_grad else None", "$u = $p.register_hook(lambda g: g * 2); ($p * $t).sum().backward(); $u.remove()", "with ml.no_grad(): $v = $t * $p",
        "log.append($p.grad)", "$p.grad.zero_() if $p.grad is not None else None", "$v = $v + $p.grad if $p.grad is not None else $v", "$v = $v.detach().requires_grad_()",
    ),
    heads=("with ml.no_grad():", "with ml.enable_grad():", "if $p.grad is None:", "with ml.set_grad_enabled($c):"),
    results=("w.grad", "w2.grad", "($t * w2).sum()", "x.detach()", "y.detach()"),
    between=("w2.grad = None", "w.grad = None", "w2 = ml.tensor([1.0, 2.0, 3.0])", "w2 = ml.tensor([1.0, 2.0, 3.0]).requires_grad_()", "w2.requires_grad_(not w2.requires_grad) if w2.is_leaf else None"),
    after=(
        "r[0].sum().backward()", "r[1].sum().backward()", "(r[0].sum() + r[1].sum()).backward()", "r[0].sum().backward(retain_graph=True)", "ml.autograd.grad(r[0].sum(), [w], allow_unused=True)", "x.grad = None", "y.grad = None",
        "g = ml.autograd.grad(r[1].sum(), [w, w2], create_graph=True, allow_unused=True); g[0].sum().backward()", "w.grad = None", "(r[0] * r[1]).sum().backward()", "g = ml.autograd.grad(r[0].sum(), [x], retain_graph=True)",
        "(r[0].tanh() * 2).sum().backward(retain_graph=True); r[0].sum().backward()", "ml.autograd.grad(r[0].sum(), r[1])", "r[0].register_hook(lambda g: log.append(g)); (r[0] * r[1]).sum().backward(retain_graph=True)",
        "[t.sum().backward(retain_graph=True) for t in r[:2] if t.requires_grad]", "r[-1].sum().backward()",
    ),
)  # fmt: skip

WRITES = Feature(
    world=("buf = ml.zeros(3)", "mat = ml.zeros(4, 3)"),
    passed=("buf", "mat"),
    tensors=("buf + $t", "mat[$k % 4]", "$v[:, 0]", "$v.T", "$v[..., 1:] * 2", "mat[0] * $t", "mat.view(-1)[:3]", "$v.transpose(-1, 0)", "$v.expand(2, *$v.shape)[0]", "$v.view(-1)[:3]"),
    statements=(
        "buf += $t.detach()", "buf.copy_($t.detach()) if $v.shape == buf.shape else None", "mat[n % 4] = $t.detach()", "mat[0].add_($f)", "$u = $v.clone(); $u[..., 0] = $f; $v = $u", "$u = $v * 1; $u *= $t; $v = $u",
        "$u = $v.clone(); q = $u[..., 1:]; q *= 2; $v = $u", "$v.mul_($f)", "$v[..., 0] = $f", "$v.add_($t)", "buf.zero_()", "buf[n % 3] += $f", "mat[1:3] *= 2", "$u = mat.T; $u[0] = $f",
        "$u = $v.clone(); $u.relu_(); $v = $u + $v", "$v = $v.clone().fill_($f)", "$u = $v.view(-1); $u[0] = $f", "$u = $v.clone(); $u[$u > 0.3] = $f; $v = $u", "$u = buf.detach(); $u += 1", "mat.t_ = n", "$u = [buf, mat[0]]\nfor q in $u: q += 1",
        "log.append(buf.clone()); buf += 1", "$v = $v + buf; buf += 1; $v = $v + buf", "$u = buf; $u += 1", "mat.numpy()[0] = 3", "buf.mul_(2)",
    ),
    results=("buf", "mat[0]", "mat", "x[..., 0]", "z.detach()", "mat.T"),
    between=("buf += 1", "buf = ml.ones(3)", "mat = ml.ones(4, 3)", "mat = ml.ones(3, 4).T", "buf = mat[1]", "buf = ml.zeros(3, 2)[:, 0]", "x.detach().add_(1)", "r[0].detach().add_(1)"),
    after=("r[0].detach().mul_(2)", "r[0].detach()[..., 0] = 5", "buf += 1", "log.append(r[0])", "r[1].detach().add_(1)"),
)  # fmt: skip

RANDOM = Feature(
    world=("gen = ml.Generator().manual_seed(3)",),
    passed=("gen",),
    tensors=("$t * ml.rand(3)", "$t + ml.randn(3)", "ml.rand_like($v * 1.0)", "ml.nn.functional.dropout($t, 0.5)", "ml.nn.functional.dropout($t, 0.5, training=n > 1)", "ml.rand(3, generator=gen)", "$v[..., ml.randperm(3)]", "ml.bernoulli(ml.ones(3) * 0.5)", "ml.randint(0, 5, (3,)) * $t"),
    ints=("ml.randint(0, 4, ()).item()", "int(ml.rand(()) * 3)"),
    floats=("ml.rand(()).item()",),
    conditions=("ml.rand(()) > 0.5", "ml.rand(1).item() > 0.5"),
    statements=(
        "ml.rand(3)", "ml.randn(2, 2)", "$u = ml.rand(3)", "$v = ml.nn.functional.dropout($v, 0.5)", "ml.manual_seed(n)", "log.append(ml.rand(2))", "$u = ml.rand_like($v * 1.0) if $c else None", "$u = $t * 0 + ml.rand(3); $v = $t",
        "$u = ml.zeros(3).uniform_(); $v = $v + $u", "$u = ml.zeros(3); $u.normal_()", "s = ml.get_rng_state(); $v = $v * ml.rand(3); ml.set_rng_state(s)", "ml.randperm(4)", "$u = [ml.rand(1) for _ in range(n % 3)]", "ml.rand(2, generator=gen)", "gen.manual_seed(n)", "ml.multinomial(ml.ones(3), 2)",
    ),
    results=("ml.rand(3)", "ml.get_rng_state()"),
    between=("ml.manual_seed(n)", "ml.rand(1)", "gen.manual_seed(5)", "gen = ml.Generator().manual_seed(7)"),
    after=("log.append(ml.rand(1))",),
)  # fmt: skip

DTYPES = Feature(
    world=("ints = ml.tensor([1, 0, 2])", "dt = ml.float32"),
    passed=("ints",),
    tensors=("$v.to(ml.float64)", "$t.float()", "$v.long() * $t", "ints * $t", "$t[..., ints]", "($t > 0).float()", "$t.double().float()", "$v.to(dt)", "$t * ml.tensor($k)", "ml.ones(3, dtype=dt) * $t", "ml.zeros_like($v)", "$v.to($v.dtype)", "$t.half().float()", "($v > 0) & ($v < 1)", "$v.to(w.dtype)", "ml.arange(3) * $t", "ml.full((3,), $f)", "ml.where(ints > 0, $t, 0.5)", "ml.nn.functional.one_hot(ints, 3) * 1.0"),
    ints=("ints.sum().item()", "ints[n % 3].item()", "ints.argmax().item()"),
    conditions=("$v.dtype == ml.float32", "$v.dtype is dt", "ints.dtype == ml.int64", "$v.dtype in (ml.float32, ml.float64)"),
    statements=("dt2 = $v.dtype; $v = $t.to(dt2)", "ints2 = ints + n; $v = $t[..., ints2 % 3]", "log.append($v.dtype)", "ints.add_(1).remainder_(3)", "$v = $v.to(ml.float64) if $c else $v.to(ml.float32)", "log.append(($v > 0.1).sum())", "$v = $v.double()", "log.append(str($v.dtype))", "$v = ml.tensor([n, 1.0, k]) * $v", "$v = ml.tensor([n, 1, 2]) * $v"),
    results=("ints", "x.dtype", "(x > 0)", "ints * n"),
    between=("dt = ml.float64", "dt = ml.float32", "ints = ml.tensor([2, 1, 0])", "ints = ml.tensor([True, False, True])", "w = w.detach().double().requires_grad_()", "ints += 1; ints %= 3"),
    after=("log.append(r[0].dtype)",),
)  # fmt: skip

TENSORS = {"core": CORE, "breaks": BREAKS, "walks": WALKS, "writes": WRITES, "random": RANDOM, "dtypes": DTYPES}
