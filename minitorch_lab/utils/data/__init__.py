"""`ml.data` under PyTorch's name, for programs that say `from torch.utils.data import DataLoader`."""

from ...data import *  # noqa: F403
from ...data import __all__ as __all__
from . import dataloader as dataloader
from . import sampler as sampler
