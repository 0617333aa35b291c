"""Tables as text: Markdown, LaTeX in booktabs' style, and blocks for a narrow terminal."""

import re
from collections.abc import Sequence

MARKDOWN_ROW = "| {} |"


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a markdown table with aligned columns."""
    cells = [
        [cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in [header, *rows]
    ]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = [MARKDOWN_ROW.format(" | ".join(map(str.ljust, row, widths))) for row in cells]
    lines.insert(1, MARKDOWN_ROW.format(" | ".join("-" * size for size in widths)))
    return "\n".join(lines)


def booktabs(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Sequence[bool],
    caption: str = "",
    comments: Sequence[str] = (),
) -> str:
    """Return a LaTeX table.

    Parameters
    ----------
    header : sequence of str
        Names of the columns, as plain text.
    rows : sequence of sequence of str
        The cells, in LaTeX.
    left : sequence of bool
        Which columns are set flush left; the others flush right.
    caption : str
        As plain text; with one, the result is a whole table environment.
    comments : sequence of str
        Written behind the rows as comments.
    """
    lines = [
        f"\\begin{{tabular}}{{{''.join('l' if is_left else 'r' for is_left in left)}}}",
        "\\toprule",
        " & ".join(map(escape, header)) + " \\\\",
        "\\midrule",
    ]
    notes = [f" % {' '.join(text.split())}" if text else "" for text in comments]
    for number, row in enumerate(rows):
        lines.append(" & ".join(row) + " \\\\" + (notes[number] if notes else ""))
    lines += ["\\bottomrule", "\\end{tabular}"]
    if caption:
        head = ["\\begin{table}", "\\centering", f"\\caption{{{escape(caption)}}}"]
        lines = [*head, *lines, "\\end{table}"]
    return "\n".join(["% needs \\usepackage{booktabs}", *lines])


def blocks(header: Sequence[str], rows: Sequence[Sequence[str]], titles: Sequence[str]) -> str:
    """Return one block for each row, for a terminal that is narrower than the table.

    Parameters
    ----------
    header : sequence of str
        Names of the values.
    rows : sequence of sequence of str
        The values.
    titles : sequence of str
        What each row is of.
    """
    size = max(map(len, header))
    return "\n\n".join(
        "\n".join(
            [title, *(f"  {name:<{size}}  {text}" for name, text in zip(header, row, strict=True))]
        )
        for title, row in zip(titles, rows, strict=True)
    )


def fits(text: str, width: int | None) -> bool:
    """Return whether no line is longer than the terminal; None is as wide as may be."""
    return width is None or max(map(len, text.splitlines()), default=0) <= width


def formula(text: str) -> str:
    """Return a number, and what stands beside it, as LaTeX sets it: 1.2e-05 is 1.2 x 10^-5."""
    text = re.sub(
        r"(\d)e([+-]?\d+)", lambda found: f"{found[1]} \\cdot 10^{{{int(found[2])}}}", text
    )
    return f"${text.replace('±', chr(92) + 'pm')}$"


def escape(text: str) -> str:
    """Return a text as LaTeX prints it."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)
