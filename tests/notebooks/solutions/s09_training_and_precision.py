"""Solutions to 09_training_and_precision: what stands after `# %% id` goes into the cell with that id."""

import math

import numpy as np

from minitorch_lab.lessons import lesson_09_precision as lesson

# %% guess-loop
losses_that_differ = 0


# %% pieces-exercise
def train_step(model, optimizer, loss, x, target, rows):
    optimizer.zero_grad()
    total = 0.0
    for start in range(0, len(x), rows):
        piece, labels = x[start : start + rows], target[start : start + rows]
        part = loss(model(piece), labels) * (len(piece) / len(x))
        part.backward()
        total += part.item()
    optimizer.step()
    return total


# %% guess-formats
float16_of_2049 = 2048
float16_of_1e_7 = "not 0"
float16_of_1e_8 = "0"
bfloat16_of_257 = 256


# %% rounded-exercise
def rounded(x, exponent_bits, mantissa_bits):
    if not math.isfinite(x):
        return x
    top = 2 ** (exponent_bits - 1) - 1
    power = max(math.frexp(x)[1] - 1, 1 - top)
    step = 2.0 ** (power - mantissa_bits)
    nearest = round(x / step) * step
    return nearest if abs(nearest) < 2.0 ** (top + 1) else math.copysign(math.inf, x)


# %% guess-faint
faint_gradient = 0
scaled_gradient = 2e-8

# %% guess-gradient
percent_that_become_0 = 9
percent_subnormal = 85

# %% guess-block
dtype_of_h = "bfloat16"
dtype_of_b1 = "float32"
dtype_of_p = "float32"
dtype_of_the_gradient = "float32"


# %% dtypes-exercise
def dtypes(program, given, low):
    known = dict(given)
    for name, op, reads in program:
        inputs = [known[each] for each in reads]
        wanted = {"low": low, "float32": "float32"}.get(lesson.runs_in(op))
        if wanted is not None:
            inputs = [each if each == "float64" else wanted for each in inputs]
        known[name] = lesson.widest(inputs)
    return known


# %% scaler-exercise
def scaler(grads, scale, good, interval):
    if not all(np.isfinite(g).all() for g in grads):
        return None, scale / 2, 0
    unscaled = [g / scale for g in grads]
    if good + 1 == interval:
        return unscaled, scale * 2, 0
    return unscaled, scale, good + 1


# %% guess-ways
largest_distance = "0.05"

# %% guess-lost
after_1000_steps_in_float16 = 1
after_1000_steps_in_float32 = 0.9


# %% updated-exercise
def updated(w, grads, lr):
    master = np.array(w, dtype="float32")
    for g in grads:
        master -= lr * np.array(g, dtype="float32")
    return master.astype("float16")
