"""The judge of lesson 11. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% anew
title, points = "Which calls are captured anew", 3
hint = "What a graph takes for granted is asked in every call, and nothing else."


def probe(anew, /):
    return anew


def agree(found, wanted):
    """By value, and words whatever their case and the spaces around them."""
    from minitorch_lab.lessons.values import alike

    return alike(found, wanted)


# %% guard
title, points = "A guard of your own", 4
hint = "Type, shape, dtype, strides, device and requires_grad: all of them, and nothing more."


def probe(holds, /, cases):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_11_capture import Seen

    answers = []
    for kind, shape, dtype, turned, wanted, change in cases:
        x = ml.zeros(*shape, dtype=getattr(ml, dtype))
        x = (x.T if turned else x).detach().requires_grad_(wanted)
        x = ml.nn.Parameter(x) if kind == "Parameter" else x
        seen = {
            "type": type(x), "shape": tuple(x.shape), "dtype": x.dtype, "stride": tuple(x.stride()),
            "device": x.device, "requires_grad": x.requires_grad,
        }  # fmt: skip
        other = {
            "type": ml.Tensor if kind == "Parameter" else ml.nn.Parameter,
            "shape": (*seen["shape"][1:], seen["shape"][0] + 1),
            "dtype": ml.float32 if dtype == "float64" else ml.float64,
            "stride": tuple(step + 1 for step in seen["stride"]),
            "device": "elsewhere",
            "requires_grad": not wanted,
            "less shape": seen["shape"][:1],
            "less stride": tuple(step - 1 for step in seen["stride"]),
            "less device": "another",
            "turned stride": seen["stride"][::-1] if seen["stride"][0] != seen["stride"][-1] else (9, 9),
            "turned shape": seen["shape"][::-1] if seen["shape"][0] != seen["shape"][-1] else (9, 9),
        }
        told = {change.rpartition(" ")[2]: other[change]} if change else {}
        answers.append(bool(holds(x, Seen(**(seen | told)))))
    return answers


def draws(rng):
    changes = ["", "type", "shape", "dtype", "stride", "device", "requires_grad", ""]
    changes += ["less shape", "less stride", "less device", "turned stride", "turned shape"]

    def changed(kind, shape, dtype="float32", turned=False, wanted=False):
        return ([[kind, shape, dtype, turned, wanted, changes[k]] for k in rng.permutation(len(changes))],)

    rows, columns = int(rng.integers(2, 4)), int(rng.integers(4, 7))
    return {
        "a matrix": changed("Tensor", [rows, columns]),
        "a transpose": changed("Tensor", [rows, columns], turned=True),
        "a square": changed("Tensor", [rows, rows], turned=True),
        "doubles": changed("Tensor", [rows, columns], "float64"),
        "a leaf": changed("Tensor", [rows, columns], wanted=True),
        "a parameter": changed("Parameter", [rows, columns], wanted=True),
        "a frozen parameter": changed("Parameter", [rows, columns]),
        "one entry": changed("Tensor", [1, 1]),
        "none": changed("Tensor", [0, columns]),
    }


# %% graphs
title, points = "How many graphs", 3
hint = "A graph ends where Python must know a number, or does something that shows."


def probe(graphs_of, /):
    return graphs_of


def agree(found, wanted):
    """By value, and words whatever their case and the spaces around them."""
    from minitorch_lab.lessons.values import alike

    return alike(found, wanted)


# %% whole
title, points = "A function made whole", 3
hint = "A clamped maximum, detached, is the number to divide by."


def probe(damped_whole, /, entries):
    import minitorch_lab as ml

    whole = ml.compile(damped_whole, fullgraph=True)
    x = ml.tensor(entries, requires_grad=True)
    y = whole(x)
    y.sum().backward()
    return damped_whole(ml.tensor(entries)).tolist(), y.tolist(), x.grad.tolist()


def draws(rng):
    entries = rng.uniform(0.25, 0.75, 3)
    return {
        "small": (entries.tolist(),),
        "large": ((entries * 20).tolist(),),
        "the largest below 0": ([0.5, float(rng.uniform(-9.0, -3.0)), 2.0],),
        "all below 0": ((entries * -20).tolist(),),
        "zeros": ([0.0, 0.0],),
        "exactly 1": ([1.0, 0.5],),
        "two largest": ([4.0, -4.0, 1.0],),
        "one number": ([-3.0],),
    }
