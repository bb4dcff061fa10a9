"""Wrong uses of differentiation and of tensors: each a call, the error that answers it, and its words."""

from .tape import TAPE
from .tensors import TENSORS
from .transforms import TRANSFORMS
from .use import Use

USES: dict[str, Use] = {**TAPE, **TRANSFORMS, **TENSORS}
