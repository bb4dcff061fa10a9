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
    from minitorch_lab.lessons.lesson_15_planning import check_lives, pure
    from minitorch_lab.lessons.unaided import overheard

    lives, helpers = overheard(check_lives, lives)
    found = lives(pure(grown(program), ml.ones(4, 4)))
    return sorted([name, *span] for name, span in found.items()), helpers


def draws(rng):
    some = {
        "one op": [["exp", 0, 0]],
        "a chain": [["exp", 0, 0], ["tanh", 1, 1], ["shift", 2, 2]],
        "read late": [["exp", 0, 0], ["tanh", 1, 1], ["shift", 2, 2], ["mul", 3, 1]],
        "read twice at once": [["exp", 0, 0], ["mul", 1, 1], ["tanh", 2, 2]],
        "read through a view": [["exp", 0, 0], ["turn", 1, 1], ["tanh", 2, 2]],
        "a view that is read late": [["exp", 0, 0], ["turn", 1, 1], ["tanh", 1, 1], ["mul", 3, 2], ["shift", 4, 4]],
        "a view of a view": [["exp", 0, 0], ["turn", 1, 1], ["turn", 2, 2], ["tanh", 3, 3], ["shift", 4, 4]],
        "a result that is a view": [["exp", 0, 0], ["shift", 1, 1], ["turn", 2, 2]],
        "a result that is a view of a view": [["exp", 0, 0], ["turn", 1, 1], ["turn", 2, 2]],
        "a view of the argument": [["turn", 0, 0], ["exp", 1, 1], ["mul", 2, 1]],
        "what nobody reads": [["exp", 0, 0], ["tanh", 0, 0], ["shift", 2, 2]],
    }
    ops = rng.choice(["mul", "exp", "tanh", "turn", "shift"], 8).tolist()
    some["at random"] = [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)]
    return {name: (program,) for name, program in some.items()}


# %% planner
title, points = "A planner", 4
hint = "The largest first, each into the lowest place that is free for as long as it lasts."


def lives_from(numbers):
    from minitorch_lab.compiler.memory.plan import Life

    return [Life(n * 64, first, first + more, (f"v{k}",)) for k, (n, first, more) in enumerate(numbers)]


def probe(planner, /, numbers):
    from minitorch_lab.lessons.lesson_15_planning import check_planner
    from minitorch_lab.lessons.unaided import overheard

    planner, helpers = overheard(check_planner, planner)
    return planner(lives_from(numbers)), helpers


def draws(rng):
    def drawn(count):
        columns = rng.integers(1, 9, count), rng.integers(0, 20, count), rng.integers(0, 9, count)
        return (np.stack(columns, 1).tolist(),)

    sizes = rng.integers(1, 9, 8).tolist()
    return {
        "one life": ([[sizes[0], 0, 2]],),
        "all at once": ([[n, 0, 9] for n in sizes],),
        "one after the other": ([[n, 2 * k, 1] for k, n in enumerate(sizes)],),
        "they meet in one step": ([[n, k, 1] for k, n in enumerate(sizes)],),
        "one inside the other": ([[n, k, 15 - 2 * k] for k, n in enumerate(sizes)],),
        "all of one size": ([[4, k % 3, 2] for k in range(8)],),
        "a large one comes late": ([[1, 0, 1], [1, 0, 9], [8, 2, 7]],),
        "few": drawn(4),
        "many": drawn(30),
    }


def agree(found, wanted, numbers):
    """Any plan will do in which nothing overlaps and which is not much larger than the reference's."""
    from minitorch_lab.lessons.values import whole_numbers

    (found, helpers), (wanted, _) = found, wanted
    lives, found = reference(PROBE).lives_from(numbers), whole_numbers(found)
    if helpers or found is None or len(found) != len(lives) or any(at < 0 or at % 64 for at in found):
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
    return keep(layers)


def draws(rng):
    return {f"{layers} layers": (layers,) for layers in rng.permutation([10, 13, 16, 20]).tolist()}


def agree(found, wanted, layers):
    """Any choice will do that leaves as little as the lesson asks for, or nearly as little as the reference."""
    from minitorch_lab.lessons.lesson_15_planning.plan import part_left
    from minitorch_lab.lessons.values import whole_numbers

    found = whole_numbers(found)
    if found is None or any(not 1 <= layer <= layers for layer in found) or len(found) >= layers - 1:
        return False
    return part_left(layers, found) <= max(1.15 * part_left(layers, wanted), 0.8 - 0.02 * layers)
