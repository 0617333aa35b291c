"""Where the runs behind results come from: machines, versions, commits, each with its runs."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from mcbench.record import Record

#: What is said of a machine; not its name in a network.
MACHINE = ("cpu", "cores", "memory_mb", "architecture", "system", "distribution", "id")


def origins(records: Iterable[Record]) -> dict[str, list[dict[str, Any]]]:
    """Return the distinct machines, software, commits and threads of runs.

    Parameters
    ----------
    records : iterable of Record
        The runs.

    Returns
    -------
    dict
        `machines`, `software` (Python, mcbench and packages), `commits` (with `dirty`: whether
        files had changed since) and `threads`: each a list of mappings in which `runs` says how
        many runs it holds for, the commonest first.
    """
    found: dict[str, Counter[tuple[tuple[str, Any], ...]]] = {
        name: Counter() for name in ("machines", "software", "commits", "threads")
    }
    for record in records:
        provenance = record.get("provenance") or {}
        machine = provenance.get("machine") or {}
        protocol = record.config.get("protocol") or {}
        software = {
            name: provenance.get(name) for name in ("mcbench", "python") if name in provenance
        }
        parts = {
            "machines": {name: machine[name] for name in MACHINE if name in machine},
            "software": {**software, **(provenance.get("packages") or {})},
            "commits": provenance.get("git") or {},
            "threads": {"threads": protocol.get("threads")},
        }
        for name, part in parts.items():
            if part:
                found[name][tuple(part.items())] += 1
    return {
        name: [
            {**dict(part), "runs": runs}
            for part, runs in sorted(counter.items(), key=lambda item: (-item[1], str(item[0])))
        ]
        for name, counter in found.items()
    }
