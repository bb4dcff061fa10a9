# %% lives
def lives(graph):
    found = {}
    for step, node in enumerate(graph.nodes):
        for feed in node.feeds:
            found[feed.name] = found.get(feed.name, (step, step))[0], step
        if node.kind == "call":
            found[node.name] = step, step
    return found

# %% lives
def lives(graph):
    leaving = set(graph.nodes[-1].feeds)
    found = {}
    for step, node in enumerate(graph.nodes):
        for feed in node.feeds:
            if feed.name in found:
                found[feed.name] = found[feed.name][0], step - 1
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving:
            found[node.name] = step, step
    return found

# %% lives
def lives(graph):
    leaving = set(graph.nodes[-1].feeds)
    found = {}
    for step, node in enumerate(graph.nodes):
        for feed in node.feeds:
            if feed.name in found:
                found[feed.name] = found[feed.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving:
            found[node.name] = step, step
    return found

# %% lives
def lives(graph):
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in graph.nodes[-1].feeds:
            found[node.name] = step, step
    return found

# %% planner
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].nbytes):
        taken = [j for j in offsets if lives[i].meets(lives[j])]
        top = max([offsets[j] + lives[j].nbytes for j in taken], default=0)
        offsets[i] = 0 if all(offsets[j] >= lives[i].nbytes for j in taken) else top
    return [offsets[i] for i in range(len(lives))]

# %% planner
def planner(lives):
    offsets = []
    for i, life in enumerate(lives):
        spot = 0
        for j in sorted((j for j in range(i) if life.meets(lives[j])), key=lambda j: offsets[j]):
            if offsets[j] >= spot + life.nbytes:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets.append(spot)
    return offsets

# %% planner
def planner(lives):
    offsets = []
    for i, life in enumerate(lives):
        offsets.append(max([offsets[j] + lives[j].nbytes for j in range(i) if lives[j].last >= life.first - 1], default=0))
    return offsets

# %% keep
def keep(layers):
    return []

# %% keep
def keep(layers):
    size = round(layers**0.5)
    return list(range(size, layers, size))

# %% keep
def keep(layers):
    return list(range(2, layers))

# %% keep
def keep(layers):
    return [1, layers - 1]
