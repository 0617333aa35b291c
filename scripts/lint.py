"""Run every static check; show all that fails, not only the first."""

import subprocess
import sys
from pathlib import Path

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
)


def main() -> int:
    """Return 0 when every check passes."""
    bin_dir = Path(sys.executable).parent
    failed = [c for c in CHECKS if subprocess.run([bin_dir / c[0], *c[1:]]).returncode]
    for check in failed:
        print(f"failed: {' '.join(check)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
