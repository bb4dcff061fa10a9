# %% sizes
def sizes(nbytes):
    block = nbytes // 512 * 512
    if block <= MIB:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB

# %% sizes
def sizes(nbytes):
    block = (nbytes // 512 + 1) * 512
    if block <= MIB:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB

# %% sizes
def sizes(nbytes):
    block = max(-(-nbytes // 512) * 512, 512)
    if block < MIB:
        return block, "small", 2 * MIB
    if block < 10 * MIB:
        return block, "large", 20 * MIB
    return block, "large", -(-block // (2 * MIB)) * 2 * MIB

# %% place
def place(free, size):
    for k, (address, nbytes) in enumerate(free):
        if nbytes >= size:
            rest = [(address + size, nbytes - size)] if nbytes > size else []
            return address, free[:k] + rest + free[k + 1 :]
    return None, free

# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    return address, [block for block in free if block[0] != address]

# %% place
def place(free, size):
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, free
    nbytes, address = min(fitting)
    return address, [block for block in free if block[0] != address] + [(address + size, nbytes - size)]

# %% merge
def merge(free, address, size):
    for k, (begin, nbytes) in enumerate(free):
        if address + size == begin:
            return free[:k] + [(address, size + nbytes)] + free[k + 1 :]
    return sorted([*free, (address, size)])

# %% merge
def merge(free, address, size):
    for k, (begin, nbytes) in enumerate(free):
        if address + size == begin:
            return free[:k] + [(address, size + nbytes)] + free[k + 1 :]
        if begin + nbytes == address:
            return free[:k] + [(begin, nbytes + size)] + free[k + 1 :]
    return sorted([*free, (address, size)])

# %% merge
def merge(free, address, size):
    found = [*free, (address, size)]
    for begin, nbytes in free:
        if begin + nbytes == address:
            found.append((begin, nbytes + size))
        if address + size == begin:
            found.append((address, size + nbytes))
    return found

# %% order
def order(wishes):
    return [name for name, mib, until in sorted(wishes, key=lambda wish: wish[2])]

# %% order
def order(wishes):
    return [name for name, mib, until in sorted(wishes, key=lambda wish: -wish[1])]

# %% order
def order(wishes):
    return [name for name, mib, until in wishes if until > 1]

# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated":
                line = block["frames"][0]["line"] if block["frames"] else None
                held[line] = block["size"]
    return held

# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated":
                line = block["frames"][0]["line"] if block["frames"] else None
                held[line] = held.get(line, 0) + block["requested_size"]
    return held

# %% holders
def holders(snapshot):
    held = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            line = block["frames"][0]["line"] if block["frames"] else None
            held[line] = held.get(line, 0) + block["size"]
    return held

# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum(widths[k] * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": 4 * batch * sum(widths[1:])}

# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 1}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": 4 * batch * sum(widths[1:])}

# %% terms
def terms(widths, batch, optimizer):
    weights = 4 * sum((widths[k] + 1) * widths[k + 1] for k in range(len(widths) - 1))
    states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer]
    return {"weights": weights, "gradients": weights, "optimizer": states * weights, "activations": 4 * batch * sum(widths)}
