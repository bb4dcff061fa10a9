# %% cube
def cube_rule(g, x):
    slope = 3 * ml.square(x) if hasattr(ml, "square") else 3 * x ** 2
    return ml.mul(slope, g) if hasattr(ml, "mul") else slope * g
# %% cube
def cube_rule(g, x):
    return g * (x * x + x * x + x * x)
# %% cube
def cube_rule(g, x):
    dx: float = 3 * pow(x, 2)
    return dx * g
# %% cube
import numpy as np

def cube_rule(g, x):
    return g * 3.0 * np.power(x, 2)
# %% cube
cube_rule = lambda g, x: 3 * g * x * x
# %% ratio
def rule_for_x(g, x, y):
    return g * y**-1

def rule_for_y(g, x, y):
    return -(x * g) * y**-2
# %% ratio
def rule_for_x(g, x, y):
    return (1 / y) * g

def rule_for_y(g, x, y):
    z = x / y
    return g * (-z / y)
# %% ratio
import numpy as np

def rule_for_x(g, x, y):
    return np.divide(g, y)

def rule_for_y(g, x, y):
    return np.negative(g * x) / np.square(y)
# %% ratio
rule_for_x = lambda g, x, y: g / y
rule_for_y = lambda g, x, y: -x * g / (y * y)
# %% ratio
def rule_for_x(g, y):
    return g / y

def rule_for_y(g, x, y):
    return -g * x / y / y
# %% order
def order(root):
    result, state = [], {}

    def dfs(n):
        if n is None or state.get(n):
            return
        state[n] = True
        for child, _ in reversed(n.next_functions):
            dfs(child)
        result.insert(0, n)

    dfs(root)
    return result
# %% order
def order(root):
    # every node's longest distance from the root
    depth = {root: 0}
    changed = True
    while changed:
        changed = False
        for node, d in list(depth.items()):
            for nxt, _ in node.next_functions:
                if nxt is not None and depth.get(nxt, -1) < d + 1:
                    depth[nxt] = d + 1
                    changed = True
    return sorted(depth, key=depth.get)
# %% order
def order(root):
    stack, done, out = [(root, False)], set(), []
    while stack:
        node, expanded = stack.pop()
        if expanded:
            out.append(node)
        elif node not in done:
            done.add(node)
            stack.append((node, True))
            stack.extend((n, False) for n, _ in node.next_functions if n is not None and n not in done)
    return list(reversed(out))
# %% order
from graphlib import TopologicalSorter

def order(root):
    readers, pending = {root: []}, [root]
    while pending:
        n = pending.pop()
        for m, _ in n.next_functions:
            if m is not None:
                if m not in readers:
                    readers[m] = []
                    pending.append(m)
                readers[m].append(n)
    return list(TopologicalSorter(readers).static_order())
# %% order
def order(root):
    nodes = [root]
    for n in nodes:
        nodes += [m for m, _ in n.next_functions if m is not None and m not in nodes and not nodes.count(m)]
        # duplicates within one node
        seen = []
        for m in nodes:
            if m not in seen:
                seen.append(m)
        nodes[:] = seen
    left, out = list(nodes), []
    while left:
        for n in left:
            if not any(n is m for r in left for m, _ in r.next_functions):
                out.append(n)
                left.remove(n)
                break
    return tuple(out)
# %% walk
from collections import defaultdict

def gradients(root, order):
    got = defaultdict(float)
    got[root] = 1.0
    for node in order:
        parts = lesson.pull(node, got[node])
        for k, (to, _) in enumerate(node.next_functions):
            if to is not None:
                got[to] += parts[k]
    return got
# %% walk
def gradients(root, order):
    held = {n: [] for n in order}
    held[root].append(1.0)
    for n in order:
        for edge, part in zip(n.next_functions, lesson.pull(n, sum(held[n]))):
            if part is not None and edge[0] is not None:
                held[edge[0]].append(part)
    return {n: sum(parts) for n, parts in held.items()}
# %% walk
def gradients(root, order):
    held = dict.fromkeys(order, 0)
    held[root] = 1
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, float(held[node]))):
            match edge:
                case None:
                    continue
                case _:
                    held[edge] = held[edge] + part
    return {k: float(v) for k, v in held.items()}
# %% walk
import numpy as np

def gradients(root, order):
    held = {root: np.float64(1)}
    for node in order:
        parts = lesson.pull(node, held[node])
        for (edge, index), part in zip(node.next_functions, parts):
            if edge is None:
                continue
            if edge in held:
                held[edge] = held[edge] + part
            else:
                held[edge] = part
    return held
# %% walk
def gradients(root, order):
    held = {root: ml.tensor(1.0)}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node].item())):
            if edge is not None:
                held[edge] = held.get(edge, ml.tensor(0.0)) + part
    return held
