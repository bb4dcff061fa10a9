"""What lesson 12, "The joint graph and its partition", uses."""

from __future__ import annotations

from .charts import budget_curve
from .network import drawn
from .the_cut import check_again, check_choice, enough, fewest, joint_of, region, values, weight
from .the_fakes import check_foretelling, fake, foretell

__all__ = [
    "budget_curve", "check_again", "check_choice", "check_foretelling", "drawn", "enough", "fake", "fewest",
    "foretell", "joint_of", "region", "values", "weight",
]  # fmt: skip
