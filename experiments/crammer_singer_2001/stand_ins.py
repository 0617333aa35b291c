"""What a figure says when it does not show the paper's own data."""

from mcbench.results import Results


def note(results: Results, *, paper: str = "mnist") -> str:
    """A sentence that names the stand-ins for the paper's data; empty when there are none."""
    names = sorted(set(results.frame["data.name"])) if len(results.frame) else []
    others = [name for name in names if name != paper]
    return f"in place of the paper's {paper}: {', '.join(others)}" if others else ""
