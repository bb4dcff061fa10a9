"""Solutions to 17_allocator_and_memory: what stands after `# %% id` goes into the cell with that id."""

MIB = 2**20

# %% guess-keep
requests_of_a_step = 30
asks_of_the_system = 3

# %% guess-free
mib_when_five_are_freed = 20
mib_when_emptied = 20
mib_when_all_are_freed_and_emptied = 0


# %% sizes-exercise
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block <= MIB:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB


# %% place-exercise
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    left = [block for block in free if block[0] != address]
    if nbytes > size:
        left.append((address + size, nbytes - size))
    return address, sorted(left)


# %% guess-merge
free_blocks = (1, 2, 1, 1)


# %% merge-exercise
def merge(free, address, size):
    joined = []
    for begin, nbytes in sorted([*free, (address, size)]):
        if joined and sum(joined[-1]) == begin:
            joined[-1] = joined[-1][0], joined[-1][1] + nbytes
        else:
            joined.append((begin, nbytes))
    return joined


# %% guess-holes
gets_two_gib = "no"
gib_of_the_largest = 3

# %% guess-largest
fits_with_the_largest_first = "yes"


# %% order-exercise
def order(wishes):
    return [name for name, mib, until in sorted(wishes, key=lambda wish: -wish[2])]


# %% holders-exercise
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated":
                line = block["frames"][0]["line"] if block["frames"] else None
                held[line] = held.get(line, 0) + block["size"]
    return held


# %% guess-line
line_that_holds_most = 12

# %% guess-streams
copy_is_done_at_del = "no"
copy_would_see_b = "yes"


# %% terms-exercise
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {
        "weights": weights,
        "gradients": weights,
        "optimizer": states * weights,
        "activations": 4 * batch * sum(widths[1:]),
    }


# %% guess-large
gb_of_the_weights = 14
gb_before_the_first_activation = 84

# %% guess-three
part_in_use = 0.65
