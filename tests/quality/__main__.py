"""Print how well mnemo finds what questions ask for: `python -m tests.quality DIR [--no-ablations]`.

`DIR` holds sets of questions as described in `tests/quality/data.py`.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from tests.quality.ablations import ABLATIONS, IN_DOCUMENTS, without
from tests.quality.data import read_sets
from tests.quality.measures import Quality, measure
from tests.quality.systems import BASELINES, Mnemo


def _row(name: str, qualities: Mapping[str, Quality]) -> None:
    print(f"{name:28s}" + "".join(f" | {quality}" for quality in qualities.values()), flush=True)


def main(arguments: list[str]) -> int:
    """Measure and print; return the exit status."""
    folders = [Path(argument) for argument in arguments if not argument.startswith("-")]
    if len(folders) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    sets = list(read_sets(folders[0]))
    with Mnemo() as mnemo:
        by_set, pooled = measure(mnemo, sets)
        print("recall@5, recall@10 and MRR@10")
        for name, quality in by_set.items():
            print(f"{name:36s} {quality}  {quality.questions} questions")
        print("\npooled" + " " * 22 + "".join(f" | {group:17s}" for group in pooled))
        _row("mnemo", pooled)
        for name, system in BASELINES.items():
            try:
                _row(name, measure(system, sets)[1])
            except ModuleNotFoundError as error:
                print(f"{name:28s} | left out: {error.name} is not installed; `nox -s quality` installs it")
        if "--no-ablations" not in arguments:
            print("\nmnemo without")
            for part in ABLATIONS:
                with without(part), Mnemo() as fresh:
                    _row(part, measure(fresh if part in IN_DOCUMENTS else mnemo, sets)[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
