"""The report: a static site of claims, figures, tables, curves and the runs behind them.

It opens from disk, asks for nothing from a network, and is the same to the last byte when it is
built again from the same results.
"""

from mcbench.report.site import build

__all__ = ["build"]
