"""What stands below a figure: its runs, and what it shows in place of the paper's own data."""

from matplotlib.figure import Figure

from mcbench.results import Results
from mcbench.style import stamp

PAPERS_DATA = "mnist"


def stamp_results(figure: Figure, results: Results, *notes: str) -> None:
    """Write below a figure the stand-ins for the paper's data, other notes, profile and runs."""
    frame = results.frame
    others = sorted(set(frame["data.name"]) - {PAPERS_DATA})
    stand_ins = f"in place of the paper's {PAPERS_DATA}: {', '.join(others)}" if others else ""
    stamp(
        figure,
        profile=results.profile,
        data=list(frame["data.title"]),
        runs=list(frame["id"]),
        note="; ".join(filter(None, [stand_ins, *notes])),
    )
