"""The judge of lesson 11. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% anew
title, points = "Which calls are captured anew", 3
hint = "What a graph takes for granted is asked in every call, and nothing else."


def probe(anew, /):
    return anew


# %% guard
title, points = "A guard of your own", 4
hint = "Type, shape, dtype, strides, device and requires_grad: all of them, and nothing more."


def probe(holds, /, cases):
    import minitorch_lab as ml
    from minitorch_lab.lessons.capturing import Seen

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
        }
        answers.append(bool(holds(x, Seen(**(seen | ({change: other[change]} if change else {}))))))
    return answers


def draws(rng):
    changes = ["", "type", "shape", "dtype", "stride", "device", "requires_grad", ""]
    for _ in range(3):
        cases = [
            ["Tensor", rng.integers(1, 5, 2).tolist(), str(rng.choice(["float32", "float64"])),
             bool(rng.integers(0, 2)), bool(rng.integers(0, 2)), changes[k]]
            for k in rng.permutation(len(changes))
        ]  # fmt: skip
        yield (cases,)


# %% graphs
title, points = "How many graphs", 3
hint = "A graph ends where Python must know a number, or does something that shows."


def probe(graphs_of, /):
    return graphs_of


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
    for scale in (0.2, 1.0, 9.0, 0.0):
        yield ((rng.normal(size=4) * scale).tolist(),)
