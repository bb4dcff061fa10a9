"""Shrink what was found, one program for each sort of difference: `python -m tests.compile.deep.triage FILE`."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

from tests.compile.deep.observe import differences
from tests.compile.deep.shrink import kind, shrink
from tests.compile.deep.write import program

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda _: None
    seeds = sys.argv[1:]
    if len(seeds) == 1 and not seeds[0].isdigit():
        lines = map(json.loads, Path(seeds[0]).read_text().splitlines())
        seeds = list(dict.fromkeys(line["seed"] for line in lines if "kind" in line))
    seen = set()
    for seed in map(int, seeds):
        for order in (("machine",), ("numpy",), ("llvm",)):
            found = differences(program(seed), order)
            if found:
                if kind(found[0]) not in seen or kind(found[0])[1] != "the error" or kind(found[0])[2] == "none":
                    text = shrink(program(seed), found[0], 45)
                    said = str(differences(text, order)[0])[-1500:].replace("\n", "\n# ")
                    print(f"# ---- {seed}\n{text}\n# {said}\n", flush=True)
                else:
                    print(f"# ---- {seed}: again {kind(found[0])}", flush=True)
                seen.add(kind(found[0]))
                break
