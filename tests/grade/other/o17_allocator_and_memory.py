# %% sizes
def sizes(nbytes):
    block = 512
    while block < nbytes:
        block += 512
    if block > MIB:
        segment = 20 * MIB if block < 10 * MIB else (block + 2 * MIB - 1) // (2 * MIB) * (2 * MIB)
        return [block, "large", segment]
    return [block, "small", 2 * MIB]

# %% place
def place(free, size):
    best = None
    for k, block in enumerate(free):
        if block[1] >= size and (best is None or block[1] < free[best][1]):
            best = k
    if best is None:
        return None, free
    address, nbytes = free.pop(best)
    if nbytes - size:
        free.insert(best, (address + size, nbytes - size))
    return address, free

# %% merge
def merge(free, address, size):
    begins, ends = dict(free), {begin + nbytes: begin for begin, nbytes in free}
    if address + size in begins:
        size += begins.pop(address + size)
    if address in ends:
        begins[ends[address]] += size
    else:
        begins[address] = size
    return list(begins.items())

# %% order
def order(wishes):
    left, names = list(wishes), []
    while left:
        longest = max(left, key=lambda wish: wish[2])
        left.remove(longest)
        names.append(longest[0])
    return names

# %% holders
def holders(snapshot):
    blocks = [block for segment in snapshot for block in segment["blocks"] if block["state"] == "active_allocated"]
    lines = {None if not block["frames"] else block["frames"][0]["line"] for block in blocks}
    return {
        line: sum(b["size"] for b in blocks if (b["frames"][0]["line"] if b["frames"] else None) == line)
        for line in lines
    }

# %% terms
def terms(widths, batch, optimizer):
    numbers = 0
    for before, after in zip(widths[:-1], widths[1:]):
        numbers += before * after + after
    bytes_of = {"weights": 4 * numbers, "gradients": 4 * numbers, "optimizer": 0, "activations": 0}
    if optimizer == "momentum":
        bytes_of["optimizer"] = 4 * numbers
    elif optimizer == "Adam":
        bytes_of["optimizer"] = 8 * numbers
    for width in widths[1:]:
        bytes_of["activations"] += batch * width * 4
    return bytes_of
