"""The handwritten digits: a real dataset that fits into 45 KiB."""

from __future__ import annotations

from importlib.resources import files

from ..core.array import load_arrays
from ..ops.front import taught
from ..tensors.factories import tensor
from .dataset import TensorDataset


class Digits(TensorDataset):
    """1797 handwritten digits of 8 x 8 grey values, as rows of 64.

    Every fifth image of each class, in the order of the source, is held out: 1442 images to train on, 355 to test with.
    The split is the same for everybody. All 13 writers are on both sides: the test asks for new digits, not new hands.

    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998,
    doi 10.24432/C50P49, CC BY 4.0 (see digits.LICENSE.txt), as copied in scikit-learn.

    Args:
        train: True for the training images, False for those held out.

    Attributes:
        images: float32, (1442, 64) or (355, 64), from 0 (paper) to 1 (ink).
        labels: int64, (1442,) or (355,), from 0 to 9.

    Example:
        >>> import minitorch_lab as ml
        >>> digits = ml.data.Digits(train=True)
        >>> len(digits), digits.images.shape, digits.labels[:3].tolist()
        (1442, (1442, 64), [0, 1, 2])
    """

    @taught
    def __init__(self, train: bool = True) -> None:
        """Read the file that comes with the package."""
        with files("minitorch_lab.data").joinpath("digits.npz").open("rb") as file:
            whole = load_arrays(file)
        chosen = whole["held_out"] != train
        self.images = tensor(whole["images"][chosen].astype("float32") / 16)
        self.labels = tensor(whole["labels"][chosen].astype("int64"))
        super().__init__(self.images, self.labels)
