"""Comparisons of ours, of no paper: figures that people have asked for in public."""

from experiments.comparisons import training_sizes

PAPER = "comparisons"
TITLE = "Comparisons of our own"
REFERENCE = "No paper: asked for in public (scikit-learn, issue 13556)"
ITEMS = {"training_sizes": training_sizes}
