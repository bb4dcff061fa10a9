"""Solutions to the exercises of 05_autograd_internals: what stands after `# %% id` goes into the cell with that id."""

import math

import minitorch_lab as ml
import minitorch_lab.lessons.lesson_05_internals as lesson

# %% guess-mystery
formula = "(3 * x) ** 2"
gradient_of_x = 36

# %% guess-wants
sqrt_wants = "out"
matmul_for_x = "y"

# %% guess-leaf
grad_of_h = "nothing"
grad_of_k = 6

# %% switches-exercise
answers = {
    "twice": "an error",
    "twice, retained": 8,
    "two losses": 5,
    "two losses, emptied": 3,
    "h.grad": "nothing",
    "h.grad, retained": 12,
    "detach": 6,
    "no_grad": 6,
    "frozen": "nothing",
    "inference_mode": "an error",
}

# %% guess-hooks
clamp_first = 10
clamp_last = 2


# %% clip-exercise
def clip(g):
    return g / (g * g).sum().sqrt().clamp(min=1)


# %% guess-node
calls = 1
it_sees = 3


# %% watch-exercise
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g, node=node: log.append((node.name(), lesson.size(g))))


# %% guess-fading
factor = "about 17 million"

# %% guess-module
first_to_go_back = "last"
it_passes_on = (8, 3)

# %% guess-straight
by_the_true_rule = 1
straight_through = 6

# %% guess-several
it_gets_for_c = 0


# %% careful-exercise
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.tanh()


# %% guess-gradcheck
log_cosh_passes = "yes"
straight_sign_passes = "no"
halved_passes = "no"


# %% spoiled-exercise
def remember(root):
    return {
        (node, name): kept.detach().clone()
        for node in lesson.order_of(root)
        for name, kept in node.saved_tensors.items()
        if isinstance(kept, ml.Tensor)
    }


def spoiled(root, memory):
    return [
        f"{node.name()} {name}"
        for (node, name), before in memory.items()
        if (node.saved_tensors[name].detach() != before).any()
    ]


# %% guess-packing
bytes_kept = 8000
handed_over = 3


# %% packing-exercise
def pack(t):
    largest = t.abs().max().item() or 1.0
    return largest, (t / largest).numpy().astype("float16")


def unpack(parcel):
    largest, entries = parcel
    return ml.tensor(entries.astype("float32")) * largest


# %% guess-second
gradient_of_penalty = 36

# %% guess-unused
for_b = "an error"


# %% newton-exercise
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (x - slope / bend).detach()


# %% guess-nan
first_entry = "nan"
