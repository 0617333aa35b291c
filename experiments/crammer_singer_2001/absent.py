"""Why runs are not there, in a few words."""

from mcbench.results import Results


def why(results: Results) -> str:
    """The reasons of the missing runs, the first sentence of each; "" when none is missing."""
    first = (reason.partition(". ")[0].removesuffix(".") for _, reason in results.missing)
    return "; ".join(dict.fromkeys(first))
