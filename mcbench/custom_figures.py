"""Figures of other packages and of the user's files.

A figure is a function of runs that returns a matplotlib figure; what it gets is what the items of
papers get, `mcbench.results.Results`:

    def errors(results):
        figure = matplotlib.figure.Figure()
        figure.subplots().hist(results.frame["error.test"])
        return figure

An entry point of the group `mcbench.figures` gives it a name for `mcbench plot`; one in a file of
the user's is asked for by its dotted name, e.g. `my_figures.errors`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcbench.errors import SolverUnavailable, UserError
from mcbench.locate import locate
from mcbench.plugins import plugins

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from mcbench.store import Store


class Kinds:
    """The figures that may be asked for: mcbench's own, those of plug-ins, any dotted name.

    Parameters
    ----------
    *own : str
        Names of mcbench's own.
    """

    def __init__(self, *own: str) -> None:
        self.own = own

    def __contains__(self, name: object) -> bool:
        return name in tuple(self) or "." in str(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.own, *plugins("figures")]))


def drawn(name: str, frame: "pd.DataFrame", store: "Store") -> "Figure":
    """Return the figure that a plug-in or a function of the user's draws of runs.

    Parameters
    ----------
    name : str
        The name of a plug-in, or a dotted name.
    frame : DataFrame
        Finished runs, one row each.
    store : Store
        Has their traces and predictions.

    Raises
    ------
    UserError
        When there is no such function, or it fails or returns no figure.
    """
    from matplotlib.figure import Figure

    from mcbench.results import Results
    from mcbench.style import paper_style

    declared = plugins("figures")
    try:
        function = locate(declared[name].target if name in declared else name)
    except SolverUnavailable as error:
        raise UserError(str(error)) from error
    try:
        with paper_style():
            figure = function(Results("", frame.assign(part=""), store))
    except Exception as error:
        text = " ".join(str(error).split()).rstrip(".")
        raise UserError(f"The figure {name} failed: {type(error).__name__}: {text}.") from error
    if not isinstance(figure, Figure):
        raise UserError(
            f"The figure {name} returned {type(figure).__name__}: it must return a matplotlib "
            "Figure."
        )
    return figure
