# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    n, i, whole = len(x), 0, 0
    while i < n:
        j = min(i + rows, n)
        l = loss(model(x[i:j]), target[i:j])
        l = l * ((j - i) / n)
        l.backward()
        whole = whole + l.item()
        i = j
    optimizer.step()
    return whole
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    for p in model.parameters():
        p.grad = None
    total = ml.tensor(0.0, dtype=ml.float64)
    for at in range(0, x.shape[0], rows):
        part = loss(model(x[at:at + rows]), target[at:at + rows]) * target[at:at + rows].shape[0]
        (part / x.shape[0]).backward()
        total = total + part.detach()
    optimizer.step()
    return total / x.shape[0]
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    """Weigh afterwards: sums of the pieces first, one division at the end."""
    params = list(model.parameters())
    optimizer.zero_grad()
    lost = []
    for start in range(0, len(x), rows):
        xs, ts = x[start:start + rows], target[start:start + rows]
        value = loss(model(xs), ts) * len(xs)
        value.backward()
        lost.append(value.item())
    with ml.no_grad():
        for p in params:
            if p.grad is not None:
                p.grad /= len(x)
    optimizer.step()
    return np.float64(sum(lost) / len(x))
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if math.isnan(x) or math.isinf(x) or x == 0.0:
        return x
    sign = -1.0 if x < 0 else 1.0
    a = abs(x)
    bias = (1 << (exponent_bits - 1)) - 1
    m, p = math.frexp(a)
    e = p - 1
    if e < 1 - bias:
        e = 1 - bias
    q = math.ldexp(a, mantissa_bits - e)
    low = math.floor(q)
    diff = q - low
    if diff > 0.5 or (diff == 0.5 and low % 2 == 1):
        low += 1
    y = math.ldexp(low, e - mantissa_bits)
    biggest = math.ldexp(2 - 2.0 ** -mantissa_bits, bias)
    return sign * (math.inf if y > biggest else y)
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    x = np.float64(x)
    if not np.isfinite(x) or x == 0:
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = np.maximum(np.frexp(x)[1] - 1, 1 - top)
    step = np.ldexp(1.0, power - mantissa_bits)
    y = np.rint(x / step) * step
    return np.where(np.abs(y) >= 2.0 ** (top + 1), np.copysign(np.inf, x), y)
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    import struct

    if x != x or x in (math.inf, -math.inf, 0):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    word = struct.unpack("<q", struct.pack("<d", abs(x)))[0]
    power = max((word >> 52) - 1023, 1 - top)
    steps = abs(x) / 2.0 ** (power - mantissa_bits)
    whole, rest = divmod(steps, 1.0)
    whole = int(whole) + (1 if rest > 0.5 else 0 if rest < 0.5 else int(whole) % 2)
    value = whole * 2.0 ** (power - mantissa_bits)
    if value >= 2.0 ** (top + 1):
        value = math.inf
    return math.copysign(value, x)
# %% dtypes
def dtypes(program, given, low):
    result = {}
    for name, op, reads in program:
        ins = []
        for r in reads:
            if r in result:
                ins.append(result[r])
            else:
                ins.append(given[r])
        kind = lesson.runs_in(op)
        if kind == "widest":
            result[name] = lesson.widest(ins)
        elif kind == "low":
            result[name] = "float64" if "float64" in ins else low
        else:
            result[name] = "float64" if "float64" in ins else "float32"
    return result
# %% dtypes
def dtypes(program, given, low):
    table = {**given}

    def cast(d, how):
        if d == "float64" or how == "widest":
            return d
        return low if how == "low" else how

    for name, op, reads in program:
        how = lesson.runs_in(op)
        table[name] = lesson.widest([cast(table[r], how) for r in reads])
    return {name: getattr(ml, table[name]) for name, _, _ in program}
# %% dtypes
def dtypes(program, given, low):
    order = ["float16", "bfloat16", "float32", "float64"]

    def join(a, b):
        if a == b:
            return a
        if {a, b} == {"float16", "bfloat16"}:
            return "float32"
        return max(a, b, key=order.index)

    known = dict(given)
    for name, op, reads in program:
        first, *more = [known[r] for r in reads]
        for other in more:
            first = join(first, other)
        how = lesson.runs_in(op)
        if first != "float64" and how != "widest":
            first = low if how == "low" else "float32"
        known[name] = first
    return known
# %% scaler
def scaler(grads, scale, good, interval):
    bad = False
    for g in grads:
        if np.isnan(g).any() or np.isinf(g).any():
            bad = True
    if bad:
        return None, scale * 0.5, 0
    out = []
    for g in grads:
        out.append(g / scale)
    good += 1
    if good >= interval:
        scale *= 2
        good = 0
    return out, scale, good
# %% scaler
def scaler(grads, scale, good, interval):
    everything = np.concatenate([np.ravel(g) for g in grads])
    if np.isfinite(everything).sum() < everything.size:
        return [None, scale / 2.0, 0]
    grow = good + 1 == interval
    return [[ml.tensor(g) / scale for g in grads], scale * 2.0 if grow else scale, 0 if grow else good + 1]
# %% scaler
def scaler(grads, scale, good, interval):
    unscaled = [[float(v) / scale for v in g] for g in grads]
    if any(v != v or v in (math.inf, -math.inf) for g in unscaled for v in g):
        return (None, np.float32(scale) / 2, np.int64(0))
    good = good + 1
    return (unscaled, scale, good) if good < interval else (unscaled, scale * 2, 0)
# %% scaler
def scaler(grads, scale, good, interval):
    total = 0.0
    for g in grads:
        total += float((np.asarray(g, "float64") * 0).sum())
    if total != 0:
        return None, scale / 2, 0
    for g in grads:
        g /= scale
    return (grads, scale, good + 1) if good + 1 != interval else (grads, 2 * scale, 0)
# %% updated
def updated(w, grads, lr):
    big = w.astype(np.float64)
    for g in grads:
        big = big - lr * g.astype(np.float64)
    return np.float16(big)
# %% updated
def updated(w, grads, lr):
    if not grads:
        return w
    total = np.sum([np.asarray(g, dtype=np.float32) for g in grads], axis=0)
    return (np.asarray(w, dtype=np.float32) - np.float32(lr) * total).astype(np.float16)
# %% updated
def updated(w, grads, lr):
    master = ml.tensor(w).float()
    for g in grads:
        master = master - lr * ml.tensor(g).float()
    return master.half()
# %% updated
def updated(w, grads, lr):
    masters = [float(x) for x in w]
    for g in grads:
        for i, part in enumerate(g):
            masters[i] -= lr * float(part)
    return [np.float16(m) for m in masters]
