"""Data: the handwritten digits, datasets, samplers, and a loader that makes batches."""

from typing import TYPE_CHECKING

from ..ops.absent import answering
from .collate import default_collate, default_convert
from .combine import StackDataset, Subset, random_split
from .dataset import ChainDataset, ConcatDataset, Dataset, IterableDataset, TensorDataset
from .digits import Digits
from .loader import DataLoader
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from .worker_info import get_worker_info

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.data")

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "Digits",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]
