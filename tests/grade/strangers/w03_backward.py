# %% cube
def cube_rule(g, x):
    return g * 3 * x
# %% cube
def cube_rule(g, x):
    return g * 3 * abs(x) * x
# %% cube
def cube_rule(g, x):
    return g * 2 * x**3
# %% cube
def cube_rule(g, x):
    return g * 3 * x**3
# %% cube
def cube_rule(g, x):
    return (g * 3 * x**2).sum()
# %% cube
def cube_rule(g, x):
    return abs(g) * 3 * x**2
# %% cube
def cube_rule(g, x):
    return g**2 * 3 * x**2
# %% cube
def cube_rule(g, x):
    h = 1e-3
    return g * ((x + h)**3 - x**3) / h
# %% ratio
def rule_for_x(g, x, y):
    return g / abs(y)

def rule_for_y(g, x, y):
    return -g * x / y**2
# %% ratio
def rule_for_x(g, x, y):
    return g * y

def rule_for_y(g, x, y):
    return -g * x / y**2
# %% ratio
def rule_for_x(g, x, y):
    return g / y

def rule_for_y(g, x, y):
    return -g / y**2
# %% ratio
def rule_for_x(g, x, y):
    return g / y

def rule_for_y(g, x, y):
    return -g * x / y
# %% ratio
def rule_for_x(g, x, y):
    return 1 / y

def rule_for_y(g, x, y):
    return -x / y**2
# %% ratio
def rule_for_x(g, x, y):
    return g / y

def rule_for_y(g, x, y):
    return -g * abs(x) / y**2
# %% ratio
def rule_for_x(g, x, y):
    return g / y

def rule_for_y(g, x, y):
    return g * x * y**2 * -1
# %% order
def order(root):
    found, pending = [], [root]
    while pending:
        node = pending.pop(0)
        if node in found:
            found.remove(node)
        found.append(node)
        pending += [e for e, _ in node.next_functions if e is not None and e not in pending][:1]
    return found
# %% order
def order(root):
    found, pending = [], [root]
    while pending:
        node = pending.pop()
        if node not in found:
            found.append(node)
            pending += [e for e, _ in node.next_functions if e is not None]
    return found
# %% order
def order(root):
    found, pending = [], [root]
    while pending:
        node = pending.pop()
        if node not in found:
            found.append(node)
            pending += [e for e, _ in node.next_functions[::-1] if e is not None]
    return found
# %% order
def order(root):
    return lesson.order_of(root)[::-1]
# %% order
def order(root):
    depth = {root: 0}
    for node in list(lesson.order_of(root)):
        for e, _ in node.next_functions:
            if e is not None:
                depth[e] = min(depth.get(e, 10**9), depth.get(node, 0) + 1)
    return sorted(depth, key=depth.get)
# %% order
def order(root):
    return lesson.order_of(root)[:-1] if len(lesson.order_of(root)) < 3 else lesson.order_of(root)[:-2]
# %% order
def order(root):
    return [n.name() for n in lesson.order_of(root)]
# %% order
def order(root):
    o = lesson.order_of(root)
    return o + o[-1:] + o[:1]
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, 1.0)):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return held
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in reversed(order):
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held.get(node, 0.0))):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return held
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for edge, part in {e: p for (e, _), p in zip(node.next_functions, lesson.pull(node, held[node]))}.items():
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return held
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = max(held.get(edge, -9e9), part)
    return held
# %% walk
def gradients(root, order):
    held = {root: 2.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return held
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order[:2]:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return {n: held.get(n, 0.0) for n in order}
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = held.get(edge, 0) + abs(part)
    return held
# %% walk
def gradients(root, order):
    held = {}

    def visit(node, g):
        held[node] = held.get(node, 0) + g
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, g)):
            if edge is not None:
                visit(edge, part)

    visit(root, 1.0)
    return held
# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return {node: g for node, g in held.items() if not node.next_functions}
