"""`mcbench check-solver`: what a solver has to show before its times count."""

import sys
from argparse import ArgumentParser, Namespace

SUMMARY = "check that a solver is right, on small problems, before it is timed"
EXAMPLES = """\
  mcbench check-solver cache
  mcbench check-solver sklearn_svc solver.C=10
  mcbench check-solver my_solver.MySVC

Each check is one line: ok, wrong, or cannot say (it does not apply, or the
solver says itself that it did not converge). They are made in a process of
their own, so that a solver may crash or hang. The exit status is 1 when
something is wrong.
"""


def configure(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "solver", metavar="SOLVER", help="a name as for solver=NAME, or the dotted name of a class"
    )
    parser.add_argument(
        "overrides",
        nargs="*",
        metavar="KEY=VALUE",
        help="its parameters and its kernel, as for mcbench run",
    )


def main(args: Namespace) -> int:
    """Check; 0 when nothing is wrong, 1 when something is, also when the solver is not here."""
    from mcbench.conf_files import groups
    from mcbench.config import resolve
    from mcbench.errors import SolverUnavailable, UserError, suggest
    from mcbench.estimator import build, check, complete
    from mcbench.gate.gate import WRONG
    from mcbench.gate.isolated import findings
    from mcbench.words import count

    known = groups()["solver"]
    if args.solver not in known and "." not in args.solver:
        raise UserError(f"There is no solver '{args.solver}'; {suggest(args.solver, known)}")
    key = "solver" if args.solver in known else "solver._target_"
    wrong = total = 0
    overrides = ["dataset=iris", f"{key}={args.solver}", *args.overrides]
    try:
        check(build(complete(resolve(overrides))))
        for finding in findings(overrides):
            print(finding.line(), flush=True)
            total += 1
            wrong += finding.verdict == WRONG
    except SolverUnavailable as error:
        print(f"mcbench: {args.solver} cannot be checked: {error}", file=sys.stderr)
        return 1
    print(f"{args.solver}: {count(wrong, 'check')} of {total} found something wrong.")
    return int(wrong > 0)
