"""The judge of lesson 10. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% times
title, points = "When your lines run", 3
hint = "Do the lines run while the program is made, and do they run when it is used?"


def probe(times, /):
    def settled(answer):
        return answer.strip().lower() if isinstance(answer, str) else answer

    return {style: {row: settled(answer) for row, answer in rows.items()} for style, rows in times.items()}


# %% mended
title, points = "A choice that can be traced", 2
hint = "ml.where makes the choice an op; the condition is a tensor."


def probe(mended, /, rows):
    import minitorch_lab as ml

    traced = ml.jit.trace(mended, ml.tensor(rows[0]))
    return [[mended(ml.tensor(row)).tolist(), traced(ml.tensor(row)).tolist()] for row in rows]


def draws(rng):
    for n in (1, 3):
        rows = rng.normal(size=(4, n))
        rows[0] = np.abs(rows[0])
        rows[1] = -np.abs(rows[1])
        yield (rows.tolist(),)


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
    for scale in (0.5, 5.0, 80.0):
        yield (rng.normal(size=3) * scale).tolist(), float(rng.uniform(0.5, 3.0))
    yield [2.0, -float(rng.uniform(0, 1))], 2.0  # at the limit itself


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

    x = ml.tensor(rows)
    graph = ml.jit.trace(grown(program, ml.tensor(outside)), x).graph
    pair = ml.jit.trace(lambda x: (x + 1, x * x), x).graph
    first, second = evaluate(pair, [x * 2])
    return evaluate(graph, [x * 2]).tolist(), first.tolist(), second.tolist()


def draws(rng):
    for steps in (1, 3, 5):
        ops = rng.choice(["mul", "sub", "sum", "outside", "shift"], steps).tolist()
        program = [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)]
        yield program, rng.normal(size=(2, 3)).tolist(), rng.normal(size=3).tolist()


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
    from minitorch_lab.lessons.the_notes import written_down

    return str(written_down(Notes, grown(program, ml.tensor(outside)), ml.tensor(rows)))


def draws(rng):
    for steps in (1, 3, 5):
        program = rng.choice(["double", "sum", "outside", "tanh"], steps).tolist()
        yield program, rng.normal(size=(2, 3)).tolist(), rng.normal(size=3).tolist()
