# %% lives
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving:
            found[node.name] = step + 1, step + 1
    return found
# %% lives
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and node not in leaving:
            found[node.name] = step, step
    return found
# %% lives
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if not lesson.is_view(node) and node not in leaving and node.kind != "output":
            found[node.name] = step, step
    return found
# %% lives
def lives(graph):
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node):
            found[node.name] = step, step
    return found
# %% lives
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds[:1]}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving:
            found[node.name] = step, step
    return found
# %% lives
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for feed in node.feeds:
            for owner in (feed, *feed.feeds[: lesson.is_view(feed)]):
                if owner.name in found:
                    found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving:
            found[node.name] = step, step
    return found
# %% lives
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    read = {lesson.root(f).name for n in graph.nodes for f in n.feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving and node.name in read:
            found[node.name] = step, step
    return found
# %% planner
def planner(lives):
    return [0] * len(lives)
# %% planner
def planner(lives):
    offsets, top = [], 0
    for life in lives:
        offsets.append(top)
        top += life.nbytes
    return offsets
# %% planner
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].nbytes):
        spot = 0
        for j in sorted((j for j in offsets if lives[i].meets(lives[j])), key=offsets.get):
            if offsets[j] > spot:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets[i] = spot
    return [offsets[i] for i in range(len(lives))]
# %% planner
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].nbytes):
        spot = 0
        for j in sorted((j for j in offsets if lives[i].meets(lives[j])), key=offsets.get):
            if offsets[j] >= spot + lives[i].nbytes:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets[i] = spot
    return list(offsets.values())
# %% planner
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].nbytes):
        spot = 0
        for j in (j for j in offsets if lives[i].meets(lives[j])):
            if offsets[j] >= spot + lives[i].nbytes:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets[i] = spot
    return [offsets[i] for i in range(len(lives))]
# %% planner
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].nbytes):
        spot = 0
        for j in sorted((j for j in offsets if lives[i].first < lives[j].last and lives[j].first < lives[i].last), key=offsets.get):
            if offsets[j] >= spot + lives[i].nbytes:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets[i] = spot
    return [offsets[i] for i in range(len(lives))]
# %% keep
def keep(layers):
    return list(range(1, layers, 2))
# %% keep
def keep(layers):
    return [layers // 2]
# %% keep
def keep(layers):
    kept, left, length = [], layers, 2
    while left > length:
        left -= length
        kept.append(layers - left)
        length += 1
    return kept
# %% keep
def keep(layers):
    return list(range(1, layers))
# %% keep
def keep(layers):
    kept, at, length = [], 0, 2
    while at + length < layers:
        at += length
        kept.append(at)
        length += 1
    return kept
# %% keep
def keep(layers):
    return [0, *range(3, layers, 4)]
# %% keep
def keep(layers):
    return [layers - 1, layers, layers + 1]
