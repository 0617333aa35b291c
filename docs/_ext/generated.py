"""Writes the parts of pages that come from the code, the configuration and what is published.

They go to `docs/_generated/` when a build starts, and pages include them from there.
"""

from collections.abc import Callable
from pathlib import Path

import command_pages
import configuration_pages
import paper_pages
import registry_pages
from sphinx.application import Sphinx

FOLDER = "_generated"

#: Each returns texts by the names of their files.
SOURCES: tuple[Callable[[], dict[str, str]], ...] = (
    command_pages.pages,
    configuration_pages.pages,
    paper_pages.pages,
    registry_pages.pages,
)


def write(app: Sphinx) -> None:
    """Write what has changed, so that a second build reads only that again."""
    for source in SOURCES:
        for name, text in source().items():
            path = Path(app.srcdir) / FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the writing."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
