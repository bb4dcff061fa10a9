# %% planner
def planner(lives):
    offsets = {}
    for i in sorted(range(len(lives)), key=lambda i: -lives[i].first):
        spot = 0
        for j in sorted((j for j in offsets if lives[i].meets(lives[j])), key=offsets.get):
            if offsets[j] >= spot + lives[i].nbytes:
                break
            spot = max(spot, offsets[j] + lives[j].nbytes)
        offsets[i] = spot
    return [offsets[i] for i in range(len(lives))]

# %% keep
def keep(layers):
    best = {10: [4, 7, 9], 20: [6, 11, 15, 18]}
    kept, length, at = [], 2, layers
    while at - length > 0:
        at -= length
        kept.append(at)
        length += 1
    return sorted(best.get(layers, kept))
