# %% cost
import numpy as np

def cost(op, reads, write):
    out = int(np.prod(write[0]))
    flop = 2 * out * reads[0][0][1] if op == "matmul" else int(np.prod(reads[0][0])) - out if op == "sum" else out
    return flop, 4 * (out + sum(int(np.prod(s)) for s, _ in reads))
# %% cost
from math import prod

def cost(op, reads, write):
    out = prod(write[0])
    flop = 2 * out * reads[0][0][1] if op == "matmul" else prod(reads[0][0]) if op == "sum" else out
    return flop, sum(prod(s) * b for s, b in (*reads, write))
# %% cost
from math import prod

def cost(op, reads, write):
    out = prod(write[0])
    flop = 2 * out * reads[0][0][1] if op == "matmul" else sum(prod(s) for s, _ in reads)
    return flop, sum(prod(s) * b for s, b in (*reads, write))
# %% cost
from math import prod

def cost(op, reads, write):
    out = prod(write[0])
    flop = 2 * out * reads[0][0][1] if op == "matmul" else prod(reads[0][0]) - out if op == "sum" else out
    return sum(prod(s) * b for s, b in (*reads, write)), flop
# %% cost
def cost(op, reads, write):
    def prod(shape):
        total = 0
        for n in shape:
            total = total * n if total else n
        return total

    out = prod(write[0])
    flop = 2 * out * reads[0][0][1] if op == "matmul" else prod(reads[0][0]) - out if op == "sum" else out
    return flop, sum(prod(s) * b for s, b in (*reads, write))
# %% cost
from math import prod

def cost(op, reads, write):
    out = prod(write[0])
    flop = 2 * out * reads[0][0][1] if op == "matmul" else prod(reads[0][0]) - out if op == "sum" else out
    return flop, sum(prod(s) * b for s, b in (*reads, write)), flop
# %% cost
from math import prod

def cost(op, reads, write):
    out = prod(write[0])
    flop = out * (2 * reads[0][0][1] - 1) if op == "matmul" else prod(reads[0][0]) - out if op == "sum" else out
    return flop, sum(prod(s) * b for s, b in (*reads, write))
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return flop / peak, "arithmetic" if flop / peak >= nbytes / bandwidth else "memory"
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return min(flop / peak, nbytes / bandwidth), "arithmetic" if flop / peak >= nbytes / bandwidth else "memory"
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return min(peak, bandwidth * flop / nbytes), "arithmetic" if flop / peak >= nbytes / bandwidth else "memory"
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return max(flop / peak, nbytes / bandwidth), "compute" if flop / peak >= nbytes / bandwidth else "memory"
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return max(flop / peak, nbytes / bandwidth), "arithmetic" if flop > nbytes else "memory"
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return "arithmetic" if flop / peak >= nbytes / bandwidth else "memory", max(flop / peak, nbytes / bandwidth)
# %% bound
def bound(flop, nbytes, peak, bandwidth):
    return max(flop / peak, nbytes / bandwidth), "arithmetic" if flop / peak > nbytes / bandwidth else "memory"
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return setup * (1 + changes) // (eager - compiled) if eager > compiled else None
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return setup * (1 + changes) // (eager - compiled) + 1 if eager > compiled else None
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return -(-setup * (1 + changes) // (eager - compiled))
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return -(-setup * max(changes, 1) // (eager - compiled)) if eager > compiled else None
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return -(-setup * (1 + changes) // (eager - compiled)) if eager > compiled else 0
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return round(setup * (1 + changes) / (eager - compiled)) if eager > compiled else None
# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return -(-(setup + compiled) * (1 + changes) // (eager - compiled)) if eager > compiled else None
# %% measure
def measure(device):
    times = []
    for _ in range(30):
        start = device.now()
        device.call()
        device.wait()
        times.append(device.now() - start)
    return sum(times) / len(times)
# %% measure
def measure(device):
    for _ in range(30):
        device.call()
    device.wait()
    start = device.now()
    device.call()
    device.wait()
    return device.now() - start
# %% measure
def measure(device):
    times = []
    for _ in range(50):
        start = device.now()
        device.call()
        times.append(device.now() - start)
    return min(times)
# %% measure
def measure(device):
    times = []
    for _ in range(50):
        start = device.now()
        device.call()
        device.wait()
        times.append(device.now() - start)
    return max(times)
# %% measure
def measure(device):
    for _ in range(30):
        device.call()
    times = []
    for _ in range(51):
        start = device.now()
        device.call()
        device.wait()
        times.append(start - device.now())
    return sorted(times)[25]
# %% measure
def measure(device):
    times = []
    for _ in range(3):
        start = device.now()
        device.call()
        device.wait()
        times.append(device.now() - start)
    return sorted(times)[1]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": compute}
    fastest = min(times, key=times.get)
    return fastest, batch / times[fastest]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, 1 / times[slowest]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, batch / times[slowest]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": batch * compute}
    slowest = max(times, key=times.get)
    return slowest, batch / times[slowest]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, times[slowest]
# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load * workers, "transfer": batch * nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, batch / times[slowest]
# %% order
def order(step, rewrites):
    return sorted(name for name, term, times in rewrites)
# %% order
def order(step, rewrites):
    now, left, made = dict(step), list(rewrites), []
    while left:
        best = max(left, key=lambda each: now[each[1]] - now[each[1]] / each[2])
        left.remove(best)
        made.append(best[0])
        now[best[1]] /= best[2]
    return made
# %% order
def order(step, rewrites):
    def time(now):
        return max(now["loader"], now["data"] + now["work"] + now["overhead"])

    return [r[0] for r in sorted(rewrites, key=lambda r: time({**step, r[1]: step[r[1]] / r[2]}))]
# %% order
def order(step, rewrites):
    def time(now):
        return max(now["loader"], now["data"] + now["work"] + now["overhead"])

    now, left, made = dict(step), list(rewrites), []
    while left:
        best = min(left, key=lambda each: time({**now, each[1]: now[each[1]] / each[2]}))
        if time({**now, best[1]: now[best[1]] / best[2]}) == time(now):
            break
        left.remove(best)
        made.append(best[0])
        now[best[1]] /= best[2]
    return made
# %% order
def order(step, rewrites):
    def time(now):
        return max(now["loader"], now["data"] + now["work"] + now["overhead"])

    now, left, made = dict(step), list(rewrites), []
    while left:
        best = max(left, key=lambda each: time({**now, each[1]: now[each[1]] / each[2]}))
        left.remove(best)
        made.append(best[0])
        now[best[1]] /= best[2]
    return made
# %% order
def order(step, rewrites):
    def time(now):
        return max(now["loader"], now["data"] + now["work"] + now["overhead"])

    now, left, made = dict(step), list(rewrites), []
    while left:
        best = min(left, key=lambda each: time({**now, each[1]: now[each[1]] / each[2]}))
        left.remove(best)
        made.append(best)
        now[best[1]] /= best[2]
    return made
