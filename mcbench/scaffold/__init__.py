"""Templates that `mcbench new` fills in (`string.Template`), one for each file that it writes."""
