# %% cube
def cube_rule(g, x):
    return x * x * 3 * g

# %% order
def order(root):
    waiting, found = {}, []

    def count(node):
        for edge, _ in node.next_functions:
            if edge is not None:
                waiting[edge] = waiting.get(edge, 0) + 1
                if waiting[edge] == 1:
                    count(edge)

    count(root)
    free = [root]
    while free:
        node = free.pop()
        found.append(node)
        for edge, _ in node.next_functions:
            if edge is not None:
                waiting[edge] -= 1
                if not waiting[edge]:
                    free.append(edge)
    return [node for node in found if node.name() != "AccumulateGrad"]

# %% walk
def gradients(root, order):
    held = {node: 0.0 for node in order}
    held[root] = 1.0
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):
            if edge is not None:
                held[edge] += part
    return held
