"""Sphinx configuration. Everything is built and shown without a network."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

from mcbench import __version__  # noqa: E402

project = "mcbench"
author = "The mcbench developers"
copyright = "the mcbench developers; BSD 3-Clause"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docstrings",
    "generated",
    "mathml",
]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_generated"]
nitpicky = True
# "ndarray of shape (n,)" is no class to link to; names of our own are checked.
nitpick_ignore_regex = [(r"py:(class|exc)", r"(?!mcbench|solvers|experiments).*")]
default_role = "code"
highlight_language = "text"
smartquotes = False

autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_use_ivar = False

html_theme = "furo"
html_title = f"mcbench {version}"
html_static_path = ["_static"]
html_css_files = ["mcbench.css"]
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "mathml"
