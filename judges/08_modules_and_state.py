"""The judge of lesson 08. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% registers
title, points = "A module that registers its parts", 3
hint = "Its own parameters first, then those of the modules inside; each tensor once, and nothing that was replaced."


def probe(Mini, /, program, later):
    from minitorch_lab.lessons.lesson_08_modules.registering import grown, pairs_of

    other = grown(Mini, later)
    model = grown(Mini, program)
    found = [pairs_of(each.named_parameters()) for each in (model, model, other)]
    same = [p is tensor for p, (_, tensor) in zip(model.parameters(), found[0], strict=True)]
    return [[[name, tensor.tolist()] for name, tensor in each] for each in found], same


def draws(rng):
    def sizes(count):
        return rng.permutation([1, 2, 3, 4, 5, 6])[:count].tolist()

    a, b, c, d = sizes(4)
    nest = [["module", "first", 0], ["parameter", "first.weight", a], ["module", "last", 0],
            ["parameter", "last.weight", b], ["parameter", "last.bias", c], ["parameter", "gain", d]]  # fmt: skip
    some = {
        "one parameter": [["parameter", "weight", a]],
        "a nest": nest,
        "four floors": [["module", "p", 0], ["module", "p.q", 0], ["module", "p.q.r", 0],
                        ["parameter", "p.q.r.weight", a], ["parameter", "p.q.weight", b], ["parameter", "bias", c]],
        "what is no parameter": [["tensor", "drift", a], ["list", "rows", 2], ["parameter", "weight", b],
                                 ["none", "no", 0]],
        "shared by two": [*nest, ["same", "last.weight", "first.weight"]],
        "shared with the top": [*nest, ["same", "first.weight", "gain"]],
        "a module twice": [["module", "left", 0], ["parameter", "left.weight", a], ["same", "right", "left"],
                           ["parameter", "right.bias", b]],
        "gone": [*nest, ["none", "last.weight", 0], ["none", "first", 0]],
        "replaced": [*nest, ["parameter", "gain", a], ["module", "last", 0], ["parameter", "last.weight", c]],
        "a parameter that became a module": [["parameter", "head", a], ["module", "head", 0],
                                             ["parameter", "head.weight", b], ["parameter", "bias", c]],
    }  # fmt: skip
    names = rng.permutation(["east", "west", "north", "south"]).tolist()
    some["names at random"] = [
        ["module", names[0], 0],
        ["parameter", names[1], a],
        ["module", f"{names[0]}.{names[2]}", 0],
        ["parameter", f"{names[0]}.{names[3]}", b],
        ["parameter", f"{names[0]}.{names[2]}.{names[1]}", c],
    ]
    return {name: (program, some["one parameter"]) for name, program in some.items()}


# %% state
title, points = "There and back", 3
hint = "Copies on the way out, under every name; on the way back into the tensors that are there, after a look at all."


def probe(snapshot, restore, /, kind, by, drop, add, strict):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_08_modules.states import built, moved
    from minitorch_lab.lessons.values import plain

    model = built(kind)
    parts = {name: id(p) for name, p in model.named_parameters()}
    taken = snapshot(model)
    first = sorted([str(name), plain(value)] for name, value in taken.items())
    moved(model, by)
    still = sorted([str(name), plain(value)] for name, value in taken.items())
    state = {name: ml.tensor(plain(value)) + 2 for name, value in taken.items() if name not in drop}
    for name, size in add:
        state[name] = ml.ones(size)
    kept = plain(state)
    try:
        report = [sorted(map(str, names)) for names in restore(model, state, strict)]
    except Exception as error:
        report = [name in str(error) for name in [*drop, *(name for name, _ in add)]]
    now = sorted([name, value.tolist()] for name, value in ml.nn.Module.state_dict(model).items())
    same = parts == {name: id(p) for name, p in model.named_parameters()}
    moved(model, by)
    return first, still, report, now, same, plain(state) == kept


def draws(rng):
    by = float(rng.integers(1, 9))
    some = {
        "flat": ("flat", [], [], True),
        "deep": ("deep", [], [], True),
        "with a count": ("counting", [], [], True),
        "tied": ("tied", [], [], True),
        "with a buffer that passes": ("passing", [], [], True),
        "nothing": ("bare", [], [], True),
        "one is missing": ("deep", ["body.1.1.bias"], [], True),
        "one too many": ("deep", [], [["tail.weight", 2]], True),
        "both": ("counting", ["norm.running_var"], [["norm.scale", 2]], True),
        "one is missing, and may be": ("counting", ["norm.num_batches_tracked"], [], False),
        "one too many, and may be": ("deep", [], [["tail.weight", 2]], False),
        "both, and may be": ("deep", ["head.weight"], [["top.weight", 2]], False),
        "another shape": ("flat", ["bias"], [["bias", 1]], False),
        "another shape, strict": ("deep", ["head.weight"], [["head.weight", 7]], True),
    }
    return {name: (kind, by, drop, add, strict) for name, (kind, drop, add, strict) in some.items()}


# %% norm
title, points = "A batch norm", 3
hint = "The batch is divided by its own deviation, over n; what is kept moves towards the variance over n − 1."


def probe(Norm, /, momentum, eps, weight, bias, batches, row):
    import minitorch_lab as ml

    norm = Norm(len(weight), momentum=momentum, eps=eps)
    with ml.no_grad():
        norm.weight.copy_(ml.tensor(weight))
        norm.bias.copy_(ml.tensor(bias))
    found = []
    for batch in batches:
        x = ml.tensor(batch, requires_grad=True)
        out = norm(x)
        (out * out * x).sum().backward()
        state = norm.state_dict()
        found.append([out.tolist(), x.grad.tolist(), state["running_mean"].tolist(), state["running_var"].tolist()])
    twin = Norm(len(weight), momentum=momentum, eps=eps)
    twin.load_state_dict(norm.state_dict())
    asked = [each.eval()(ml.tensor(rows)).tolist() for each in (norm, twin) for rows in ([row], batches[0])]
    after = [norm.state_dict()[name].tolist() for name in ("running_mean", "running_var")]
    again = norm.train()(ml.tensor(batches[0])).tolist()
    return found, asked, after, again, norm.running_mean.grad_fn is None, norm.weight.grad.tolist()


def draws(rng):
    def drawn(channels, *rows, scale=1.0, momentum=0.1, eps=1e-5):
        batches = [(scale * rng.normal(size=(n, channels)) + rng.normal(size=channels)).tolist() for n in rows]
        weight, bias, row = rng.normal(size=(3, channels)).tolist()
        return momentum, eps, weight, bias, batches, row

    return {
        "one batch": drawn(3, 5),
        "three batches": drawn(2, 4, 4, 4),
        "batches of other sizes": drawn(2, 2, 7, 3),
        "one channel": drawn(1, 6, 6),
        "it hardly varies": drawn(2, 4, scale=0.01, eps=0.01),
        "it varies much": drawn(2, 4, 4, scale=100.0),
        "another momentum": drawn(2, 3, 3, momentum=0.75),
        "all of momentum": drawn(2, 3, 3, momentum=1.0),
    }


# %% measured
title, points = "Measure from outside", 2
hint = "A hook for each module without modules inside; it adds to what is there, returns nothing, and is removed."


def probe(measured, /, widths, rows, floors, twice, double):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_08_modules.measuring import hooked

    act = ml.nn.ReLU()
    layers = []
    for k in range(len(widths) - 1):
        layers += [ml.nn.Linear(widths[k], widths[k + 1]), act if twice else ml.nn.ReLU()]
    model = ml.nn.Sequential(*layers)
    for _ in range(floors):
        model = ml.nn.Sequential(model, ml.nn.Flatten())
    kind = "float64" if double else "float32"
    model = model.to(dtype=kind)
    seen = []
    model.register_forward_hook(lambda module, args, out: seen.append(len(out)))
    sizes = measured(model, ml.ones(rows, widths[0], dtype=kind))
    after = hooked(model)
    try:
        measured(model, ml.ones(rows, widths[0] + 1, dtype=kind))
    except Exception:
        seen.append("stopped")
    return sorted([str(name), size] for name, size in sizes.items()), after, hooked(model), seen[:1]


def draws(rng):
    def drawn(count, floors=0, twice=False, double=False):
        return rng.integers(2, 9, count + 1).tolist(), int(rng.integers(1, 6)), floors, twice, double

    return {
        "one layer": drawn(1),
        "three layers": drawn(3),
        "on a floor": drawn(2, floors=1),
        "on three floors": drawn(1, floors=3),
        "one that is called often": drawn(3, twice=True),
        "often, on a floor": drawn(2, floors=1, twice=True),
        "another dtype": drawn(2, double=True),
    }


# %% adam
title, points = "Adam, and its state", 3
hint = "Two moments and a count, all three in state; both moments are corrected, and eps stands outside of the root."


def probe(adam, /, rounds, groups, stop):
    from minitorch_lab.lessons.lesson_08_modules.stepping import optimizer, stepped

    mine = optimizer(adam)
    return stepped(mine, rounds, groups), stepped(mine, rounds, groups, stop), stepped(mine, rounds, groups)


def draws(rng):
    def drawn(steps, *sizes, stop=1, scale=1.0, **settings):
        rounds = [[(scale * rng.normal(size=n)).tolist() for n in sizes] for _ in range(steps)]
        return rounds, [{"lr": 0.1, **settings} for _ in sizes], stop

    late = drawn(5, 2, 2, stop=3)
    late[0][0][1] = late[0][1][1] = None
    own = drawn(4, 1, 3, stop=2)
    own[1][1] |= {"lr": 0.02, "betas": [0.5, 0.75]}
    return {
        "one step": drawn(1, 3, stop=0),
        "several": drawn(6, 2, stop=3),
        "two parameters": drawn(4, 2, 3, stop=2),
        "one comes later": late,
        "groups of their own": own,
        "small gradients": drawn(4, 2, scale=1e-4, eps=0.001),
        "large gradients": drawn(4, 2, scale=1e4),
        "without momentum": drawn(4, 2, betas=[0.0, 0.4]),
        "gradients of zero": ([[[0.0, 1.0]], [[0.0, 0.0]], [[2.0, 0.0]]], [{"lr": 0.5, "eps": 0.01}], 2),
    }


def agree(found, wanted, rounds, groups, stop):
    """The resumed run is the whole one, bit for bit; and the numbers are Adam's."""
    return found[0] == found[1] == found[2] and alike(found[0], wanted[0])
