"""Data: the handwritten digits, datasets, and a loader that makes batches."""

from .dataset import Dataset, TensorDataset
from .digits import Digits
from .loader import DataLoader

__all__ = ["DataLoader", "Dataset", "Digits", "TensorDataset"]
