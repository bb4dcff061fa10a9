# %% sizes
import math

def sizes(nbytes):
    block = max(1, math.ceil(nbytes / 512)) * 512
    pool = "small" if block <= 1 << 20 else "large"
    if pool == "small":
        segment = 2 << 20
    elif block < 10 << 20:
        segment = 20 << 20
    else:
        segment = math.ceil(block / (2 << 20)) * (2 << 20)
    return block, pool, segment
# %% sizes
def sizes(nbytes):
    up = lambda n, step: n + -n % step
    block = up(nbytes, 512) or 512
    small = block <= MIB
    return (block, ["large", "small"][small], 2 * MIB if small else 20 * MIB if block < 10 * MIB else up(block, 2 * MIB))
# %% sizes
import numpy as np

def sizes(nbytes):
    block = np.maximum(np.int64((nbytes + 511) // 512) * 512, 512)
    if block <= 1048576:
        return np.array([block, 2097152])[0], "small", np.int64(2097152)
    return block, "large", np.int64(20971520) if block < 10485760 else (block + 2097151) // 2097152 * 2097152
# %% place
import bisect

def place(free, size):
    by_size = sorted((nbytes, address) for address, nbytes in free)
    at = bisect.bisect_left(by_size, (size, 0))
    if at == len(by_size):
        return None, free
    nbytes, address = by_size.pop(at)
    if nbytes > size:
        by_size.append((nbytes - size, address + size))
    return address, sorted((a, n) for n, a in by_size)
# %% place
import heapq

def place(free, size):
    heap = [(n, a) for a, n in free]
    heapq.heapify(heap)
    small = []
    while heap:
        n, a = heapq.heappop(heap)
        if n >= size:
            rest = [(n - size, a + size)] if n > size else []
            return [a, [(a, n) for n, a in small + heap + rest]]
        small.append((n, a))
    return [None, free]
# %% place
import numpy as np

def place(free, size):
    blocks = np.array(free, dtype=int).reshape(-1, 2)
    fits = np.flatnonzero(blocks[:, 1] >= size)
    if len(fits) == 0:
        return None, blocks
    best = fits[np.argmin(blocks[fits, 1])]
    address = blocks[best, 0]
    blocks[best] += [size, -size]
    return address, blocks[blocks[:, 1] > 0]
# %% place
def place(free, size):
    candidates = [b for b in free if b[1] >= size]
    if len(candidates) == 0:
        return (None, free)
    best = candidates[0]
    for b in candidates[1:]:
        if b[1] < best[1]:
            best = b
    result = []
    for b in free:
        if b == best:
            if b[1] != size:
                result.append([b[0] + size, b[1] - size])
        else:
            result.append(list(b))
    return (best[0], result)
# %% merge
def merge(free, address, size):
    before = next((b for b in free if b[0] + b[1] == address), None)
    after = next((b for b in free if b[0] == address + size), None)
    rest = [b for b in free if b not in (before, after)]
    start = before[0] if before else address
    end = after[0] + after[1] if after else address + size
    return rest + [(start, end - start)]
# %% merge
import bisect

def merge(free, address, size):
    k = bisect.bisect(free, (address,))
    if k < len(free) and address + size == free[k][0]:
        size += free.pop(k)[1]
    if k and sum(free[k - 1]) == address:
        address, more = free.pop(k - 1)
        size += more
    bisect.insort(free, (address, size))
    return free
# %% merge
import numpy as np

def merge(free, address, size):
    cells = set()
    for a, n in [*free, (address, size)]:
        cells.update(range(a // 512, (a + n) // 512))
    cells = np.array(sorted(cells))
    groups = np.split(cells, np.flatnonzero(np.diff(cells) > 1) + 1)
    return [(512 * g[0], 512 * len(g)) for g in groups]
# %% merge
def merge(free, address, size):
    new = (address, size)
    changed = True
    left = list(free)
    while changed:
        changed = False
        for b in left:
            if b[0] + b[1] == new[0] or new[0] + new[1] == b[0]:
                new = (min(b[0], new[0]), b[1] + new[1])
                left.remove(b)
                changed = True
                break
    return tuple(sorted(left + [new]))
# %% order
def order(wishes):
    wishes.sort(key=lambda w: w[2], reverse=True)
    return [w[0] for w in wishes]
# %% order
import heapq

def order(wishes):
    heap = [(-until, k, name) for k, (name, mib, until) in enumerate(wishes)]
    heapq.heapify(heap)
    return tuple(heapq.heappop(heap)[2] for _ in range(len(heap)))
# %% order
import numpy as np

def order(wishes):
    ends = np.array([until for _, _, until in wishes])
    return np.array([name for name, _, _ in wishes])[np.argsort(-ends, kind="stable")]
# %% order
def order(wishes):
    buckets = {}
    for name, mib, until in wishes:
        buckets.setdefault(until, []).append((mib, name))
    result = []
    for until in sorted(buckets)[::-1]:
        result += [name for _, name in sorted(buckets[until])]
    return result
# %% holders
from collections import Counter

def holders(snapshot):
    count = Counter()
    for segment in snapshot:
        for block in segment["blocks"]:
            if block["state"] != "inactive":
                frames = block["frames"] or [{"line": None}]
                count[frames[0]["line"]] += block["size"]
    return count
# %% holders
from collections import defaultdict

def holders(snapshot):
    d = defaultdict(int)
    for s in snapshot:
        for b in s["blocks"]:
            if b["state"] != "active_allocated":
                continue
            try:
                d[b["frames"][0]["line"]] += b["size"]
            except IndexError:
                d[None] += b["size"]
    return d
# %% holders
import itertools
import numpy as np

def holders(snapshot):
    blocks = list(itertools.chain.from_iterable(s["blocks"] for s in snapshot))
    out = {}
    for b in blocks:
        line = next((f["line"] for f in b["frames"]), None)
        used = np.int64(b["size"]) * (b["state"] == "active_allocated")
        if used:
            out[line] = out.get(line, np.int64(0)) + used
    return out
# %% holders
def holders(snapshot):
    def line_of(block):
        return block["frames"][0]["line"] if len(block["frames"]) > 0 else None

    out = {line_of(b): 0 for s in snapshot for b in s["blocks"] if b["requested_size"]}
    for s in snapshot:
        for b in s["blocks"]:
            if b["requested_size"]:
                out[line_of(b)] += b["size"]
    return out
# %% terms
from itertools import pairwise

def terms(widths, batch, optimizer):
    w = sum(a * b + b for a, b in pairwise(widths)) * 4
    opt = w * ["SGD", "momentum", "Adam"].index(optimizer)
    return dict(weights=w, gradients=w, optimizer=opt, activations=sum(4 * batch * n for n in widths[1:]))
# %% terms
import numpy as np

def terms(widths, batch, optimizer):
    n = np.array(widths)
    w = 4 * ((n[:-1] + 1) * n[1:]).sum()
    state = 0
    if optimizer == "momentum":
        state = 1
    if optimizer == "Adam":
        state = 2
    return {"weights": w, "gradients": w, "optimizer": w * state, "activations": n[1:].sum() * batch * 4}
# %% terms
def terms(widths, batch, optimizer):
    layers = []
    for i in range(1, len(widths)):
        layers += [ml.nn.Linear(widths[i - 1], widths[i]), ml.nn.ReLU()]
    net = ml.nn.Sequential(*layers[:-1])
    opt = {
        "SGD": lambda p: ml.optim.SGD(p, lr=0.1),
        "momentum": lambda p: ml.optim.SGD(p, lr=0.1, momentum=0.5),
        "Adam": lambda p: ml.optim.Adam(p),
    }[optimizer](net.parameters())
    with ml.memory.account() as account:
        net(ml.ones(batch, widths[0])).sum().backward()
        opt.step()
        held = net(ml.ones(batch, widths[0]))
        live = account.live_by_category
    out = 4 * batch * sum(widths[1:])
    return {"weights": live["parameter"], "gradients": live["gradient"], "optimizer": live["optimizer state"], "activations": out}
