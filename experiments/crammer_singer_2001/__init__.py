"""Crammer & Singer, "On the Algorithmic Implementation of Multiclass Kernel-based Vector
Machines", Journal of Machine Learning Research 2 (2001).
"""  # noqa: D205

from experiments.crammer_singer_2001 import (
    binary,
    cooling,
    fig5,
    fig6,
    fig7,
    mnist,
    section8,
    sparse,
    table1,
    theorem2,
)

PAPER = "crammer_singer_2001"
TITLE = "On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines"
REFERENCE = "K. Crammer and Y. Singer, Journal of Machine Learning Research 2, 2001, pp. 265-292"
ITEMS = {
    "table1": table1,
    "theorem2": theorem2,
    "binary": binary,
    "fig5": fig5,
    "fig6": fig6,
    "cooling": cooling,
    "fig7": fig7,
    "mnist": mnist,
    "sparse": sparse,
    "section8": section8,
}
