"""The other implementations, and why one cannot be measured here."""

import os
import subprocess
from functools import cache

from mcbench.bench.measures import onedal
from mcbench.peers import kernlab, liblinear

#: How they are asked for on the command line, and how tables call them.
PEERS = {
    "kernlab": "kernlab",
    "scikit-learn": "scikit-learn SVC, one-vs-one",
    "onedal": "oneDAL SVC, one-vs-one",
    "liblinear": "LIBLINEAR -s 4",
}


@cache
def missing(peer: str) -> str:
    """Return why a peer cannot be measured here, "" when it can."""
    if peer == "kernlab":
        return kernlab.missing()
    if peer == "onedal":
        where = "the named interpreter" if os.environ.get(onedal.INTERPRETER) else "this Python"
        why = f"{where} has no scikit-learn-intelex ({onedal.INTERPRETER} names one that has)"
        return "" if onedal.importable() else why
    if peer == "liblinear":
        return "" if liblinear.program() else f"no program {' or '.join(liblinear.PROGRAMS)}"
    return ""


def versions() -> dict[str, str]:
    """Return the versions of the programs that are here."""
    found: dict[str, str] = {}
    if not missing("kernlab"):
        ask = 'cat(R.version$major, ".", R.version$minor, " ", sep = ""); '
        ask += 'cat(as.character(packageVersion("kernlab")))'
        said = subprocess.run(["Rscript", "--vanilla", "-e", ask], capture_output=True, text=True)
        r, _, kernlab = said.stdout.partition(" ")
        found |= {"R": r, "kernlab": kernlab}
    if not missing("onedal"):
        ask = "from importlib.metadata import version; print(version('scikit-learn-intelex'))"
        command = [onedal.interpreter(), "-c", ask]
        said = subprocess.run(command, capture_output=True, text=True, env=onedal.outside())
        found["scikit-learn-intelex"] = said.stdout.strip() or "unknown"
    return found
