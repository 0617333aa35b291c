"""An experiment package as anybody could write one."""

from fake_paper import curve

PAPER = "fake_paper"
TITLE = "On Fakes"
REFERENCE = "A. Nobody, 1901."
ITEMS = {"curve": curve}
