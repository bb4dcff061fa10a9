"""The judge of lesson 12. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% foretell
title, points = "Foretell a sum", 2
hint = "A summed axis goes, or stays as 1; floats keep their dtype, everything else is summed as int64."


def probe(foretell_sum, /, cases):
    import minitorch_lab as ml

    from minitorch_lab.costmodel import count_flops
    from minitorch_lab.lessons.lesson_12_partition import check_foretelling
    from minitorch_lab.lessons.unaided import overheard

    foretell_sum, helpers = overheard(check_foretelling, foretell_sum)
    found = []
    with count_flops() as ran:
        for shape, dtype, axes, keepdims in cases:
            new, kind = foretell_sum(tuple(shape), getattr(ml, dtype), tuple(axes), keepdims)
            found.append([list(new), str(kind)])
    return found, len(ran.calls), helpers


def draws(rng):
    a, b, c = (rng.permutation(7)[:3] + 2).tolist()
    shapes = {
        "one axis of one": ([a], [0]),
        "the first of two": ([a, b], [0]),
        "the last": ([a, b, c], [-1]),
        "the middle one, from the end": ([a, b, c], [-2]),
        "two of three": ([a, b, c], [2, 0]),
        "two of three, from both ends": ([a, b, c], [0, -1]),
        "all": ([a, b], [0, 1]),
        "lengths of 1": ([1, a, 1], [2]),
        "none of the 1s": ([1, a, 1], [1]),
        "an axis without entries": ([a, 0, b], [1]),
        "four axes": ([a, b, c, a], [1, -1]),
        "no memory holds it": ([10**9, 10**10, 10**8], [1]),
    }
    dtypes = ("float32", "float16", "float64", "int32", "int64", "bool")
    found = {name: [[shape, "float32", axes, keep] for keep in (False, True)] for name, (shape, axes) in shapes.items()}
    found |= {dtype: [[[a, b], dtype, [1], keep] for keep in (False, True)] for dtype in dtypes}
    return {name: (cases,) for name, cases in found.items()}


# %% choose
title, points = "Choose what is saved", 4
hint = "Of all sets that are enough, the one with the fewest bytes."


def grown(program):
    def run(x):
        value = x
        for op in program:
            value = {
                "sin": lambda v=value: v.sin(),
                "exp": lambda v=value: v.exp(),
                "tanh": lambda v=value: v.tanh(),
                "sum": lambda v=value: v.sum(-1, keepdim=True),
                "gate": lambda v=value: v * v.sigmoid(),
            }[op]()
        return value

    return run


def joint(program, shape):
    import minitorch_lab as ml
    from minitorch_lab.lessons import lesson_12_partition as ahead

    return ahead.joint_of(grown(program), ml.ones(*shape))


def probe(choose, /, program, shape):
    from minitorch_lab.lessons.lesson_12_partition import check_choice
    from minitorch_lab.lessons.unaided import overheard

    choose, helpers = overheard(check_choice, choose)
    return [str(node) for node in choose(joint(program, shape))], helpers


def draws(rng):
    some = {
        "one op": ["sin"],
        "cheap ops in a row": ["sin", "exp", "tanh"],
        "a sum on the way": ["exp", "sum", "sin"],
        "a sum at the end": ["sin", "exp", "sum"],
        "a sum at the start": ["sum", "exp", "tanh"],
        "read twice": ["gate"],
        "read twice, after others": ["sin", "gate"],
        "at random": rng.choice(["sin", "exp", "tanh", "sum"], 3).tolist(),
    }
    shape = rng.integers(3, 9, 2).tolist()
    return {name: (program, shape) for name, program in some.items()} | {
        "one column": (["sin", "sum", "exp"], [shape[0], 1]),
    }


def agree(found, wanted, program, shape):
    """Any choice will do that is enough and has as few bytes as the reference's."""
    from minitorch_lab.lessons import lesson_12_partition as ahead

    here = reference(PROBE)
    both = here.joint(program, shape)
    (found, helpers), (wanted, _) = found, wanted
    nodes = {str(node): node for node in ahead.values(both)}
    if helpers or not set(found) <= nodes.keys() or len(set(found)) != len(found):
        return False
    saved, best = [nodes[name] for name in found], [nodes[name] for name in wanted]
    return ahead.enough(both, saved) and ahead.weight(saved) <= ahead.weight(best)


# %% again
title, points = "What is cheap", 3
hint = "A matmul is dear, and a draw of random numbers gives others the next time. The rest is cheap."


def joint(program, rows, width):
    import minitorch_lab as ml
    from minitorch_lab.lessons import lesson_12_partition as ahead

    def run(x, w):
        value = x
        for op in program:
            value = {
                "product": lambda v=value: v @ w,
                "back": lambda v=value: v @ w.T,
                "dice": lambda v=value: ml.nn.functional.dropout(v, 0.5),
                "sin": lambda v=value: v.sin(),
                "exp": lambda v=value: v.exp(),
                "tanh": lambda v=value: v.tanh(),
            }[op]()
        return value

    return ahead.joint_of(run, ml.ones(rows, width), ml.ones(width, rows))


def probe(again, /, program, rows, width):
    from minitorch_lab.lessons import lesson_12_partition as ahead
    from minitorch_lab.lessons.unaided import overheard

    again, helpers = overheard(ahead.check_again, again)
    both = joint(program, rows, width)
    return {str(node): again(node) for node in ahead.values(both) if node.kind == "call"}, helpers


def draws(rng):
    rows, width = (rng.permutation(6)[:2] + 3).tolist()
    some = {
        "a product and dice": ["product", "dice", "sin", "exp", "tanh"],
        "two products": ["product", "sin", "back", "exp", "tanh"],
        "two draws": ["product", "dice", "sin", "dice", "tanh"],
        "dice first": ["dice", "product", "tanh", "exp"],
        "no dice": ["product", "exp", "sin"],
    }
    return {name: (program, rows, width) for name, program in some.items()}


def agree(found, wanted, program, rows, width):
    """Any idea will do with which the min-cut keeps as few bytes and computes nothing dear or random again."""
    from minitorch_lab.compiler.autodiff.partition import min_cut_partition
    from minitorch_lab.lessons.values import truth

    both = reference(PROBE).joint(program, rows, width)
    (found, helpers), (wanted, _) = found, wanted
    if helpers or found.keys() != wanted.keys() or any(truth(answer) is None for answer in found.values()):
        return False
    mine, right = (min_cut_partition(both, 0.0, lambda node, a=a: truth(a[str(node)])) for a in (found, wanted))
    ops = {node.op.name for node in mine.recomputed if node.op is not None}
    return mine.nbytes <= right.nbytes and not ops & {"matmul", "uniform"}
