"""The judge of lesson 15. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% lives
title, points = "Lifetimes", 3
hint = "From the step that writes it to the last that reads it, through views too; results are not planned."


def grown(program):
    def run(x):
        values = [x]
        for op, i, j in program:
            a, b = values[i], values[j]
            values.append(
                {
                    "mul": lambda a=a, b=b: a * b,
                    "exp": lambda a=a: a.exp(),
                    "tanh": lambda a=a: a.tanh(),
                    "turn": lambda a=a: a.T,
                    "shift": lambda a=a: a + 1,
                }[op]()
            )
        return values[-1]

    return run


def probe(lives, /, program):
    import minitorch_lab as ml
    from minitorch_lab.lessons.planning import pure

    found = lives(pure(grown(program), ml.ones(4, 4)))
    return sorted([name, int(span[0]), int(span[1])] for name, span in found.items())


def draws(rng):
    for steps in (3, 5, 8):
        ops = rng.choice(["mul", "exp", "tanh", "turn", "shift"], steps).tolist()
        yield ([[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)],)


# %% planner
title, points = "A planner", 4
hint = "The largest first, each into the lowest place that is free for as long as it lasts."


def lives_from(numbers):
    from minitorch_lab.compile.plan import Life

    return [Life(n * 64, first, first + more, (f"v{k}",)) for k, (n, first, more) in enumerate(numbers)]


def probe(planner, /, numbers):
    return [int(offset) for offset in planner(lives_from(numbers))]


def draws(rng):
    for count in (4, 12, 30):
        sizes, firsts, lengths = rng.integers(1, 9, count), rng.integers(0, 20, count), rng.integers(0, 9, count)
        yield (np.stack([sizes, firsts, lengths], 1).tolist(),)


def agree(found, wanted, numbers):
    """Any plan will do in which nothing overlaps and which is not much larger than the reference's."""
    lives = reference(PROBE).lives_from(numbers)
    if len(found) != len(lives) or any(type(at) is not int or at < 0 or at % 64 for at in found):
        return False
    spans = [(at, at + life.nbytes) for at, life in zip(found, lives, strict=True)]
    apart = all(
        spans[i][1] <= spans[j][0] or spans[j][1] <= spans[i][0]
        for i in range(len(lives))
        for j in range(i)
        if lives[i].meets(lives[j])
    )
    best = max(at + life.nbytes for at, life in zip(wanted, lives, strict=True))
    return apart and max(end for _, end in spans) <= 1.5 * best


# %% keep
title, points = "What to keep", 3
hint = "The walk begins with the last stretch, when everything that you keep is alive: let it be the shortest."


def probe(keep, /, layers):
    return sorted(int(layer) for layer in keep(layers))


def draws(rng):
    yield (10,)
    yield (int(rng.integers(12, 19)),)
    yield (20,)


def agree(found, wanted, layers):
    """Any choice will do that leaves as little as the lesson asks for, or nearly as little as the reference."""
    from minitorch_lab.lessons.the_plan import part_left

    if any(not 1 <= layer <= layers for layer in found) or len(found) >= layers - 1:
        return False
    return part_left(layers, found) <= max(1.15 * part_left(layers, wanted), 0.8 - 0.02 * layers)
