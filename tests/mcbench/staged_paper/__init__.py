"""An experiment package whose only item runs in two stages."""

from staged_paper import chosen

PAPER = "staged_paper"
TITLE = "On Choices"
REFERENCE = "A. Nobody, 1902."
ITEMS = {"chosen": chosen}
