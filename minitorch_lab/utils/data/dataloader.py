"""The loader and what makes batches for it, under PyTorch's name: `from torch.utils.data.dataloader import ...`."""

from ...data import DataLoader, default_collate, default_convert, get_worker_info

__all__ = ["DataLoader", "default_collate", "default_convert", "get_worker_info"]
