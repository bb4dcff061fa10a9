"""Solutions to 15_memory_planning: what stands after `# %% id` goes into the cell with that id."""

from minitorch_lab.lessons import lesson_15_planning as lesson

# %% guess-lives
life_of_mul = (1, 5)
life_of_tanh = (2, 3)


# %% lives-exercise
def lives(graph):
    leaving = {lesson.root(n) for n in graph.nodes[-1].feeds}
    found = {}
    for step, node in enumerate(graph.nodes):
        for owner in {lesson.root(feed) for feed in node.feeds}:
            if owner.name in found:
                found[owner.name] = found[owner.name][0], step
        if node.kind == "call" and not lesson.is_view(node) and node not in leaving:
            found[node.name] = step, step
    return found


# %% guess-bound
bytes_at_the_busiest_step = 320


# %% planner-exercise
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].nbytes):
        spot = 0
        for j in sorted((j for j in offsets if lives[i].meets(lives[j])), key=offsets.get):
            if offsets[j] >= spot + lives[i].nbytes:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets[i] = spot
    return [offsets[i] for i in range(len(lives))]


# %% guess-inplace
mb_of_the_chain = 4
mb_with_a_product = 8

# %% guess-step
mib_with_all_kept = 88
mib_with_checkpoints = 88
mib_with_checkpoints_and_updates_at_once = 40

# %% guess-tax
gb_at_the_peak = 16.7
when = "turn"
gb_with_checkpoints = 12.5
when_with_checkpoints = "late"


# %% keep-exercise
def keep(layers):
    kept, left, length = [], layers, 2
    while left > length:
        left -= length
        kept.append(left)
        length += 1
    return kept[::-1]


# %% guess-slices
units_as_wholes = (16, 32)
units_in_turns = (2, 2)


# %% guess-shared
bytes_of_the_shared_arena = 8192
