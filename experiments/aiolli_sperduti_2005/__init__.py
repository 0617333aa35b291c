"""Aiolli & Sperduti, "Multiclass Classification with Multi-Prototype Support Vector Machines",
Journal of Machine Learning Research 6 (2005).
"""  # noqa: D205

from experiments.aiolli_sperduti_2005 import (
    bounds,
    refs,
    regions,
    response,
    table1,
    table2,
    table3,
    table5,
)

PAPER = "aiolli_sperduti_2005"
TITLE = "Multiclass Classification with Multi-Prototype Support Vector Machines"
REFERENCE = (
    "F. Aiolli and A. Sperduti, Journal of Machine Learning Research 6, 2005, pp. 817-850 (its "
    "figures 7 to 10 are figures 3 to 6 of their paper of 2002)"
)
ITEMS = {
    "table1": table1,
    "table2": table2,
    "refs": refs,
    "table3": table3,
    "table5": table5,
    "response": response,
    "bounds": bounds,
    "regions": regions,
}
