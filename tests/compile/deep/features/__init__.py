"""The features of random programs: each offers definitions, objects, expressions, statements and changes."""

from tests.compile.deep.features.changes import CHANGES
from tests.compile.deep.features.feature import Feature
from tests.compile.deep.features.objects import OBJECTS
from tests.compile.deep.features.python import PYTHON
from tests.compile.deep.features.tensors import TENSORS
from tests.compile.deep.features.training import TRAINING

ALL: dict[str, Feature] = TENSORS | PYTHON | OBJECTS | TRAINING | CHANGES
