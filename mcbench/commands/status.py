"""`mcbench status`: how many runs there are, what failed, what is running."""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import TYPE_CHECKING, Any

from mcbench.commands.options import add_filters, add_results

if TYPE_CHECKING:
    from mcbench.record import Record

SUMMARY = "count runs by status, list what failed and what is running"
EXAMPLES = """\
  mcbench status
  mcbench status dataset=satimage --results /tmp/results
"""

MANY = 20


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add_filters(parser)
    add_results(parser)


def main(args: Namespace) -> int:
    """Print the status; always 0. What is broken among the plug-ins is said on stderr."""
    from mcbench.outcome import BAD
    from mcbench.plugins import broken
    from mcbench.query import apply_filters, unmatched
    from mcbench.store import Store

    for sentence in broken():
        print(f"mcbench: {sentence}", file=sys.stderr)
    store = Store(args.results)
    known = store.listing()
    runs = apply_filters(known, args.filters)
    running = store.running()
    counts = Counter(runs["status"])
    counts["running"] = sum(alive for _, alive in running)
    counts["expired"] = sum(not alive for _, alive in running)
    shown = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in counts.items() if n)
    print(f"{store.root}: {shown or 'no runs yet'}")
    for sentence in unmatched(known, args.filters):
        print(f"{sentence}.")
    for record, alive in running:
        if alive:
            print(f"running     {record.id} {_label(record.config)}: {_how_far(record)}")
        else:
            print(f"expired     {record.id} {_label(record.config)}: its process is gone")
    failed = runs[[status in BAD for status in runs["status"]]]
    names = ("status", "id", "label", "reason")
    for status, name, label, reason in list(zip(*(failed[name] for name in names), strict=True))[
        :MANY
    ]:
        print(f"{status.replace('_', ' '):<11} {name} {label}: {reason}")
    if len(failed) > MANY:
        print(f"... and {len(failed) - MANY} more that failed.")
    if len(failed):
        print("mcbench run ... --rerun failed executes them again.")
    return 0


def _label(config: dict[str, Any]) -> str:
    choices = config.get("choices") or {}
    return (
        f"dataset={choices.get('dataset')} solver={choices.get('solver')} seed={config.get('seed')}"
    )


def _how_far(record: "Record") -> str:
    progress = record.get("progress") or {}
    owner = record.get("owner") or {}
    where = f"process {owner.get('pid')} on {owner.get('host')}"
    if not progress:
        return where
    gap = progress.get("gap")
    text = f"{progress.get('seconds', 0):.0f} s, iteration {progress.get('iteration')}"
    return f"{text}, gap {gap:.1e}, {where}" if gap is not None else f"{text}, {where}"
