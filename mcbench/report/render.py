"""Templates to pages; whatever comes from data or configuration is escaped."""

import re
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from mcbench.words import count


def render(template: str, **values: Any) -> str:
    """Return a page.

    Parameters
    ----------
    template : str
        Name of a file in `templates/`.
    **values
        What it shows. Texts are escaped where they are inserted, a name that the template asks
        for and that is not there is an error.
    """
    return _environment().get_template(template).render(**values)


def slug(text: str) -> str:
    """Return a text as it can stand in the name of a file and in a link."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-") or "-"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    # The filter `tojson` writes <, >, & and ' as \u003c and so on: no value ends a script.
    environment = Environment(
        loader=PackageLoader("mcbench.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["slug"] = slug
    environment.filters["count"] = count  # in place of jinja's, which is "length" again
    return environment
