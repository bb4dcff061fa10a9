"""The judge of lesson 17. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% sizes
title, points = "Sizes", 2
hint = "Round up to 512 bytes first; the size of the block decides about pool and segment, and so do the borders."


def probe(sizes, /, requests):
    from minitorch_lab.lessons.values import settled

    return [list(settled(sizes(nbytes))) for nbytes in requests]


def draws(rng):
    mib = 2**20
    some = {
        "nothing": [0],
        "a few bytes": [1, 511],
        "multiples of 512": [512, 512 * int(rng.integers(2, 2000))],
        "one more": [513, 512 * int(rng.integers(2, 2000)) + 1],
        "small": rng.integers(1, mib, 5).tolist(),
        "the largest small one": [mib, mib - 1],
        "the smallest large one": [mib + 1, mib + 512],
        "large": rng.integers(mib + 1, 10 * mib - 512, 5).tolist(),
        "just below a segment of its own": [10 * mib - 512],
        "rounded to a segment of its own": [10 * mib - 511, 10 * mib - 1],
        "a segment of its own": [10 * mib, 12 * mib, 20 * mib],
        "in steps": [10 * mib + 1, *rng.integers(10 * mib, 300 * mib, 5).tolist()],
    }
    return {name: (requests,) for name, requests in some.items()}


# %% place
title, points = "Best fit", 3
hint = "The smallest block that is large enough, the first of those in memory, cut from its front; the rest stays free."


def probe(place, /, free, size):
    from minitorch_lab.lessons.lesson_17_allocator.placing import blocks_of
    from minitorch_lab.lessons.values import plain, whole

    address, left = plain(place([tuple(block) for block in free], size))
    return [None if address is None else whole(address), [list(block) for block in blocks_of(left)]]


def draws(rng):
    def row(sizes):
        at, free = 512 * int(rng.integers(0, 9)), []
        for n in sizes:
            free.append([at, 512 * n])
            at += 512 * (n + int(rng.integers(1, 5)))
        return free

    many = rng.integers(1, 60, 12).tolist()
    return {
        "nothing is free": ([], 512),
        "too small, all of them": (row([1, 3, 2]), 2048),
        "just fits": (row([9, 4, 2]), 2048),
        "the smallest there is": (row([8, 1, 3]), 512),
        "the best is the last": (row([9, 30, 12, 5]), 2048),
        "the best is the first": (row([5, 9, 30, 12]), 2048),
        "equally good": (row([2, 6, 9, 6, 6]), 2560),
        "one block": (row([int(rng.integers(4, 60))]), 1536),
        "many": (row(many), 512 * sorted(many)[5]),
        "many, none just right": (row([2 * n for n in many]), 512 * (2 * sorted(many)[5] - 1)),
    }


# %% merge
title, points = "Merging", 3
hint = "What comes back is joined with the free block that ends where it begins, and with that which begins at its end."


def probe(merge, /, free, address, size):
    from minitorch_lab.lessons.lesson_17_allocator.placing import blocks_of

    return [list(block) for block in blocks_of(merge([tuple(block) for block in free], address, size))]


def draws(rng):
    some = {}
    patterns = {
        "alone": "u.u", "before": "fxu", "after": "uxf", "both": "fxf", "both, among others": "fuufxfuf",
        "a used one between": "fuxuf", "only after, others before": "fufuxf", "the first": "xfu", "the last": "ufx",
        "nothing is free": "uxu", "far apart": "fuuuuuxuuuuf",
    }  # fmt: skip
    for name, pattern in patterns.items():
        at, free, back = 0, [], (512, 512)
        for sign in pattern.replace(".", "x"):
            n = 512 * int(rng.integers(1, 20))
            if sign == "f":
                free.append([at, n])
            if sign == "x":
                back = at, n
            at += n
        some[name] = (free, *back)
    return some


# %% order
title, points = "An order without holes", 3
hint = "Blocks are cut from the front: what stays longest has to lie lowest, so it is made first."


def probe(order, /, wishes):
    return order([tuple(wish) for wish in wishes])


def draws(rng):
    def wished(ends):
        return [[f"t{k}", 2 * int(rng.integers(1, 4)), int(end)] for k, end in enumerate(ends)]

    return {
        "one": (wished([3]),),
        "two, the short one first": (wished([1, 2]),),
        "taking turns": (wished([9, 1, 9, 1, 9, 1, 9, 1]),),
        "ascending": (wished([1, 2, 3, 4, 5]),),
        "all at once": (wished([2, 2, 2, 2]),),
        "at random": (wished([1, 4, *rng.integers(1, 5, 6)]),),
        "large ones go first": ([["a", 20, 1], ["b", 2, 2], ["c", 16, 1], ["d", 2, 3]],),
        "small ones go first": ([["a", 2, 1], ["b", 20, 2], ["c", 2, 1], ["d", 18, 3]],),
    }


def agree(found, wanted, wishes):
    """Any order will do after which all that is free is one piece, after every step."""
    from minitorch_lab.lessons.lesson_17_allocator.ordering import misnamed, pieces

    wishes = [tuple(wish) for wish in wishes]
    return misnamed(wishes, found) is None and all(free == largest for _, free, largest in pieces(wishes, found))


# %% holders
title, points = "Who holds it", 3
hint = "Of all segments, the blocks in use, with their size; several of one line are added up, and None is a line too."


def probe(holders, /, program):
    from minitorch_lab.lessons.lesson_17_allocator.holding import snapshot_after
    from minitorch_lab.lessons.values import whole

    found = holders(snapshot_after([tuple(each) for each in program]))
    return sorted(([-1 if line is None else line, whole(n)] for line, n in found.items() if whole(n) != 0), key=str)


def draws(rng):
    def bytes_of(count):
        return rng.integers(1, 400_000, count).tolist()

    a, b, c, d, e = bytes_of(5)
    large = int(rng.integers(2**20, 2**23))
    return {
        "one": ([[5, a]],),
        "three lines": ([[5, a], [6, b], [7, c]],),
        "a line that asks again": ([[5, a], [6, b], [5, c], [5, d], [6, e]],),
        "some are given back": ([[5, a], [6, -b], [7, c], [7, -d], [8, e]],),
        "a line that has given back one of two": ([[5, a], [6, b], [5, -c]],),
        "all are given back": ([[5, -a], [6, -b]],),
        "unknown lines": ([[None, a], [5, b], [None, c], [None, -d]],),
        "several segments": ([[5, a], [6, large], [5, 30 * 2**20], [6, b], [7, -large], [7, 12 * 2**20]],),
        "a few bytes": ([[5, 1], [5, 2], [6, 3], [7, 513]],),
    }


# %% terms
title, points = "The equation", 3
hint = "Biases are parameters too; a float32 has 4 bytes; what each layer leaves has a row for every row of the batch."


def probe(terms, /, widths, batch, optimizer):
    from minitorch_lab.lessons.values import whole

    found = terms(list(widths), batch, optimizer)
    return [whole(found[term]) for term in ("weights", "gradients", "optimizer", "activations")]


def draws(rng):
    def widths(count):
        return rng.integers(2, 300, count).tolist()

    some = {}
    for optimizer in ("SGD", "momentum", "Adam"):
        some[f"one layer, {optimizer}"] = (widths(2), int(rng.integers(2, 99)), optimizer)
        some[f"some layers, {optimizer}"] = (widths(5), int(rng.integers(2, 99)), optimizer)
    some["one row"] = (widths(3), 1, "Adam")
    some["equally wide"] = ([7, 7, 7, 7], 7, "momentum")
    return some
