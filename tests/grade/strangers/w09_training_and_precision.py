# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    whole = 0
    for i in range(len(x) // rows):
        xs, ts = x[i * rows:(i + 1) * rows], target[i * rows:(i + 1) * rows]
        value = loss(model(xs), ts) * len(xs) / len(x)
        value.backward()
        whole += value.item()
    optimizer.step()
    return whole
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    whole = 0.0
    for at in range(0, len(x), rows):
        xs, ts = x[at:at + rows], target[at:at + rows]
        value = loss(model(xs), ts) * (len(xs) / len(x))
        value.backward()
        whole += value.item()
    optimizer.step()
    return whole
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    whole = 0.0
    for at in range(0, len(x), rows):
        optimizer.zero_grad()
        value = loss(model(x[at:at + rows]), target[at:at + rows])
        value.backward()
        optimizer.step()
        whole += value.item()
    return whole
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    whole = 0.0
    for at in range(0, len(x), rows):
        xs = x[at:at + rows]
        value = loss(model(xs), target[at:at + rows]) * (len(xs) / len(x))
        value.backward()
        whole += value.item()
    return whole
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    for at in range(0, len(x), rows):
        xs = x[at:at + rows]
        value = loss(model(xs), target[at:at + rows])
        (value * (len(xs) / len(x))).backward()
    optimizer.step()
    return value.item()
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    outs = []
    for at in range(0, len(x), rows):
        outs.append(model(x[at:at + rows]))
    value = loss(outs[0], target[:rows])
    value.backward()
    optimizer.step()
    return value.item()
# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    value = loss(model(x[:rows]), target[:rows])
    value.backward()
    optimizer.step()
    return value.item()
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    m, p = math.frexp(x)
    return math.ldexp(round(m * 2 ** (mantissa_bits + 1)), p - mantissa_bits - 1)
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = max(math.frexp(x)[1] - 1, 1 - top)
    step = 2.0 ** (power - mantissa_bits)
    y = math.floor(x / step + 0.5) * step
    return y if abs(y) < 2.0 ** (top + 1) else math.copysign(math.inf, x)
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = math.frexp(x)[1] - 1
    if power < 1 - top:
        return 0.0
    step = 2.0 ** (power - mantissa_bits)
    y = round(x / step) * step
    return y if abs(y) < 2.0 ** (top + 1) else math.copysign(math.inf, x)
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = max(math.frexp(x)[1], 1 - top)
    step = 2.0 ** (power - mantissa_bits)
    y = round(x / step) * step
    return y if abs(y) < 2.0 ** (top + 1) else math.copysign(math.inf, x)
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = max(math.frexp(x)[1] - 1, 1 - top)
    step = 2.0 ** (power - mantissa_bits)
    y = round(x / step) * step
    largest = (2 - 2.0 ** -mantissa_bits) * 2.0 ** top
    return max(-largest, min(largest, y))
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    return float(np.float16(x))
# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = max(math.frexp(x)[1] - 1, 1 - top)
    step = 2.0 ** (power - mantissa_bits)
    y = round(x / step) * step
    return y if y < 2.0 ** (top + 1) else math.inf
# %% dtypes
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        how = lesson.runs_in(op)
        if how == "widest":
            known[name] = known[reads[0]]
        elif "float64" in [known[r] for r in reads]:
            known[name] = "float64"
        else:
            known[name] = low if how == "low" else "float32"
    return known
# %% dtypes
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        known[name] = lesson.widest([known[r] for r in reads])
    return known
# %% dtypes
def dtypes(program, given, low):
    return {name: {"low": low, "float32": "float32", "widest": "widest"}[lesson.runs_in(op)] for name, op, _ in program}
# %% dtypes
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        how = lesson.runs_in(op)
        ins = [known[r] for r in reads]
        known[name] = low if how in ("low", "widest") and "float64" not in ins else lesson.widest(["float32", *ins])
    return known
# %% dtypes
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        how = lesson.runs_in(op)
        ins = [known[r] for r in reads]
        if how == "low":
            known[name] = low if "float32" in ins else lesson.widest(ins)
        else:
            known[name] = "float32" if how == "float32" and "float64" not in ins else lesson.widest(ins)
    return known
# %% dtypes
def dtypes(program, given, low):
    return None
# %% scaler
def scaler(grads, scale, good, interval):
    if not np.isfinite(grads[0]).all():
        return None, scale / 2, 0
    out = [g / scale for g in grads]
    return (out, scale * 2, 0) if good + 1 == interval else (out, scale, good + 1)
# %% scaler
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).any() for g in grads):
        return None, scale / 2, 0
    out = [g / scale for g in grads]
    return (out, scale * 2, 0) if good + 1 == interval else (out, scale, good + 1)
# %% scaler
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).all() for g in grads):
        return None, scale / 2, good
    out = [g / scale for g in grads]
    return (out, scale * 2, 0) if good + 1 == interval else (out, scale, good + 1)
# %% scaler
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).all() for g in grads):
        return None, scale / 2, 0
    out = [g / scale for g in grads]
    return (out, scale * 2, good + 1) if good + 1 == interval else (out, scale, good + 1)
# %% scaler
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).all() for g in grads):
        return None, scale / 2, 0
    if good + 1 == interval:
        scale, good = scale * 2, -1
    return [g / scale for g in grads], scale, good + 1
# %% scaler
def scaler(grads, scale, good, interval):
    if not np.isfinite(sum(g.sum() for g in grads)):
        return [np.zeros_like(g) for g in grads], scale / 2, 0
    out = [g / scale for g in grads]
    return (out, scale * 2, 0) if good + 1 == interval else (out, scale, good + 1)
# %% scaler
def scaler(grads, scale, good, interval):
    return None, scale / 2, 0
# %% updated
def updated(w, grads, lr):
    w = w.astype("float32")
    for g in grads:
        w = w + lr * g.astype("float32")
    return w.astype("float16")
# %% updated
def updated(w, grads, lr):
    total = sum(grads)
    return (w.astype("float32") - lr * total.astype("float32")).astype("float16")
# %% updated
def updated(w, grads, lr):
    for g in grads:
        master = w.astype("float32") - lr * g.astype("float32")
    return master.astype("float16")
# %% updated
def updated(w, grads, lr):
    master = w.astype("float32")
    for g in grads:
        master = master - g.astype("float32")
    return master.astype("float16")
# %% updated
def updated(w, grads, lr):
    master = w.astype("float32")
    for g in grads:
        w = w - np.float16(lr) * g
    return w
# %% updated
def updated(w, grads, lr):
    master = w.astype("float32")
    for g in grads:
        master -= np.float32(lr) * g
    return w
