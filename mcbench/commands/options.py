"""Options that several commands share."""

from argparse import ArgumentParser

#: Where results are kept by default, as every help says it.
WHERE = "results/ of the checkout, without one ./results"


def add_rerun(parser: ArgumentParser) -> None:
    """Add --rerun."""
    parser.add_argument(
        "--rerun",
        metavar="failed|all|PATTERN",
        help="execute again what failed, everything, or the runs whose identity or label matches "
        "a pattern such as '*solver=kkt*'",
    )


def add_profile(parser: ArgumentParser, what: str) -> None:
    """Add --profile."""
    parser.add_argument(
        "--profile",
        choices=["smoke", "quick", "paper"],
        default="quick",
        help=f"size {what}; default quick",
    )


def add_results(parser: ArgumentParser) -> None:
    """Add --results."""
    parser.add_argument(
        "--results", metavar="FOLDER", help=f"results folder; default $MCBENCH_RESULTS or {WHERE}"
    )


def add_filters(parser: ArgumentParser) -> None:
    """Add conditions on runs."""
    parser.add_argument(
        "filters",
        nargs="*",
        default=[],
        metavar="COLUMN=VALUE",
        help="only these runs: dataset=satimage solver=kkt,cache solver.C=4",
    )
