"""Templates that `mcbench new` fills in: `string.Template` text, one file for each that it writes."""
