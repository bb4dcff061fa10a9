"""PyTorch's own list of ops, with its own inputs, asked of both sides."""
