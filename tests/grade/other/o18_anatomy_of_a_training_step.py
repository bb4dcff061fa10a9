# %% cost
def cost(op, reads, write):
    import math

    shapes = [shape for shape, _ in reads]
    nbytes = math.prod(write[0]) * write[1]
    for shape, size in reads:
        nbytes += math.prod(shape) * size
    if op == "matmul":
        (m, k), (_, n) = shapes
        return [2 * m * k * n, nbytes]
    if op == "sum":
        return [math.prod(shapes[0]) - math.prod(write[0]), nbytes]
    return [math.prod(write[0]), nbytes]

# %% bound
def bound(flop, nbytes, peak, bandwidth):
    ridge = peak / bandwidth
    if flop / nbytes < ridge:
        return nbytes / bandwidth, "memory"
    return flop / peak, "arithmetic"

# %% pays_from
def pays_from(eager, compiled, setup, changes):
    import math

    saved = eager - compiled
    if saved <= 0:
        return math.inf
    return math.ceil(setup * (changes + 1) / saved)

# %% measure
def measure(device):
    import statistics

    for _ in range(35):
        device.call()
        device.wait()
    times = []
    while len(times) < 101:
        begin = device.now()
        device.call()
        device.wait()
        times.append(device.now() - begin)
    return statistics.median(times)

# %% throughput
def throughput(batch, load, workers, nbytes, link, compute):
    rates = [(workers / load, "loader"), (link / nbytes, "transfer"), (batch / compute, "compute")]
    rate, name = min(rates)
    return name, rate

# %% order
def order(step, rewrites):
    from itertools import permutations

    def profile(made):
        now, taken = dict(step), []
        for name, term, times in made:
            now[term] = now[term] / times
            taken.append(max(now["loader"], now["data"] + now["work"] + now["overhead"]))
        return taken

    return [name for name, _, _ in min(permutations(rewrites), key=profile)]
