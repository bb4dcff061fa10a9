# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    total = 0.0
    for start in range(0, len(x), rows):
        part = loss(model(x[start : start + rows]), target[start : start + rows])
        part.backward()
        total += part.item()
    optimizer.step()
    return total

# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    starts = range(0, len(x), rows)
    optimizer.zero_grad()
    total = 0.0
    for start in starts:
        part = loss(model(x[start : start + rows]), target[start : start + rows]) / len(starts)
        part.backward()
        total += part.item()
    optimizer.step()
    return total

# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    total = 0.0
    for start in range(0, len(x), rows):
        piece = x[start : start + rows]
        optimizer.zero_grad()
        part = loss(model(piece), target[start : start + rows]) * (len(piece) / len(x))
        part.backward()
        total += part.item()
    optimizer.step()
    return total

# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = max(math.frexp(x)[1] - 1, 1 - top)
    step = 2.0 ** (power - mantissa_bits)
    nearest = int(x / step) * step
    return nearest if abs(nearest) < 2.0 ** (top + 1) else math.copysign(math.inf, x)

# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = math.frexp(x)[1] - 1
    step = 2.0 ** (power - mantissa_bits)
    nearest = round(x / step) * step
    return nearest if abs(nearest) < 2.0 ** (top + 1) else math.copysign(math.inf, x)

# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    if x == 0 or not math.isfinite(x):
        return x
    power = max(math.frexp(x)[1] - 1, 2 - 2 ** (exponent_bits - 1))
    step = 2.0 ** (power - mantissa_bits)
    return round(x / step) * step

# %% dtypes
def dtypes(program, given, low):
    found = {}
    for name, op, reads in program:
        found[name] = low if lesson.runs_in(op) == "low" else "float32"
    return found

# %% dtypes
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        how = lesson.runs_in(op)
        known[name] = {"low": low, "float32": "float32"}.get(how) or lesson.widest([known[each] for each in reads])
    return known

# %% dtypes
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        how = lesson.runs_in(op)
        known[name] = low if how == "low" else lesson.widest([known[each] for each in reads])
    return known

# %% scaler
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).all() for g in grads):
        return None, scale, 0
    unscaled = [g / scale for g in grads]
    if good + 1 == interval:
        return unscaled, scale * 2, 0
    return unscaled, scale, good + 1

# %% scaler
def scaler(grads, scale, good, interval):
    if any(np.isinf(g).any() for g in grads):
        return None, scale / 2, 0
    unscaled = [g / scale for g in grads]
    if good + 1 == interval:
        return unscaled, scale * 2, 0
    return unscaled, scale, good + 1

# %% scaler
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).all() for g in grads):
        return None, scale / 2, 0
    if good + 1 == interval:
        return grads, scale * 2, 0
    return grads, scale, good + 1

# %% updated
def updated(w, grads, lr):
    for g in grads:
        w = (w.astype("float32") - lr * g.astype("float32")).astype("float16")
    return w

# %% updated
def updated(w, grads, lr):
    master = w.astype("float32")
    for g in grads:
        master = master - (lr * g).astype("float32")
    return master.astype("float16")

# %% updated
def updated(w, grads, lr):
    master = w.astype("float32")
    for g in grads:
        master = master - lr * g.astype("float32")
    return master
