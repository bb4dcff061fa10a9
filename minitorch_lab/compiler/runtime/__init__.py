"""What a compiled region is while it runs: one node of the tape, with its kernels, its modes and its checks."""
