"""Solutions to 18_anatomy_of_a_training_step: what stands after `# %% id` goes into the cell with that id."""

# %% guess-parts
most_operations = "backward"
most_bytes = "optimizer"


# %% cost-exercise
def cost(op, reads, write):
    def entries(shape):
        count = 1
        for n in shape:
            count *= n
        return count

    result = entries(write[0])
    if op == "matmul":
        flop = 2 * result * reads[0][0][1]
    elif op == "sum":
        flop = entries(reads[0][0]) - result
    else:
        flop = result
    return flop, sum(entries(shape) * size for shape, size in (*reads, write))


# %% guess-bound
bound_by_arithmetic_at_19 = 2
bound_by_arithmetic_at_312 = 0


# %% bound-exercise
def bound(flop, nbytes, peak, bandwidth):
    work, data = flop / peak, nbytes / bandwidth
    return (data, "memory") if data > work else (work, "arithmetic")


# %% guess-tax
tax_of_a_small_op = 94
tax_of_a_large_op = 13

# %% guess-pays
images_until_it_pays = 134_000
seconds_eager = 6.9
seconds_compiled = 304.7


# %% pays_from-exercise
def pays_from(eager, compiled, setup, changes):
    if compiled >= eager:
        return None
    return -(-setup * (1 + changes) // (eager - compiled))


# %% guess-wrong
says_unsynchronised = 5
says_cold = 20_000
says_average = 1_000


# %% measure-exercise
def measure(device):
    for _ in range(30):
        device.call()
    device.wait()
    times = []
    for _ in range(41):
        start = device.now()
        device.call()
        device.wait()
        times.append(device.now() - start)
    return sorted(times)[len(times) // 2]


# %% guess-feed
megabytes_a_second = 150.5
workers_that_keep_up = 4
microseconds_on_the_link = 253


# %% throughput-exercise
def throughput(batch, load, workers, nbytes, link, compute):
    times = {"loader": batch * load / workers, "transfer": batch * nbytes / link, "compute": compute}
    slowest = max(times, key=times.get)
    return slowest, batch / times[slowest]


# %% guess-order
saved_by_compiling = 0
saved_by_a_worker = 300


# %% order-exercise
def order(step, rewrites):
    def time(now):
        return max(now["loader"], now["data"] + now["work"] + now["overhead"])

    now, left, made = dict(step), list(rewrites), []
    while left:
        best = min(left, key=lambda each: time({**now, each[1]: now[each[1]] / each[2]}))
        left.remove(best)
        made.append(best[0])
        now[best[1]] /= best[2]
    return made
