"""Solutions to 11_capture_guards_breaks: what stands after `# %% id` goes into the cell with that id."""

# %% guess-branch
ends_at = 10
graphs = 3

# %% anew-exercise
anew = {
    "scaled(ml.ones(2))": True,
    "scaled(5 * ml.ones(2))": False,
    "scaled(ml.ones(3))": True,
    "scaled(ml.ones(4))": False,
    "scaled(ml.ones(2).double())": True,
    "scaled(ml.ones(2, requires_grad=True))": True,
    "with ml.no_grad(): scaled(ml.ones(2))": True,
    "scaled(5 + ml.ones(2))": False,
    "scaled(ml.ones(2), 4)": True,
    "scaled(ml.ones(2), 5)": False,
    "rate = 10.0; scaled(ml.ones(2), 4)": False,
    "rate = 10; scaled(ml.ones(2), 4)": True,
}

# %% guess-closure
results = [3, 11, 9]
captured_in_all = 2


# %% guard-exercise
def holds(x, seen):
    return (
        type(x) is seen.type
        and x.shape == seen.shape
        and x.dtype == seen.dtype
        and x.stride() == seen.stride
        and x.device == seen.device
        and x.requires_grad == seen.requires_grad
    )


# %% graphs-exercise
graphs_of = {
    "prints": 2,
    "decides": 3,
    "unrolls": 1,
    "measures": 1,
    "asks": 2,
    "draws": 2,
    "helped": 2,
    "chooses": 1,
}

# %% guess-effects
entries_in_book = 6
printed = 2
graphs_of_diary = 2

# %% guess-error
line_of_the_error = "picky"


# %% whole-exercise
def damped_whole(x):
    largest = x.detach().abs().max()
    return x / largest.clamp(min=1) * 2


# %% guess-storm
captures_of_numbers = 9
captures_as_it_is = 2
captures_of_symbols = 1
all_right = "yes"

# %% guess-sizes
captures_of_gate = 2
asked_of_lengths = "s0 == s1"

# %% guess-dynamo
dynamo_graphs = 3
empty_ones = 1
continuations = 2

# %% guess-continuation
instructions = 4

# %% guess-print
argument = "y"
