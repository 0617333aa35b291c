"""General figures: pure functions from tables of runs to a figure, one file each."""

from mcbench.figures.convergence import convergence
from mcbench.figures.pareto import pareto
from mcbench.figures.regions import regions
from mcbench.figures.scaling import scaling

__all__ = ["convergence", "pareto", "regions", "scaling"]
