# %% cost
def cost(op, reads, write):
    from math import prod

    result = prod(write[0])
    flop = result * reads[0][0][1] if op == "matmul" else prod(reads[0][0]) - result if op == "sum" else result
    return flop, sum(prod(shape) * size for shape, size in (*reads, write))

# %% cost
def cost(op, reads, write):
    from math import prod

    result = prod(write[0])
    flop = 2 * result * reads[0][0][1] if op == "matmul" else prod(reads[0][0]) - result if op == "sum" else result
    return flop, sum(prod(shape) * size for shape, size in reads)

# %% cost
def cost(op, reads, write):
    from math import prod

    result = prod(write[0])
    flop = 2 * result * reads[0][0][1] if op == "matmul" else result
    return flop, sum(prod(shape) * size for shape, size in (*reads, write))

# %% bound
def bound(flop, nbytes, peak, bandwidth):
    work, data = flop / peak, nbytes / bandwidth
    return work + data, "memory" if data > work else "arithmetic"

# %% bound
def bound(flop, nbytes, peak, bandwidth):
    work, data = flop / peak, nbytes / bandwidth
    return max(work, data), "memory" if flop / nbytes < 1 else "arithmetic"

# %% bound
def bound(flop, nbytes, peak, bandwidth):
    work, data = flop / peak, nbytes / bandwidth
    return max(work, data), "arithmetic" if data > work else "memory"

# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return setup * (1 + changes) / (eager - compiled) if eager > compiled else None

# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return -(-setup // (eager - compiled)) if eager > compiled else None

# %% pays_from
def pays_from(eager, compiled, setup, changes):
    return -(-setup * (1 + changes) // eager) if eager > compiled else None

# %% measure
def measure(device):
    times = []
    for _ in range(41):
        start = device.now()
        device.call()
        times.append(device.now() - start)
    device.wait()
    return sorted(times)[20]

# %% measure
def measure(device):
    start = device.now()
    device.call()
    device.wait()
    return device.now() - start

# %% measure
def measure(device):
    for _ in range(30):
        device.call()
    device.wait()
    start = device.now()
    for _ in range(100):
        device.call()
    device.wait()
    return (device.now() - start) / 100

# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": compute}
    return max(times, key=times.get), batch / sum(times.values())

# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": load / workers, "transfer": nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, batch / times[slowest]

# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load, "transfer": batch * nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, batch / times[slowest]

# %% order
def order(step, rewrites):
    return [name for name, term, times in sorted(rewrites, key=lambda each: -each[2])]

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
    return [name for name, term, times in sorted(rewrites, key=lambda each: -step[each[1]] * (1 - 1 / each[2]))]
