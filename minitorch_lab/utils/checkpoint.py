"""Checkpoints under PyTorch's name: `from torch.utils.checkpoint import checkpoint`."""

from ..autograd import checkpoint, checkpoint_sequential

__all__ = ["checkpoint", "checkpoint_sequential"]
