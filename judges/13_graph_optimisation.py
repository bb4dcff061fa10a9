"""The judge of lesson 13. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% found
title, points = "Find the wrong rewrites", 4
hint = "Ask for every number that a float can be: 0, −0.0, very large ones, and what x holds afterwards."


def probe(found, /):
    return found


def agree(found, wanted):
    """Numbers for which the two sides differ: tried here, whatever the student's process says of them."""
    from minitorch_lab.lessons.lesson_13_passes.equals import CLAIMS, wrong

    if found.keys() != CLAIMS.keys():
        return False
    short = all(not isinstance(answer, list) or len(answer) <= 1000 for answer in found.values())
    return short and all(answer is not None and wrong(name, answer) is None for name, answer in found.items())


# %% rewrite
title, points = "A rewrite as two functions", 3
hint = "The first function is the softmax as it is written in the graph; the second is the op that does it all."


def probe(before, after, /, entries):
    import minitorch_lab as ml
    from minitorch_lab.compiler.passes.patterns import replace_pattern
    from minitorch_lab.lessons.lesson_13_passes import attention, graph_of

    x = ml.tensor(entries)
    graph = graph_of(attention, ml.ones(6, 4), ml.ones(5, 4), ml.ones(5, 3))
    rewritten = replace_pattern(graph, before, after)
    ops = sorted(node.op.name for node in rewritten.graph.calls)
    return before(x).tolist(), after(x).tolist(), rewritten.times, len(ops), "amax" in ops


def draws(rng):
    def drawn(*shape):
        return (rng.normal(size=shape).tolist(),)

    return {
        "a matrix": drawn(2, 3),
        "a narrow one": drawn(4, 2),
        "a square": drawn(3, 3),
        "one row": drawn(1, 4),
        "one column": drawn(3, 1),
        "large": ([[1000.0, 999.0], [-1000.0, 0.0]],),
        "all the same": ([[2.0, 2.0, 2.0]] * 2,),
    }


# %% share
title, points = "A pass that shares", 4
hint = "The key is the op, its new inputs in their order, its parameters, and whether it is recorded."


def grown(program):
    def run(x, y):
        values = [x, y]
        for op, i, j in program:
            a, b = values[i], values[j]
            values.append(
                {
                    "mul": lambda a=a, b=b: a * b,
                    "sub": lambda a=a, b=b: a - b,
                    "sin": lambda a=a: a.sin(),
                    "sum0": lambda a=a: a + a.sum(dim=0, keepdim=True),
                    "sum1": lambda a=a: a + a.sum(dim=1, keepdim=True),
                }[op]()
            )
        return values[-1] + values[-2]

    return run


def probe(share, /, program, first, second):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_13_passes import check_share, graph_of
    from minitorch_lab.lessons.unaided import overheard

    share, helpers = overheard(check_share, share)
    x, y = ml.tensor(first), ml.tensor(second)
    graph = graph_of(grown(program), x, y)
    before = str(graph)
    new = share(graph)
    compiled = ml.compile(grown(program), options={"passes": [share]})
    compiled(x, y)
    return compiled(x, y).tolist(), sorted(node.op.name for node in new.calls), before == str(graph), helpers


def draws(rng):
    some = {
        "nothing to share": [["mul", 0, 1], ["sin", 0, 0]],
        "the same twice": [["sin", 0, 0], ["sin", 0, 0]],
        "the same three times": [["mul", 0, 1], ["mul", 0, 1], ["mul", 0, 1]],
        "inputs in the other order": [["sub", 0, 1], ["sub", 1, 0]],
        "another input": [["sub", 0, 0], ["sub", 0, 1], ["sub", 1, 1]],
        "other parameters": [["sum0", 0, 0], ["sum1", 0, 0]],
        "the same parameters": [["sum0", 0, 0], ["sum0", 0, 0], ["sum1", 1, 1], ["sum1", 1, 1]],
        "what is the same after sharing": [["sin", 0, 0], ["sin", 0, 0], ["mul", 2, 0], ["mul", 3, 0]],
        "another op": [["mul", 0, 1], ["sub", 0, 1]],
        "in three steps": [["sin", 0, 0], ["sin", 0, 0], ["sin", 2, 2], ["sin", 3, 3], ["sub", 4, 1], ["sub", 5, 1]],
    }
    ops = rng.choice(["mul", "sub", "sin", "sum0", "sum1"], 7).tolist()
    some["at random"] = [[op, *rng.integers(0, min(2 + k, 3), 2).tolist()] for k, op in enumerate(ops)]
    first, second = rng.normal(size=(2, 2, 3)).tolist()
    return {name: (program, first, second) for name, program in some.items()}
