# %% lives
def lives(graph):
    step_of = {node: k for k, node in enumerate(graph.nodes)}
    leaving = [lesson.root(n) for n in graph.nodes[-1].feeds]
    out = {}
    for node in graph.nodes:
        if node.kind != "call" or lesson.is_view(node) or node in leaving:
            continue
        readers = [k for k, other in enumerate(graph.nodes) if any(lesson.root(f) is node for f in other.feeds)]
        out[node.name] = (step_of[node], max(readers, default=step_of[node]))
    return out
# %% lives
def lives(graph):
    last, first = {}, {}
    for step, node in enumerate(graph.nodes):
        root = lesson.root(node)
        first.setdefault(root, step)
        last[root] = max(last.get(root, step), first[root]) if not lesson.is_view(node) else last[root]
        for feed in node.feeds:
            last[lesson.root(feed)] = step
    dead = {lesson.root(f) for f in graph.nodes[-1].feeds}
    return {n.name: [first[n], last[n]] for n in first if n.kind == "call" and n not in dead}
# %% lives
import numpy as np

def lives(graph):
    nodes = list(graph.nodes)
    out = {}
    for i, node in enumerate(nodes[:-1]):
        if node.kind == "call" and not lesson.is_view(node):
            uses = np.array([any(lesson.root(f) is node for f in m.feeds) for m in nodes])
            if not uses[-1]:
                out[node.name] = np.array([i, max([i, *np.flatnonzero(uses)])])
    return out
# %% lives
def lives(graph):
    def end(node):
        ends = [k for k, m in enumerate(graph.nodes) if node in m.feeds]
        ends += [end(m) for m in graph.nodes if lesson.is_view(m) and node in m.feeds]
        return max(ends, default=graph.nodes.index(node))

    last = len(graph.nodes) - 1
    spans = {n.name: (k, end(n)) for k, n in enumerate(graph.nodes) if n.kind == "call" and not lesson.is_view(n)}
    return {name: span for name, span in spans.items() if span[1] != last}
# %% planner
def planner(lives):
    order = sorted(range(len(lives)), key=lambda i: (-lives[i].nbytes, lives[i].first))
    placed = {}
    for i in order:
        life = lives[i]
        busy = sorted((placed[j], placed[j] + lives[j].nbytes) for j in placed if life.meets(lives[j]))
        spots = [0] + [end for _, end in busy]
        placed[i] = min(s for s in spots if all(s + life.nbytes <= a or s >= b for a, b in busy))
    return [placed[i] for i in range(len(lives))]
# %% planner
import numpy as np

def planner(lives):
    offsets = np.zeros(len(lives), dtype=int)
    done = []
    for i in np.argsort([-life.nbytes for life in lives], kind="stable"):
        spot = 0
        while any(lives[i].meets(lives[j]) and spot < offsets[j] + lives[j].nbytes and offsets[j] < spot + lives[i].nbytes for j in done):
            spot += 64
        offsets[i] = spot
        done.append(i)
    return offsets
# %% planner
def planner(lives):
    def place(rest, placed):
        if not rest:
            return placed
        i, *rest = rest
        gap = 0
        for start, end in sorted((o, o + lives[j].nbytes) for j, o in placed.items() if lives[i].meets(lives[j])):
            if start - gap >= lives[i].nbytes:
                break
            gap = max(gap, end)
        return place(rest, placed | {i: gap})

    placed = place(sorted(range(len(lives)), key=lambda i: lives[i].nbytes, reverse=True), {})
    return tuple(placed[i] for i in sorted(placed))
# %% planner
def planner(lives):
    # best fit: the smallest gap that is large enough
    offsets = [None] * len(lives)
    for i in sorted(range(len(lives)), key=lambda i: lives[i].nbytes, reverse=True):
        busy = sorted((offsets[j], offsets[j] + lives[j].nbytes) for j in range(len(lives)) if offsets[j] is not None and lives[i].meets(lives[j]))
        gaps, at = [], 0
        for start, end in busy:
            if start - at >= lives[i].nbytes:
                gaps.append((start - at, at))
            at = max(at, end)
        offsets[i] = min(gaps)[1] if gaps else at
    return offsets
# %% keep
def keep(layers):
    def go(left, length):
        return [] if left <= length else [*go(left - length, length + 1), left - length]
    return go(layers, 2)
# %% keep
import numpy as np

def keep(layers):
    steps = np.cumsum(np.arange(2, layers))
    kept = layers - steps
    return kept[kept > 0][::-1]
# %% keep
from itertools import accumulate, count, takewhile

def keep(layers):
    return sorted(takewhile(lambda at: at > 0, (layers - step for step in accumulate(count(2)))))
# %% keep
def keep(layers):
    def starts():
        left, length = layers, 2
        while (left := left - length) > 0:
            yield left
            length += 1
    return {*starts()}
