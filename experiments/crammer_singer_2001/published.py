"""The errors that are known of the paper, in per cent, and how far each can be trusted."""

#: mnist, all of it. Read nowhere in print: shown beside ours, never judged.
MNIST = 1.42
MNIST_TRUST = "M: remembered, unconfirmed; a column only"

#: Section 8 shows a chart of differences; these two errors of the multiclass machine are printed
#: by Rifkin & Klautau (Journal of Machine Learning Research 5, 2004) from the authors' own word.
SECTION8 = {"satimage": 8.1, "shuttle": 0.1}
SECTION8_TRUST = "S: printed by Rifkin & Klautau (2004); the chart of differences has no numbers"
