"""Hsu & Lin, "A Comparison of Methods for Multiclass Support Vector Machines", IEEE Transactions
on Neural Networks 13(2) (2002).
"""  # noqa: D205

from experiments.hsu_lin_2002 import large_c, table1, table2, table3, table4, table5

PAPER = "hsu_lin_2002"
TITLE = "A Comparison of Methods for Multiclass Support Vector Machines"
REFERENCE = "C.-W. Hsu and C.-J. Lin, IEEE Transactions on Neural Networks 13, 2002, pp. 415-425"
ITEMS = {
    "table1": table1,
    "table2": table2,
    "table3": table3,
    "table4": table4,
    "table5": table5,
    "large_c": large_c,
}
