"""The judge of lesson 10. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% times
title, points = "When your lines run", 3
hint = "Do the lines run while the program is made, and do they run when it is used?"


def probe(times, /):
    return times


def agree(found, wanted):
    """By value, and words whatever their case and the spaces around them."""
    from minitorch_lab.lessons.values import alike

    return alike(found, wanted)


# %% mended
title, points = "A choice that can be traced", 2
hint = "ml.where makes the choice an op; the condition is a tensor."


def probe(mended, /, rows):
    import minitorch_lab as ml

    traced = ml.jit.trace(mended, ml.tensor(rows[0]))
    return [[mended(ml.tensor(row)).tolist(), traced(ml.tensor(row)).tolist()] for row in rows]


def draws(rng):
    up, down = rng.uniform(1.0, 2.0, 3).tolist(), rng.uniform(-2.0, -1.0, 3).tolist()
    turned = [up[0], down[0] - 3, 0.5]  # its sum is below 0, though not all of its entries
    return {
        "traced above 0": ([up, down, turned, [-v for v in turned], [0.0] * 3],),
        "traced below 0": ([down, up, turned, [-v for v in turned], [1.0, -1.0, 0.0]],),
        "one number": ([up[:1], down[:1], [0.0]],),
        "near 0": ([[0.01, 0.0], [-0.01, 0.0], [0.25, -0.25]],),
    }


# %% tame
title, points = "Make it scriptable", 3
hint = "A while with the condition in it, no import, no break, and a tuple in place of the dict."


def probe(tame, /, entries, limit):
    import minitorch_lab as ml

    x = ml.tensor(entries)
    scripted = ml.jit.script(tame)
    new, steps = scripted(x, limit)
    return new.tolist(), steps, x.tolist()


def draws(rng):
    entries, limit = rng.uniform(0.5, 1.0, 3), float(rng.uniform(1.5, 3.0))
    return {
        "below the limit": (entries.tolist(), limit),
        "above": ((entries * 10).tolist(), limit),
        "far above": ((entries * 1000).tolist(), limit),
        "the largest below 0": ([0.25, float(rng.uniform(-40.0, -20.0)), 0.5], limit),
        "at the limit itself": ([2.0, -float(rng.uniform(0, 1))], 2.0),
        "at the limit, below 0": ([-2.0], 2.0),
        "zeros": ([0.0, 0.0], limit),
        "half-way at the limit": ([8.0, 1.0], 2.0),
    }


# %% evaluate
title, points = "Run a graph", 4
hint = "One value per node; node.op(*inputs, **node.params), and node.payload for a constant."


def grown(program, outside):
    def run(x):
        values = [x]
        for op, i, j in program:
            a, b = values[i], values[j]
            values.append(
                {
                    "mul": lambda a=a, b=b: a * b,
                    "sub": lambda a=a, b=b: a - b,
                    "sum": lambda a=a: a.sum(dim=1, keepdim=True) + a,
                    "outside": lambda a=a: a * outside,
                    "shift": lambda a=a: a + 0.5,
                }[op]()
            )
        return values[-1]

    return run


def probe(evaluate, /, program, rows, outside):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_10_models import check_evaluate
    from minitorch_lab.lessons.unaided import overheard

    evaluate, helpers = overheard(check_evaluate, evaluate)
    x = ml.tensor(rows)
    graph = ml.jit.trace(grown(program, ml.tensor(outside)), x).graph
    pair = ml.jit.trace(lambda x: (x + 1, x * x), x).graph
    first, second = evaluate(pair, [x * 2])
    return evaluate(graph, [x * 2]).tolist(), first.tolist(), second.tolist(), helpers


def draws(rng):
    some = {
        "the argument itself": [],
        "one op": [["shift", 0, 0]],
        "one input twice": [["mul", 0, 0]],
        "in that order": [["shift", 0, 0], ["sub", 0, 1]],
        "in the other order": [["shift", 0, 0], ["sub", 1, 0]],
        "ops of one name": [["shift", 0, 0], ["shift", 1, 1], ["mul", 2, 1]],
        "parameters": [["sum", 0, 0], ["sub", 1, 0]],
        "a tensor from outside": [["outside", 0, 0], ["outside", 1, 1]],
        "what nobody reads": [["shift", 0, 0], ["mul", 0, 0]],
        "read late": [["shift", 0, 0], ["mul", 1, 1], ["sum", 2, 2], ["sub", 3, 1]],
    }
    ops = rng.choice(["mul", "sub", "sum", "outside", "shift"], 5).tolist()
    some["at random"] = [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)]
    rows, outside = rng.normal(size=(2, 3)).tolist(), rng.normal(size=3).tolist()
    return {name: (program, rows, outside) for name, program in some.items()}


# %% notes
title, points = "Take it down", 4
hint = "Run the op below; write a call node with the nodes of its inputs; remember it for the result."


def grown(program, outside):
    def run(x):
        for op in program:
            x = {
                "double": lambda x=x: x * 2,
                "sum": lambda x=x: x.sum(dim=1, keepdim=True) - outside,
                "outside": lambda x=x: x * outside,
                "tanh": x.tanh,
            }[op]()
        return x

    return run


def probe(Notes, /, program, rows, outside):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_10_models.notes import written_down

    return str(written_down(Notes, grown(program, ml.tensor(outside)), ml.tensor(rows)))


def draws(rng):
    some = {
        "one op": ["tanh"],
        "a number": ["double"],
        "a tensor from outside": ["outside"],
        "the same tensor again": ["outside", "tanh", "outside"],
        "parameters": ["sum"],
        "ops of one name": ["double", "double", "tanh", "tanh"],
        "all": ["double", "sum", "outside", "tanh"],
        "at random": rng.choice(["double", "sum", "outside", "tanh"], 5).tolist(),
    }
    rows, outside = rng.normal(size=(2, 3)).tolist(), rng.normal(size=3).tolist()
    return {name: (program, rows, outside) for name, program in some.items()}
