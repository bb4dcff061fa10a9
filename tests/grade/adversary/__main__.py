"""`python -m tests.grade.adversary [LEVEL …] [PART/PARTS]` tries every case at each level, and prints what is counted.

Root tries them as an ordinary user, too.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.grade.adversary.suite import LEVELS, ROOT, scored
from tests.grade.adversary.trials import world


def main(words: list[str]) -> int:
    """Try the cases, and return 1 if anything went wrong."""
    levels = [word for word in words if word in LEVELS] or list(LEVELS)
    part, parts = next((map(int, word.split("/")) for word in words if "/" in word), (0, 1))
    failed = False
    for level in levels:
        with world() as here:
            score = scored(here, level, part, parts)
        who = "root" if ROOT else "an ordinary user"
        print(f"{who}, {level}: {score.row()}", *score.wrong, sep="\n  ", flush=True)
        failed = failed or bool(score.wrong)
    if ROOT:
        ordinary = [sys.executable, "-m", "tests.grade.adversary.ordinary", "-m", "tests.grade.adversary", *words]
        failed = bool(subprocess.run(ordinary, env=os.environ).returncode) or failed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
