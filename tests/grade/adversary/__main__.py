"""`python -m tests.grade.adversary [LEVEL …]` tries every case at each level, and prints what is counted."""

from __future__ import annotations

import os
import sys

from tests.grade.adversary.suite import LEVELS, scored
from tests.grade.adversary.trials import world

who = "root" if os.getuid() == 0 else f"user {os.getuid()}"
failed = False
for level in sys.argv[1:] or LEVELS:
    with world() as here:
        score = scored(here, level)
    print(f"{who}, {level}: {score.row()}", *score.wrong, sep="\n  ", flush=True)
    failed = failed or bool(score.wrong)
sys.exit(failed)
