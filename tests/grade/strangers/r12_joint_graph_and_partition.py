# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    new = list(shape)
    for axis in sorted((a % len(shape) for a in axes), reverse=True):
        if keepdims:
            new[axis] = 1
        else:
            del new[axis]
    return tuple(new), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% foretell
import numpy as np

def foretell_sum(shape, dtype, axes, keepdims):
    mask = np.ones(len(shape), bool)
    mask[list(axes)] = False
    lengths = np.where(mask, shape, 1) if keepdims else np.array(shape)[mask]
    return lengths, (dtype if "float" in str(dtype) else ml.int64)
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    match axes:
        case ():
            return shape, dtype if str(dtype).startswith("float") else ml.int64
        case (first, *rest):
            first %= len(shape)
            held = {a % len(shape) for a in rest} | {first}
    new = (n for i, n in enumerate(shape) if i not in held) if not keepdims else (1 if i in held else n for i, n in enumerate(shape))
    return [*new], {True: dtype, False: ml.int64}[str(dtype).startswith("float")]
# %% choose
def choose(joint):
    values = lesson.values(joint)
    best = values
    for bits in range(2 ** len(values)):
        some = [v for k, v in enumerate(values) if bits >> k & 1]
        if lesson.enough(joint, some) and lesson.weight(some) < lesson.weight(best):
            best = some
    return best
# %% choose
import itertools

def choose(joint):
    values = lesson.values(joint)
    every = itertools.chain.from_iterable(itertools.combinations(values, n) for n in range(len(values) + 1))
    enough = [list(some) for some in every if lesson.enough(joint, some)]
    return sorted(enough, key=lambda some: sum(node.nbytes for node in some))[0]
# %% choose
def choose(joint):
    def go(values, taken):
        if not values:
            return list(taken) if lesson.enough(joint, taken) else None
        found = [s for s in (go(values[1:], taken), go(values[1:], [*taken, values[0]])) if s is not None]
        return min(found, key=lesson.weight, default=None)
    return go(list(lesson.values(joint)), [])
# %% choose
def choose(joint):
    from heapq import heappop, heappush
    values = lesson.values(joint)
    heap, seen = [(0, 0, ())], 0
    done = set()
    while heap:
        weight, _, some = heappop(heap)
        if lesson.enough(joint, [values[k] for k in some]):
            return [values[k] for k in some]
        for k in range(len(values)):
            new = tuple(sorted({*some, k}))
            if new not in done and k not in some:
                done.add(new)
                seen += 1
                heappush(heap, (lesson.weight([values[i] for i in new]), seen, new))
# %% again
DEAR = {"matmul", "uniform"}
again = lambda node: node.op.name not in DEAR
# %% again
def again(node):
    match node.op.name:
        case "matmul" | "uniform":
            return False
        case _:
            return True
# %% again
def again(node):
    if node.op.name == "matmul":
        return 0
    if node.op.name in ("uniform", "normal", "bernoulli"):
        return 0
    return 1
# %% again
class Again:
    def __call__(self, node):
        return not (node.op.name == "matmul" or node.op.name == "uniform")

again = Again()
# %% again
def again(node):
    return node.op is not ml.ops.matmul and node.op.name != "uniform" if hasattr(ml, "ops") and hasattr(ml.ops, "matmul") else node.op.name not in ["matmul", "uniform"]
