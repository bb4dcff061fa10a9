"""Make minitorch_lab/data/digits.npz from scikit-learn's copy of the UCI digits. Users never run it.

    python bench/make_digits.py

The file holds three arrays: images uint8 (1797, 64), one row of 8 x 8 counts 0..16 per digit; labels uint8 (1797,);
held_out bool (1797,), True for every fifth image of each class in the order of the source. Nothing is random.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

TARGET = Path(__file__).parent.parent / "minitorch_lab" / "data" / "digits.npz"


def every_fifth_of_each_class(labels):
    """A mask with the images 4, 9, 14, ... of each class, counted within that class."""
    mask = np.zeros(len(labels), dtype=bool)
    for digit in range(10):
        mask[np.flatnonzero(labels == digit)[4::5]] = True
    return mask


def main():
    source = load_digits()
    images, labels = source.data.astype(np.uint8), source.target.astype(np.uint8)
    assert (images == source.data).all()
    assert images.max() == 16
    np.savez_compressed(TARGET, images=images, labels=labels, held_out=every_fifth_of_each_class(labels))
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes, {len(images)} images")


if __name__ == "__main__":
    main()
