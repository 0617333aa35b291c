"""The figures of the benchmark: pure functions from points to a figure."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mcbench.style import line, paper_style, stamp

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]

LEFT_MOST_S = 1e-4  # a checkpoint before any work has no place on a logarithmic axis
LOWEST_GAP = 1e-8
BLACK = 4  # the number of the black curve in mcbench.style


def convergence(
    curves: Mapping[str, Points], scattered: Mapping[str, Points], title: str, note: str
) -> "Figure":
    """Draw relative gap against seconds.

    Parameters
    ----------
    curves : mapping of str to points
        Solvers seen at checkpoints: (seconds, gap).
    scattered : mapping of str to points
        Solvers seen at the end of runs with different tolerances.
    title, note : str
        Above the axes, and below the figure.
    """
    from matplotlib.figure import Figure

    with paper_style():
        figure = Figure(figsize=(7.4, 4.2), layout="constrained")
        axes = figure.subplots()
        for (name, points), look in zip(
            {**curves, **scattered}.items(), _looks(len(curves), len(scattered)), strict=True
        ):
            shown = [(x, y) for x, y in points if x > LEFT_MOST_S and y > LOWEST_GAP]
            if not shown:
                continue
            x, y = zip(*shown, strict=True)
            axes.plot(x, y, label=name, markevery=max(1, len(shown) // 7), **look)
        axes.set(
            xscale="log",
            yscale="log",
            title=title,
            xlabel="time of the solver [s]",
            ylabel="relative duality gap (P - D) / P",
        )
        figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper")
        stamp(figure, note=note)
    return figure


def _looks(curves: int, scattered: int) -> list[dict[str, Any]]:
    """Return how curves are drawn: the first one black and thick, what is scattered in grey."""
    others = [{**line(number), "linewidth": 1.3} for number in range(max(curves, BLACK) + 1)]
    first = {**others.pop(BLACK), "linewidth": 2.4, "linestyle": "-"}
    grey = {"color": "#777777", "markersize": 6, "markerfacecolor": "white"}
    return [first, *others][:curves] + [
        {**line(curves + number), **grey} for number in range(scattered)
    ]


def growth(
    by_n: Mapping[int, Points], by_k: Mapping[int, Points], data: str, note: str = ""
) -> "Figure":
    """Draw seconds against the number of examples and of classes, a curve for each thread count."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullLocator

    with paper_style():
        figure = Figure(figsize=(7.2, 3.4), layout="constrained")
        for axes, curves, label in zip(
            figure.subplots(1, 2),
            (by_n, by_k),
            (f"training examples of {data}", "classes of the generated problem"),
            strict=True,
        ):
            for number, (threads, points) in enumerate(curves.items()):
                if points:
                    name = f"{threads} thread{'s' if threads > 1 else ''}"
                    axes.plot(*zip(*points, strict=True), label=name, **line(number))
            axes.set(xscale="log", yscale="log", xlabel=label)
            sizes = sorted({x for points in curves.values() for x, _ in points})
            axes.set_xticks(sizes, [f"{size:,.0f}" for size in sizes], rotation=45)
            axes.xaxis.set_minor_locator(NullLocator())
        figure.axes[0].set_ylabel("fit [s]")
        if figure.axes[0].lines:
            figure.axes[0].legend()
        if note:
            stamp(figure, note=note)
    return figure
