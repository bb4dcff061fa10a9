"""What lesson 12, "The joint graph and its partition", uses."""

from __future__ import annotations

from ..charts import budget_curve
from .cut import check_again, check_choice, enough, entries, fewest, joint_of, nodes, values, weight, workspace
from .fakes import check_foretelling, fake, foretell
from .network import drawn

__all__ = [
    "budget_curve", "check_again", "check_choice", "check_foretelling", "drawn", "enough", "entries", "fake", "fewest",
    "foretell", "joint_of", "nodes", "values", "weight", "workspace",
]  # fmt: skip
