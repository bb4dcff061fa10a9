"""The judge of lesson 18. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% cost
title, points = "Operations and bytes", 3
hint = "2·m·k·n for a product, what is read less what is written for a sum, else the entries of the result; all bytes."


def probe(cost, /, rows):
    from minitorch_lab.lessons.values import whole_numbers

    def pair(operand):
        return tuple(operand[0]), operand[1]

    return [whole_numbers(cost(op, tuple(map(pair, reads)), pair(write))) for op, reads, write in rows]


def draws(rng):
    def some(count):
        return rng.integers(2, 40, count).tolist()

    def product(size):
        m, k, n = some(3)
        return ["matmul", [[[m, k], size], [[k, n], size]], [[m, n], size]]

    def each(op, count, size):
        shape = some(2)
        return [op, [[shape, size]] * count, [shape, size]]

    m, n, k = some(3)
    rows = {
        "a product": [product(4)],
        "a product in float16": [product(2), product(2)],
        "a product of one row": [["matmul", [[[1, k], 4], [[k, n], 4]], [[1, n], 4]]],
        "one operand": [each("relu", 1, 4), each("exp", 1, 8)],
        "two operands": [each("mul", 2, 4), each("sub", 2, 2)],
        "a vector with a matrix": [["add", [[[m, n], 4], [[n], 4]], [[m, n], 4]]],
        "one number with a matrix": [["mul", [[[m, n], 4], [[], 4]], [[m, n], 4]]],
        "only numbers": [["neg", [[[], 4]], [[], 4]]],
        "a sum of all": [["sum", [[[m, n], 4]], [[], 4]]],
        "a sum of rows": [["sum", [[[m, n], 4]], [[m], 4]], ["sum", [[[m, n, k], 2]], [[m, k], 2]]],
        "a mask": [["ne", [[[m, n], 4]], [[m, n], 1]]],
        "with a mask": [["where", [[[m, n], 1], [[m, n], 4]], [[m, n], 4]]],
    }
    return {name: (asked,) for name, asked in rows.items()}


# %% bound
title, points = "The roof", 2
hint = "The longer of two times, operations / peak and bytes / bandwidth, and its word; on the ridge: arithmetic."


def probe(bound, /, asked):
    from minitorch_lab.lessons.values import settled

    return [list(settled(bound(*numbers))) for numbers in asked]


def draws(rng):
    def asked(low, high, ridge):
        nbytes, bandwidth = 64 * int(rng.integers(10, 10**6)), 2 ** int(rng.integers(24, 40))
        flop = int(nbytes * ridge * rng.uniform(low, high))
        return [flop, nbytes, bandwidth * ridge, bandwidth]

    return {
        "far left": ([asked(0.001, 0.1, 8), asked(0.001, 0.1, 128)],),
        "left": ([asked(0.5, 0.99, 8), asked(0.5, 0.99, 128)],),
        "on the ridge": ([asked(1, 1, 8), asked(1, 1, 128)],),
        "right": ([asked(1.01, 2, 8), asked(1.01, 2, 128)],),
        "far right": ([asked(10, 1000, 8), asked(10, 1000, 128)],),
        "a ridge below 1": ([[300, 1000, 100, 400], [100, 1000, 100, 400]],),
        "no arithmetic": ([[0, int(rng.integers(10, 10**6)), 10**9, 10**8]],),
    }


def agree(found, wanted, asked):
    """The seconds but for rounding, and the word."""

    def same(one, other):
        seconds = one[0] if len(one) == 2 else None
        close = isinstance(seconds, int | float) and abs(seconds - other[0]) <= 1e-6 * abs(other[0])
        return close and one[1] == other[1]

    return len(found) == len(wanted) and all(map(same, found, wanted))


# %% pays_from
title, points = "When compiling pays", 3
hint = "One compilation more than there are changes, divided by what a step saves, rounded up; None if nothing is."


def probe(pays_from, /, asked):
    from minitorch_lab.lessons.lesson_18_step.paying import steps_in

    return [steps_in(pays_from(*numbers)) for numbers in asked]


def draws(rng):
    def some(gain, setup, changes):
        compiled = int(rng.integers(5, 500))
        return [compiled + gain, compiled, setup, changes]

    gain, many = int(rng.integers(3, 90)), int(rng.integers(2, 12))
    return {
        "even": ([some(gain, gain * int(rng.integers(10, 10**4)), 0)],),
        "just not even": ([some(gain, gain * int(rng.integers(10, 10**4)) + 1, 0)],),
        "nearly one more": ([some(gain, gain * int(rng.integers(10, 10**4)) - 1, 0)],),
        "one change": ([some(gain, int(rng.integers(10**4, 10**6)), 1)],),
        "some changes": ([some(gain, int(rng.integers(10**4, 10**6)), many)],),
        "pays at once": ([some(900, 20, 0)],),
        "nothing gained": ([some(0, 1000, 0), some(0, 1000, many)],),
        "slower": ([some(-1, 1000, 0), some(-4, 1000, many)],),
    }


# %% measure
title, points = "Measuring", 3
hint = "Thirty calls to warm up; then time many calls, each waited for, and take the median."


def probe(measure, /, devices):
    from minitorch_lab.lessons.lesson_18_step.stopwatch import Device
    from minitorch_lab.lessons.values import settled

    return [settled(measure(Device(*numbers))) for numbers in devices]


def draws(rng):
    def one(cold, every, burst):
        return [int(rng.integers(100, 9000)), cold, int(rng.integers(30, 200)), every, burst]

    return {
        "as in the text": ([one(3, 23, 3)],),
        "one cold call": ([one(1, 23, 3), one(1, 29, 4)],),
        "cold for long": ([one(30, 23, 3), one(26, 37, 2)],),
        "much noise": ([one(28, 11, 3), one(2, 13, 3)],),
        "fast": ([[int(rng.integers(40, 90)), 3, 90, 23, 3]],),
        "slow": ([[int(rng.integers(10**5, 10**6)), 3, 90, 23, 3]],),
    }


def agree(found, wanted, devices):
    """What is measured is what the devices take, with or without their launch."""
    from minitorch_lab.lessons.lesson_18_step.stopwatch import is_close

    def right(time, numbers):
        return isinstance(time, int | float) and is_close(time, numbers[0])

    return len(found) == len(devices) and all(map(right, found, devices))


# %% throughput
title, points = "What binds", 2
hint = "Three times for a batch, of which the longest binds; the examples of a batch divided by it."


def probe(throughput, /, asked):
    from minitorch_lab.lessons.values import settled

    return [list(settled(throughput(*numbers))) for numbers in asked]


def draws(rng):
    def fed(loader, transfer, compute):
        batch, workers, link = int(rng.integers(8, 200)), int(rng.integers(2, 9)), float(rng.integers(10, 400)) * 1e8
        nbytes = max(int(transfer * link / batch), 1)
        return [batch, loader * workers / batch, workers, nbytes, link, compute]

    def times():
        return sorted((rng.uniform(0.01, 0.05), rng.uniform(0.06, 0.1), rng.uniform(0.2, 0.4)))

    low, middle, high = times()
    return {
        "the loader": ([fed(high, low, middle), fed(high, middle, low)],),
        "the link": ([fed(low, high, middle), fed(middle, high, low)],),
        "the model": ([fed(low, middle, high), fed(middle, low, high)],),
        "one worker": ([[64, 0.004, 1, 1000, 1e9, 0.2], [64, 0.004, 1, 1000, 1e9, 0.3]],),
        "one example": ([[1, 0.05, 4, 10**6, 1e9, 0.01], [1, 0.05, 8, 10**6, 1e9, 0.01]],),
    }


# %% order
title, points = "In order", 3
hint = "Each time, try every rewrite that is left on the step as it is then, and make the one that leaves least."


def probe(order, /, step, rewrites):
    return order(dict(step), [tuple(rewrite) for rewrite in rewrites])


def draws(rng):
    def step(loader, data, work, overhead):
        times = {"loader": loader, "data": data, "work": work, "overhead": overhead}
        return {term: int(n * rng.uniform(0.9, 1.1)) for term, n in times.items()}

    one_each = [["fuse", "data", 3], ["kernels", "work", 2], ["compile", "overhead", 8], ["workers", "loader", 4]]
    two_each = [["bfloat16", "data", 2], ["compile", "overhead", 5], ["fuse", "data", 3], ["tensor cores", "work", 6]]
    return {
        "overhead first": (step(20, 90, 40, 900), one_each),
        "data first": (step(20, 900, 100, 200), one_each),
        "a large factor of little": (step(20, 600, 60, 80), one_each[::-1]),
        "the loader first": (step(1500, 300, 100, 200), one_each),
        "the loader later": (step(700, 150, 600, 200), [*two_each, ["workers", "loader", 4]]),
        "two for one term": (step(10, 600, 100, 230), two_each),
        "many": (step(800, 500, 300, 400), [*two_each, ["workers", "loader", 3], ["graphs", "overhead", 2]]),
        "one": (step(1, 9, 8, 7), [["fuse", "data", 2]]),
    }


def agree(found, wanted, step, rewrites):
    """Any order will do in which no other rewrite would save more when one is made."""
    from minitorch_lab.lessons.lesson_18_step.ordering import first_fault, misnamed

    return misnamed(rewrites, found) is None and first_fault(step, rewrites, found) is None
