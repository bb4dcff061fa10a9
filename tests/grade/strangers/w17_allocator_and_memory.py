# %% sizes
def sizes(nbytes):
    block = max(512, 1 << (nbytes - 1).bit_length()) if nbytes else 512
    if block <= MIB:
        return block, "small", 2 * MIB
    return block, "large", 20 * MIB if block < 10 * MIB else -(-block // (2 * MIB)) * 2 * MIB
# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block <= MIB:
        return block, "small", 2 * MIB
    return block, "large", 20 * MIB
# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block <= MIB:
        return block, "small", 2 * MIB
    if block <= 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB
# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block <= MIB:
        return block, "small", 2 * MIB
    if nbytes < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB
# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block <= MIB:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", block
# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block <= 10**6:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB
# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    return block, block <= MIB, 2 * MIB
# %% sizes
def sizes(nbytes):
    block = -(-nbytes // 512) * 512
    if block <= MIB:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB
# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = max(fitting)
    left = [block for block in free if block[0] != address]
    return address, left + ([(address + size, nbytes - size)] if nbytes > size else [])
# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    left = [block for block in free if block[0] != address]
    if nbytes > size:
        left.append((address, nbytes - size))
    return address + nbytes - size, sorted(left)
# %% place
def place(free, size):
    address, nbytes = min(free, key=lambda block: block[1] - size)
    return address, [b for b in free if b[0] != address] + [(address + size, nbytes - size)]
# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None
    nbytes, address = min(fitting)
    left = [block for block in free if block[0] != address]
    return address, left + ([(address + size, nbytes - size)] if nbytes > size else [])
# %% place
def place(free, size):
    fitting = [(nbytes, -address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    left = [block for block in free if block[0] != -address]
    return -address, left + ([(size - address, nbytes - size)] if nbytes > size else [])
# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    rest = [(address + size, nbytes - size)] if nbytes > size else []
    return address, free + rest
# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    nbytes, address = min(fitting)
    left = [block for block in free if block[0] != address]
    return address, left + ([(address + size, nbytes - size)] if nbytes > size else [])
# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes > size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    return address, [block for block in free if block[0] != address] + [(address + size, nbytes - size)]
# %% merge
def merge(free, address, size):
    for begin, nbytes in free:
        if begin + nbytes == address:
            free.remove((begin, nbytes))
            return free + [(begin, nbytes + size)]
    return free + [(address, size)]
# %% merge
def merge(free, address, size):
    start = min([address, *(a for a, _ in free)])
    return [(start, sum(n for _, n in free) + size)]
# %% merge
def merge(free, address, size):
    for begin, nbytes in list(free):
        if begin + nbytes == address:
            free.remove((begin, nbytes))
            address, size = begin, size + nbytes
        if address + size == begin:
            free.remove((begin, nbytes))
            address, size = begin, size + nbytes
    return free + [(address, size)]
# %% merge
def merge(free, address, size):
    free.append((address, size))
    free.sort()
# %% merge
def merge(free, address, size):
    joined = []
    for begin, nbytes in sorted([*free, (address, size)]):
        if joined and joined[-1][0] + joined[-1][1] >= begin - 512:
            joined[-1] = joined[-1][0], begin + nbytes - joined[-1][0]
        else:
            joined.append((begin, nbytes))
    return joined
# %% merge
def merge(free, address, size):
    joined = []
    for begin, nbytes in sorted([*free, (address, size)]):
        if joined and sum(joined[-1]) == begin:
            joined[-1] = joined[-1][0], nbytes
        else:
            joined.append((begin, nbytes))
    return joined
# %% merge
def merge(free, address, size):
    blocks = sorted([*free, (address, size)])
    k = blocks.index((address, size))
    near = blocks[max(k - 1, 0) : k + 2]
    first, last = near[0], near[-1]
    return blocks[: max(k - 1, 0)] + [(first[0], last[0] + last[1] - first[0])] + blocks[k + 2 :]
# %% order
def order(wishes):
    return [name for name, mib, until in sorted(wishes, key=lambda wish: wish[1])]
# %% order
def order(wishes):
    return sorted(name for name, mib, until in wishes)
# %% order
def order(wishes):
    return [name for name, mib, until in wishes][::-1]
# %% order
def order(wishes):
    longest = max(until for _, _, until in wishes)
    return [n for n, _, u in wishes if u == longest] + [n for n, _, u in wishes if u < longest]
# %% order
def order(wishes):
    return [name for name, mib, until in sorted(wishes, key=lambda wish: -wish[1] * wish[2])]
# %% order
def order(wishes):
    return {name: until for name, mib, until in sorted(wishes, key=lambda wish: -wish[2])}
# %% order
def order(wishes):
    return sorted(wishes, key=lambda wish: -wish[2])
# %% holders
def holders(snapshot):
    held = {}
    for block in snapshot[0]["blocks"]:
        if block["state"] == "active_allocated":
            line = block["frames"][0]["line"] if block["frames"] else None
            held[line] = held.get(line, 0) + block["size"]
    return held
# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated":
                line = block["frames"][0]["line"]
                held[line] = held.get(line, 0) + block["size"]
    return held
# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated" and block["frames"]:
                line = block["frames"][0]["line"]
                held[line] = held.get(line, 0) + block["size"]
    return held
# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated":
                line = block["frames"][0]["line"] if block["frames"] else None
                held[line] = held.get(line, 0) + 1
    return held
# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated":
                line = str(block["frames"][0]["line"]) if block["frames"] else None
                held[line] = held.get(line, 0) + block["size"]
    return held
# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            line = block["frames"][0]["line"] if block["frames"] else None
            held[line] = held.get(line, 0) + segment["allocated_size"]
    return held
# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["frames"]:
                line = block["frames"][0]["line"]
                held[line] = held.get(line, 0) + block["size"]
    return held
# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 1, "momentum": 2, "Adam": 3}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": 4 * batch * sum(widths[1:])}
# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": 4 * sum(widths[1:])}
# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": 4 * batch * (2 * sum(widths[1:-1]) + widths[-1])}
# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": 0, "optimizer": states * weights, "activations": 4 * batch * sum(widths[1:])}
# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": batch * weights, "optimizer": states * weights, "activations": 4 * batch * sum(widths[1:])}
# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return weights, weights, states * weights, 4 * batch * sum(widths[1:])
# %% terms
def terms(widths, batch, optimizer):
    weights = sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": batch * sum(widths[1:])}
