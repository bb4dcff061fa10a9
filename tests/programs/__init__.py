"""Ten training programs, written as users write them. `make(compile, dtype)` of each gives what trains on one batch.

It gives `train`, which takes the arrays of a batch and returns the losses as floats, `batch`, which draws the arrays of
a batch of `n`, and the modules whose weights are trained. Whatever is handed to `compile` may come back compiled.
"""

NAMES = ("gpt", "rnn", "lstm", "gru", "cnn", "vae", "gan", "dqn", "diffusion", "ode")
