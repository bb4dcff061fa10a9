"""What changes between calls: globals, and lengths."""

# ruff: noqa: E501
from tests.compile.deep.features.feature import Feature

GLOBALS = Feature(
    prelude="""
SCALE, MODE, CACHE = 2.0, 'add', {}

def helper(t, n):
    return t * SCALE + n

def remember(key, t):
    global SCALE
    if key not in CACHE:
        CACHE[key] = t
        SCALE = SCALE + 0.5
    return CACHE[key]

def ensure(t):
    if MODE == 'add':
        return t + 1
    return helper(t, 2)
""",
    tensors=("helper($t, n)", "$t * SCALE", "remember(n, $t.detach())", "ensure($t)", "CACHE.get(n, $t)"),
    ints=("len(CACHE)", "len(MODE)"),
    floats=("SCALE", "SCALE / 2"),
    conditions=("MODE == 'add'", "n in CACHE", "SCALE > 2", "CACHE"),
    statements=("$v = helper($t, n)", "$v = ensure($v)", "$v = remember('a', $t.detach()) + $v", "CACHE[n] = $t", "CACHE.clear()", "globals()['MODE'] = 'mul'", "log.append(SCALE)", "CACHE.setdefault('n', []).append(n)", "log.append(MODE)"),
    results=("CACHE", "SCALE", "helper(x, n)"),
    between=("SCALE = 3.0", "SCALE = 3", "MODE = 'mul'", "CACHE = {}", "helper = lambda t, n: t - n", "SCALE = ml.tensor([1.0, 2.0, 3.0])", "MODE = 'add'", "CACHE[2] = ml.ones(3)", "del CACHE", "CACHE = {1: x}", "SCALE = True", "max = lambda *a: 7", "len = lambda q: 3", "helper.__defaults__ = (2,)"),
    after=("log.append(SCALE)", "CACHE.clear()"),
)  # fmt: skip

SIZES = Feature(
    world=("batch = ml.ones(4, 3)",),
    passed=("batch",),
    tensors=("batch[:n].sum(0)", "$v.reshape(-1, 3)[:2].sum(0)", "batch.sum(0) / batch.shape[0]", "ml.zeros($v.shape[-1]) + $t", "$v.reshape(-1)[:3] * $v.shape[0]", "$v * $v.numel()", "ml.cat([batch, $v.reshape(-1, 3)]).mean(0)", "(batch @ w)[0] * $t", "$v.unsqueeze(0).expand(2, *$v.shape).sum(0)", "$v.flatten()[-3:]", "batch.T.sum(-1)", "ml.ones(*$v.shape)", "$v.reshape($v.shape[::-1]).sum(0)", "ml.arange($v.shape[0])[:1] * $t", "$v.split(1)[0] * 2", "$v.chunk(2, -1)[0][..., :1]", "batch.view(batch.shape[0], -1)[0]", "batch.softmax(0)[0] + $t", "(batch.unsqueeze(1) * batch).sum((0, 1))"),
    ints=("batch.shape[0]", "len(batch)", "batch.numel() // 3", "$v.size(-1)", "$v.shape[0] * 2", "batch.shape[0] % 2", "len($v)"),
    conditions=("batch.shape[0] > 3", "len($v) == 3", "batch.shape[0] == $v.shape[0]", "$v.numel() > 4", "batch.shape[0] % 2 == 0", "batch.shape == (4, 3)"),
    statements=("log.append(batch.shape[0])", "log.append($v.shape)", "rows2, cols = batch.shape; $v = $v * rows2 / cols", "$v = $v.reshape(-1, 3).sum(0)", "$v = sum(batch) * $v", "for i in range(batch.shape[0]): $v = $v + batch[i] * i", "$v = batch[-1] * $v", "log.append([q.shape for q in batch.split(2)])", "$v = ml.stack([q * 2 for q in batch]).mean(0)", "log.append(batch.sum().item())", "n = batch.shape[0] * 2 - 1", "$v = $v + [0, 1, 2, 3, 4, 5, 6][batch.shape[0]]", "log.append(f'{batch.shape[0]} rows')", "$v = $v.view(-1, 3).mean(0)", "q = ml.zeros(batch.shape[0], 3); q[0] = $f; $v = $v + q[0]", "i = batch.shape[0]\nwhile i > 1: i //= 2; $v = $v * 0.5"),
    heads=("for q in batch:", "for i in range(len(batch)):", "if batch.shape[0] > 3:", "for q in batch.split(2):", "for i, q in enumerate(batch):"),
    results=("batch", "batch * 2", "batch.shape", "batch.sum(0)", "batch[:2]"),
    between=("batch = ml.ones(5, 3)", "batch = ml.ones(2, 3)", "batch = ml.ones(3, 3)", "batch = ml.ones(6, 3, requires_grad=True)", "batch = ml.ones(1, 3)", "batch = ml.ones(7, 3).double()", "batch = ml.ones(3, 5).T"),
    after=("r[0].sum().backward()", "batch.grad = None", "(r[0] * r[1]).sum().backward()"),
)  # fmt: skip

CHANGES = {"globals": GLOBALS, "sizes": SIZES}
