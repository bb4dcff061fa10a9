# %% cube
def cube_rule(g, x):
    return 3 * x**2

# %% cube
def cube_rule(g, x):
    return g * x**3

# %% cube
def cube_rule(g, x):
    return g * x**2

# %% cube
def cube_rule(g, x):
    return g + 3 * x**2

# %% ratio
def rule_for_x(g, x, y):
    return g / y


def rule_for_y(g, x, y):
    return g * x / y**2

# %% ratio
def rule_for_x(g, x, y):
    return g / y


def rule_for_y(g, x, y):
    return g / y

# %% ratio
def rule_for_x(g, x, y):
    return -g * x / y**2


def rule_for_y(g, x, y):
    return g / y

# %% order
def order(root):
    found = [root]
    for node in found:
        for edge, _ in node.next_functions:
            if edge is not None and edge not in found:
                found.append(edge)
    return found

# %% order
def order(root):
    seen, finished = set(), []

    def visit(node):
        seen.add(node)
        for edge, _ in node.next_functions:
            if edge is not None and edge not in seen:
                visit(edge)
        finished.append(node)

    visit(root)
    return finished

# %% order
def order(root):
    return [root] + [n for edge, _ in root.next_functions if edge is not None for n in order(edge)]

# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = part
    return held

# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] += part
    return held

# %% walk
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] = held.get(edge, 1) * part
    return held
