"""The configuration: every file of conf/ as it is, with its comments."""

from pathlib import Path

from markup import CONF, code, escaped, table

#: What a group decides; a group without a sentence is listed all the same.
GROUPS = {
    "dataset": "Which data, which split, how scaled.",
    "kernel": "The kernel and its parameters.",
    "solver": "The estimator and its parameters.",
    "protocol": "How a run is executed, timed, traced and limited.",
    "launcher": "Where the runs of a sweep are executed.",
}


def pages() -> dict[str, str]:
    """Return the configuration of a run; that of the papers' items is on the papers' pages."""
    parts = ["## config.yaml", code((CONF / "config.yaml").read_text(), "yaml")]
    for group in sorted(path for path in CONF.iterdir() if path.is_dir()):
        if group.name not in ("experiment", "__pycache__"):
            parts += one_group(group)
    return {"configuration.md": "\n\n".join(parts) + "\n"}


def one_group(folder: Path) -> list[str]:
    """Return a group: a table of its files, then each in full."""
    files = sorted(folder.glob("*.yaml"))
    rows = [[f"`{folder.name}={file.stem}`", escaped(about(file.read_text()))] for file in files]
    parts = [f"## {folder.name}", GROUPS.get(folder.name, ""), table(["choice", "what"], rows)]
    for file in files:
        parts += [f"### {folder.name}={file.stem}", code(file.read_text(), "yaml")]
    return [part for part in parts if part]


def about(text: str) -> str:
    """Return the comment that a file begins with."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines)
