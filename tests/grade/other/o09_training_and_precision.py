# %% pieces
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    losses = []
    for piece, labels in zip(x.split(rows), target.split(rows), strict=True):
        value = loss(model(piece), labels)
        (value * len(piece) / len(x)).backward()
        losses.append((value.detach(), len(piece)))
    optimizer.step()
    return sum(value * n for value, n in losses) / len(x)

# %% rounded
def rounded(x, exponent_bits, mantissa_bits):
    from fractions import Fraction

    if x != x or x in (0.0, math.inf, -math.inf):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    exact, power = abs(Fraction(x)), 1 - top
    while exact >= Fraction(2) ** (power + 1):
        power += 1
    step = Fraction(2) ** (power - mantissa_bits)
    steps, rest = divmod(exact, step)
    if rest * 2 > step or (rest * 2 == step and steps % 2):
        steps += 1
    value = steps * step
    found = math.inf if value >= 2 ** (top + 1) else float(value)
    return -found if x < 0 else found

# %% dtypes
def dtypes(program, given, low):
    found = {}
    for name, op, reads in program:
        how = lesson.runs_in(op)
        there = [found.get(each) or given[each] for each in reads]
        if how == "widest" or "float64" in there:
            found[name] = lesson.widest(there)
        else:
            found[name] = low if how == "low" else "float32"
    return found

# %% scaler
def scaler(grads, scale, good, interval):
    for g in grads:
        for entry in np.ravel(g).tolist():
            if math.isnan(entry) or math.isinf(entry):
                return (None, scale * 0.5, 0)
    good = (good + 1) % interval
    return tuple(np.asarray(g) * (1 / scale) for g in grads), scale if good else scale + scale, good

# %% updated
def updated(w, grads, lr):
    found = []
    for k in range(len(w)):
        weight = float(w[k])
        for g in grads:
            weight -= lr * float(g[k])
        found.append(weight)
    return np.array(found).astype(np.float16)
