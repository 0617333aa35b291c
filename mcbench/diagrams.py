"""Diagrams of statistical comparisons."""

from typing import TYPE_CHECKING

import numpy as np

from mcbench.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from mcbench.statistics import Friedman


def critical_difference(found: "Friedman", title: str = "") -> "Figure":
    """Draw the mean ranks of methods; a bar joins those that do not differ significantly.

    Parameters
    ----------
    found : Friedman
        The comparison.
    title : str
        Written above.

    References
    ----------
    J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
    Learning Research 7, 2006, figure 1.
    """
    import scikit_posthocs
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 1.1 + 0.28 * found.k), layout="constrained")
    axes = figure.add_subplot()
    drawn = scikit_posthocs.critical_difference_diagram(
        found.ranks,
        found.pairs,
        ax=axes,
        label_fmt_left="{label} ({rank:.2f})",
        label_fmt_right="({rank:.2f}) {label}",
        color_palette=[COLOURS[0]] * found.k,
        crossbar_props={"color": "black", "linewidth": 2.5, "marker": None},
    )
    for bar in np.ravel(drawn["crossbars"]):
        # Its points come in the order of a set of names, which is another one in each process.
        bar.set_xdata(np.sort(bar.get_xdata()))
    axes.grid(visible=False)
    axes.set_title(title)
    axes.set_xlabel(
        f"mean rank of {found.k} methods on {found.n} data sets (1: least error);\n"
        f"critical difference {found.critical_difference:.2f}; a bar joins those less apart",
        labelpad=8,
    )
    axes.xaxis.set_label_position("bottom")
    return figure
