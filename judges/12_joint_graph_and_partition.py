"""The judge of lesson 12. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% foretell
title, points = "Foretell a sum", 2
hint = "A summed axis goes, or stays as 1; floats keep their dtype, everything else is summed as int64."


def probe(foretell_sum, /, cases):
    import minitorch_lab as ml

    found = []
    for shape, dtype, axes, keepdims in cases:
        new, kind = foretell_sum(tuple(shape), getattr(ml, dtype), tuple(axes), keepdims)
        found.append([list(new), str(kind)])
    return found


def draws(rng):
    cases = []
    for dtype in ("float32", "float16", "float64", "int32", "int64", "bool"):
        shape = rng.integers(1, 9, int(rng.integers(2, 5))).tolist()
        axes = rng.permutation(len(shape))[: int(rng.integers(1, len(shape)))]
        signed = [int(a) - len(shape) * int(rng.integers(0, 2)) for a in axes]
        cases.append([shape, dtype, signed, bool(rng.integers(0, 2))])
    yield (cases,)


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
    from minitorch_lab.lessons import ahead

    return ahead.joint_of(grown(program), ml.ones(*shape))


def probe(choose, /, program, shape):
    return [str(node) for node in choose(joint(program, shape))]


def draws(rng):
    for steps in (2, 3, 3):
        program = rng.choice(["sin", "exp", "tanh", "sum"], steps).tolist()
        yield [*program, *(["gate"] if steps == 2 else [])], rng.integers(2, 9, 2).tolist()


def agree(found, wanted, program, shape):
    """Any choice will do that is enough and has as few bytes as the reference's."""
    from minitorch_lab.lessons import ahead

    here = reference(PROBE)
    both = here.joint(program, shape)
    nodes = {str(node): node for node in ahead.values(both)}
    if not set(found) <= nodes.keys() or len(set(found)) != len(found):
        return False
    saved, best = [nodes[name] for name in found], [nodes[name] for name in wanted]
    return ahead.enough(both, saved) and ahead.weight(saved) <= ahead.weight(best)


# %% again
title, points = "What is cheap", 3
hint = "A matmul is dear, and a draw of random numbers gives others the next time. The rest is cheap."


def joint(rows, width):
    import minitorch_lab as ml
    from minitorch_lab.lessons import ahead

    def with_dice(x, w):
        return ml.nn.functional.dropout(x @ w, 0.5).sin().exp().tanh()

    return ahead.joint_of(with_dice, ml.ones(rows, width), ml.ones(width, rows))


def probe(again, /, rows, width):
    from minitorch_lab.lessons import ahead

    both = joint(rows, width)
    return {str(node): again(node) for node in ahead.values(both) if node.kind == "call"}


def draws(rng):
    yield tuple(rng.integers(3, 9, 2).tolist())


def agree(found, wanted, rows, width):
    """Any idea will do with which the min-cut keeps as few bytes and computes nothing dear or random again."""
    from minitorch_lab.compile.partition import min_cut_partition

    both = reference(PROBE).joint(rows, width)
    if found.keys() != wanted.keys() or not all(isinstance(answer, bool) for answer in found.values()):
        return False
    mine, right = (min_cut_partition(both, 0.0, lambda node, a=a: a[str(node)]) for a in (found, wanted))
    ops = {node.op.name for node in mine.recomputed if node.op is not None}
    return mine.nbytes <= right.nbytes and not ops & {"matmul", "uniform"}
