"""`mcbench results`: the store of runs, looked at, cleaned, packed and merged."""

import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mcbench.commands.options import add_filters, add_results

if TYPE_CHECKING:
    from mcbench.cli import Parser
    from mcbench.listing import Listing
    from mcbench.store import Store

SUMMARY = "list, verify, prune, export and merge the recorded runs"
EXAMPLES = """\
  mcbench results list dataset=satimage status=done
  mcbench results verify
  mcbench results export mine.zip solver=kkt,cache
  mcbench results merge theirs.zip ../other/results

mcbench results ACTION --help shows examples of each action.
"""

#: So many runs are named one by one, where a number says as much.
MANY = 20


def configure(parser: "Parser") -> None:
    """Add the command's actions and their options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, summary: str, act: Callable[..., int], *examples: str) -> "Parser":
        sub = actions.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog="examples:\n" + "".join(f"  mcbench results {line}\n" for line in examples),
            formatter_class=RawDescriptionHelpFormatter,
        )
        add_results(sub)
        sub.set_defaults(act=act)
        return sub

    sub = action(
        "list", "one line for each run: identity, status, end, seconds of the fit, label", _list,
        "list", 'list status=failed "label=*solver.C=4*"',
    )  # fmt: skip
    add_filters(sub)
    action(
        "rebuild", "write the index again from the folders of the runs", _rebuild,
        "rebuild", "rebuild --results /tmp/results",
    )  # fmt: skip
    sub = action(
        "verify", "read every run whole and name what is wrong", _verify,
        "verify", "verify --fix",
    )  # fmt: skip
    sub.add_argument("--fix", action="store_true", help="set aside what is wrong")
    sub = action(
        "prune", "remove runs; without --yes only say which", _prune,
        "prune --failed --stale", "prune dataset=iris solver=kkt --yes",
    )  # fmt: skip
    add_filters(sub)
    sub.add_argument("--failed", action="store_true", help="those that are not done")
    sub.add_argument(
        "--stale", action="store_true", help="those of another version of their solver"
    )
    sub.add_argument(
        "--set-aside", action="store_true", help="what was set aside because it is damaged"
    )
    sub.add_argument("--yes", action="store_true", help="remove them")
    sub = action(
        "export", "pack runs into FILE.zip or FILE.tar.gz", _export,
        "export all.tar.gz", "export mine.zip dataset=satimage status=done",
    )  # fmt: skip
    sub.add_argument("file", metavar="FILE", help="the archive to write")
    add_filters(sub)
    sub = action(
        "merge", "take the runs of archives and of other results folders", _merge,
        "merge theirs.zip", "merge ../other/results a.tar.gz --results results",
    )  # fmt: skip
    sub.add_argument("names", nargs="*", metavar="FILE-OR-FOLDER", help="what to take from")
    for sub in actions.choices.values():
        sub.set_defaults(options=sub.options())


def main(args: Namespace) -> int:
    """Do what was asked for."""
    from mcbench.store import Store

    return int(args.act(args, Store(args.results)))


def _list(args: Namespace, store: "Store") -> int:
    """Print the runs; 1 when there is none."""
    runs = _found(store, args.filters)
    for line in _lines(runs):
        print(line)
    if runs.empty:
        print(f"No runs in {store.root} yet: mcbench run makes some.", file=sys.stderr)
    return int(runs.empty)


def _rebuild(_: Namespace, store: "Store") -> int:
    """Write the index; always 0."""
    from mcbench.words import count

    print(f"{store.root}: the index has {count(store.rebuild(), 'run')}.")
    return 0


def _verify(args: Namespace, store: "Store") -> int:
    """Print what is wrong; 1 when anything is."""
    from rich.progress import track

    from mcbench.verification import set_aside, verify
    from mcbench.words import count

    quiet = not sys.stdout.isatty()
    checked, findings = verify(
        store, lambda paths: track(paths, "verifying", transient=True, disable=quiet)
    )
    if args.fix:
        findings = set_aside(store, findings)
    for finding in findings:
        print(finding.line())
    print(f"{store.root}: {count(checked, 'run')} read, {count(len(findings), 'fault')} found.")
    if not args.fix and any(not finding.foreign for finding in findings):
        print("mcbench results verify --fix sets aside what is wrong; mcbench run makes it again.")
    return int(bool(findings))


def _prune(args: Namespace, store: "Store") -> int:
    """Say what is removed, and with --yes remove it."""
    from mcbench.errors import UserError
    from mcbench.pruning import choose, remove
    from mcbench.words import count, size

    kinds = {"failed": args.failed, "stale": args.stale, "set_aside": args.set_aside}
    if not args.filters and not any(kinds.values()):
        raise UserError(
            "Say which runs: conditions such as dataset=iris, --failed, --stale or --set-aside."
        )
    _found(store, args.filters)
    chosen = choose(store, args.filters, **kinds)
    lines = [*_lines(chosen.runs), *(f"set aside: {path.name}" for path in chosen.aside)]
    for line in _few(lines):
        print(line)
    for name in chosen.busy:
        print(f"{name} stays: it is just being executed.")
    what = [count(len(chosen.runs), "run")] * bool(len(chosen.runs))
    what += [f"{len(chosen.aside)} set aside"] * bool(chosen.aside)
    if not what:
        print("Nothing to remove.")
    elif args.yes:
        remove(store, chosen)
        print(f"{store.root}: removed {' and '.join(what)}, {size(chosen.size)}.")
    else:
        print(f"{store.root}: {' and '.join(what)}, {size(chosen.size)}; --yes removes them.")
    return 0


def _export(args: Namespace, store: "Store") -> int:
    """Write the archive; 1 when a run had to be left out."""
    from pathlib import Path

    from mcbench.archive import check_target, pack
    from mcbench.errors import UserError
    from mcbench.verification import whole
    from mcbench.words import count, size

    path = Path(args.file).expanduser().absolute()
    check_target(path)
    runs = _found(store, args.filters)
    if runs.empty:
        raise UserError(f"There is nothing to export in {store.root}: mcbench run makes some.")
    folders, findings = whole(store.runs / name for name in runs["id"])
    for finding in findings:
        print(f"left out: {finding.line()}")
    pack(folders, path)
    print(f"{path}: {count(len(folders), 'run')}, {size(path.stat().st_size)}.")
    return int(bool(findings))


def _merge(args: Namespace, store: "Store") -> int:
    """Take the runs; 1 when one had to be refused."""
    from pathlib import Path

    from mcbench.errors import UserError
    from mcbench.merging import merge

    if not args.names:
        raise UserError("Say what to merge: files of mcbench results export, or results folders.")
    merged = merge(store, [Path(name).expanduser().absolute() for name in args.names])
    conflict = "the store has other results of the same machine, which stay"
    for line in _few([f"kept as it was: {name}: {conflict}." for name in merged.conflicts]):
        print(line)
    for line in _few([f"refused: {name}: {reason}." for name, reason in merged.refused]):
        print(line)
    print(
        f"{store.root}: {len(merged.taken)} taken, {len(merged.beside)} kept beside those of "
        f"another machine, {len(merged.same)} the same, {len(merged.conflicts)} kept as they "
        f"were, {len(merged.refused)} refused."
    )
    return int(bool(merged.refused))


def _found(store: "Store", filters: list[str]) -> "Listing":
    """Return the runs that meet conditions; when there is none, say which condition none meets."""
    from mcbench.errors import UserError
    from mcbench.query import unmatched

    runs = store.listing(*filters)
    if runs.empty and filters:
        wrong = "; ".join(unmatched(store.listing(), filters)) or "no run meets all conditions"
        raise UserError(f"There are no such runs in {store.root}: {wrong}.")
    return runs


def _lines(runs: "Listing") -> list[str]:
    """Return a line for each run, in the order in which they ended."""
    if runs.empty:
        return []
    names = ("finished", "id", "status", "time.fit", "label")
    rows = sorted(zip(*(runs[name] for name in names), strict=True), key=lambda row: _order(row))
    wide = max(len(row[1]) for row in rows)
    return [
        f"{name:<{wide}} {status.replace('_', ' '):<13} {_text(ended)[:16].replace('T', ' '):<16} "
        f"{_seconds(fit):>9} {label}"
        for ended, name, status, fit, label in rows
    ]


def _order(row: Iterable[Any]) -> tuple[str, ...]:
    return tuple(_text(item) for item in list(row)[:2])


def _text(value: Any) -> str:
    return "-" if value is None else str(value)


def _seconds(value: Any) -> str:
    return f"{value:.3g} s" if isinstance(value, int | float) else "-"


def _few(lines: list[str]) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - MANY
    return lines if more <= 0 else [*lines[:MANY], f"... and {more} more"]
