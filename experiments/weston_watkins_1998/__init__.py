"""Weston & Watkins, "Multi-class Support Vector Machines", CSD-TR-98-04 (1998)."""

from experiments.weston_watkins_1998 import binary, fig1, leave_one_out, norm, table1

PAPER = "weston_watkins_1998"
TITLE = "Multi-class Support Vector Machines"
REFERENCE = (
    "J. Weston and C. Watkins, Technical Report CSD-TR-98-04, Royal Holloway, University of "
    "London, 1998"
)
ITEMS = {
    "fig1": fig1,
    "table1": table1,
    "binary": binary,
    "norm": norm,
    "leave_one_out": leave_one_out,
}
