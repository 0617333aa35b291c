"""The process in which a solver is checked: `python -m mcbench.gate.child PIPE FIRST OVERRIDES`.

It writes what it found, a line of JSON for each check, to the pipe that it inherits; what the
solver prints goes elsewhere.
"""

import os
import sys
from typing import Any

from mcbench.config import resolve
from mcbench.errors import SolverUnavailable
from mcbench.estimator import complete
from mcbench.files import to_json
from mcbench.gate.candidate import Candidate
from mcbench.gate.gate import CHECKS, finding


def main(arguments: list[str]) -> int:
    """Make all checks from the first one asked for, a number from 0."""
    pipe, first, *overrides = arguments

    def say(**message: Any) -> None:
        os.write(int(pipe), to_json(message).encode() + b"\n")

    try:
        candidate = Candidate(complete(resolve(overrides)))
        for name in list(CHECKS)[int(first) :]:
            found = finding(name, candidate)
            say(check=found.check, verdict=found.verdict, why=found.why)
    except SolverUnavailable as error:
        say(unavailable=str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
