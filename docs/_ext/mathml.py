"""Formulas as MathML: readable offline, by browsers and by screen readers, without any script."""

from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
SUBSCRIPTED = ("msub", "msubsup")

#: Where a browser has no font for mathematics, it hangs a subscript by its upper edge, so that
#: low letters stand on the line. With one height for all of them they hang alike.
HEIGHT = "0.85em"


def translated(formula: str, as_block: bool) -> str:
    """Return a formula of TeX as MathML.

    Raises
    ------
    MathError
        When it holds what cannot be translated.
    """
    markup = tex2mathml(formula, as_block=as_block)
    # An entity of HTML, which XML does not know.
    root = ElementTree.fromstring(markup.replace("&ApplyFunction;", "\N{FUNCTION APPLICATION}"))
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name in SUBSCRIPTED:
            script = element[1]
            script.tail = None
            padded = ElementTree.Element(f"{{{NAMESPACE}}}mpadded", height=HEIGHT)
            padded.append(script)
            element[1] = padded
        elif name == "mtable":
            element.set("displaystyle", "true")
    ElementTree.register_namespace("", NAMESPACE)
    return ElementTree.tostring(root, encoding="unicode").strip()


def render(translator: HTML5Translator, node: nodes.Element, *, as_block: bool) -> None:
    """Write a formula; what cannot be translated is a warning, which ends the build."""
    try:
        markup = translated(node.astext(), as_block)
    except MathError as error:
        logger.warning("formula: %s", error, location=node)
        markup = translator.encode(node.astext())
    if as_block:
        markup = f'<div class="math">{markup}</div>\n'
    translator.body.append(markup)
    raise nodes.SkipNode


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line."""
    render(translator, node, as_block=False)


def block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own."""
    render(translator, node, as_block=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, which conf.py chooses by its name."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
