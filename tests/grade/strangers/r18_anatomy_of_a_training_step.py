# %% cost
import numpy as np

def cost(op, reads, write):
    size = lambda operand: np.prod(operand[0], dtype=np.int64) * operand[1]
    out = np.prod(write[0], dtype=np.int64)
    work = {"matmul": lambda: 2 * out * reads[0][0][-1], "sum": lambda: np.prod(reads[0][0], dtype=np.int64) - out}
    return np.array([work.get(op, lambda: out)(), size(write) + sum(map(size, reads))])
# %% cost
def cost(op, reads, write):
    def numel(shape):
        return 1 if len(shape) == 0 else shape[0] * numel(shape[1:])

    nbytes = numel(write[0]) * write[1]
    for shape, itemsize in reads:
        nbytes += numel(shape) * itemsize
    match op:
        case "matmul":
            m, k = reads[0][0]
            n = reads[1][0][1]
            flop = m * n * k + m * n * k
        case "sum":
            flop = numel(reads[0][0]) - numel(write[0])
        case _:
            flop = numel(write[0])
    return flop, nbytes
# %% cost
from functools import reduce
from operator import mul

def cost(op, reads, write):
    n = [reduce(mul, shape, 1) for shape, _ in list(reads) + [write]]
    b = [size for _, size in list(reads) + [write]]
    moved = sum(x * y for x, y in zip(n, b))
    if op == "matmul":
        return 2.0 * n[-1] * reads[1][0][0], float(moved)
    if op == "sum":
        return n[0] - n[-1], moved
    return max(n), moved
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    t = {"arithmetic": flop / peak, "memory": nbytes / bandwidth}
    which = max(t, key=t.get)
    return t[which], which
# %% bound
import numpy as np

def bound(flop, nbytes, peak, bandwidth):
    times = np.array([flop / peak, nbytes / bandwidth])
    return times.max(), ["arithmetic", "memory"][times.argmax()]
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    intensity = flop / nbytes
    attainable = min(peak, bandwidth * intensity)
    if attainable == 0:
        return [nbytes / bandwidth, "memory"]
    return [flop / attainable, "memory" if intensity < peak / bandwidth else "Arithmetic"]
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    if eager <= compiled:
        return float("inf")
    total = setup + changes * setup
    n = total // (eager - compiled)
    return n if n * (eager - compiled) == total else n + 1
# %% pays_from
import numpy as np

def pays_from(eager, compiled, setup, changes):
    if not eager > compiled:
        return None
    return np.ceil((changes + 1) * setup / (eager - compiled))
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    pays = lambda n: setup * (1 + changes) + n * compiled <= n * eager
    if compiled >= eager:
        return None
    high = 1
    while not pays(high):
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        if pays(middle):
            high = middle
        else:
            low = middle
    return high
# %% measure
def measure(device):
    best = None
    for n in range(60):
        start = device.now()
        device.call()
        device.wait()
        took = device.now() - start
        if n >= 30 and (best is None or took < best):
            best = took
    return best
# %% measure
import numpy as np

def measure(device):
    def once():
        t = device.now()
        device.call()
        device.wait()
        return device.now() - t

    return np.median([once() for _ in range(200)][20:])
# %% measure
from statistics import median

def measure(device):
    for _ in range(30):
        device.call()
        device.wait()
    rounds = []
    for _ in range(99):
        begin = device.now()
        for _ in range(2):
            device.call()
        device.wait()
        rounds.append((device.now() - begin) / 2)
    return median(rounds)
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    loader, transfer = batch * load / workers, batch * nbytes / link
    if loader >= transfer and loader >= compute:
        return "loader", batch / loader
    if transfer >= compute:
        return "transfer", batch / transfer
    return "compute", batch / compute
# %% throughput
import numpy as np

def throughput(batch, load, workers, nbytes, link, compute):
    seconds = np.array([load / workers, nbytes / link, compute / batch])
    k = int(np.argmax(seconds))
    return np.array(["loader", "transfer", "compute"])[k], 1 / seconds[k]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    slowest, name = sorted([(load * batch / workers, "Loader"), (nbytes * batch / link, "Transfer"), (compute, "Compute")])[-1]
    return [name, batch / slowest]
# %% order
def order(step, rewrites):
    step, result = step.copy(), []
    total = lambda s: max(s["loader"], s["data"] + s["work"] + s["overhead"])
    for _ in range(len(rewrites)):
        candidates = []
        for name, term, times in rewrites:
            if name not in result:
                changed = step.copy()
                changed[term] /= times
                candidates.append((total(step) - total(changed), name, changed))
        saved, name, step = max(candidates, key=lambda c: c[0])
        result.append(name)
    return result
# %% order
import numpy as np

def order(step, rewrites):
    made = []
    rest = [r[0] for r in rewrites]
    while rest:
        times = [lesson.time_after(step, rewrites, made + [name]) for name in rest]
        made.append(rest.pop(int(np.argmin(times))))
    return np.array(made)
# %% order
def order(step, rewrites):
    if not rewrites:
        return ()

    def after(rewrite):
        return {**step, rewrite[1]: step[rewrite[1]] / rewrite[2]}

    def total(s):
        return max(s["loader"], sum(s.values()) - s["loader"])

    first = min(rewrites, key=lambda r: total(after(r)))
    return (first[0], *order(after(first), [r for r in rewrites if r is not first]))
