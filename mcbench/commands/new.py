"""`mcbench new solver NAME`: a solver of your own to start from, which runs as it stands."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

SUMMARY = "write a solver of your own to start from, with its file and a test"
EXAMPLES = """\
  mcbench new solver my_svm
  mcbench new solver my_svm --folder ~/solvers

It writes NAME.py, conf/solver/NAME.yaml and test_NAME.py into the folder,
never over a file that is there, and says how to go on.
"""

#: What is written, and the template that it comes from.
FILES = {
    "{name}.py": "solver.py.txt",
    "conf/solver/{name}.yaml": "solver.yaml.txt",
    "test_{name}.py": "test.py.txt",
}


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("what", choices=["solver"], metavar="solver", help="what to write")
    parser.add_argument("name", metavar="NAME", help="a Python name; solver=NAME chooses it")
    parser.add_argument("--folder", metavar="F", help="where to; default ./NAME")


def main(args: Namespace) -> int:
    """Write the files and print the next commands."""
    from mcbench.errors import UserError

    folder = Path(args.folder or args.name).expanduser()
    files = {folder / path.format(name=args.name): text for path, text in FILES.items()}
    if there := [str(path) for path in files if path.exists()]:
        raise UserError(f"{there[0]} is there already: choose another name or --folder.")
    _check_name(args.name)
    try:
        for path, template in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(_filled(template, args.name))
            print(f"wrote {path}")
    except OSError as error:
        raise UserError(
            f"{error.filename or folder} cannot be written: {error.strerror}."
        ) from error
    print(
        f"\nNext:\n  cd {folder}\n  export MCBENCH_CONF=$PWD/conf\n"
        f"  mcbench check-solver {args.name}\n"
        f"  mcbench run -m dataset=iris solver={args.name},block\n"
        "  mcbench table"
    )
    return 0


def _check_name(name: str) -> None:
    """Raise a `UserError` for a name that cannot be a module's, or is taken."""
    import importlib.util
    import keyword

    from mcbench.conf_files import groups
    from mcbench.errors import UserError

    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise UserError(f"'{name}' is no Python name: use letters, digits and _, as in my_svm.")
    if name in groups()["solver"]:
        raise UserError(f"There is a solver {name} already: choose another name.")
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.origin is not None:  # a folder alone is no module
        raise UserError(f"There is a Python module {name} already: choose another name.")


def _filled(template: str, name: str) -> str:
    """Return the text of a file."""
    from string import Template

    text = (Path(__file__).parent.parent / "scaffold" / template).read_text(encoding="utf-8")
    class_name = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return Template(text).substitute(name=name, class_name=class_name)
