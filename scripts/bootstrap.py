"""Make .venv, build the Cython core and install mcbench into it (editable).

Standard library only: this runs before anything is installed. A second call compares a
fingerprint of what the installation depends on and returns at once when nothing changed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "mcbench-installed"
INPUTS = [
    "pyproject.toml",
    "setup.py",
    "scripts/bootstrap.py",
    "solvers/core/*.pyx",
    "solvers/core/*.pxd",
    "solvers/core/*.h",
]


def fingerprint() -> str:
    """Hash of the interpreter and of every file that the installation depends on."""
    digest = hashlib.sha256(sys.version.encode() + sys.prefix.encode() + str(ROOT).encode())
    for pattern in INPUTS:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def missing_requirement() -> str | None:
    """One sentence on what this machine lacks, or None."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this is where it is said)
        found = f"{sys.version.split()[0]} ({sys.executable})"
        return f"mcbench needs Python 3.11 or newer; this is {found}."
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return (
            f"mcbench compiles its solvers and found no C compiler ({compiler}): install one "
            "(Debian and Ubuntu: apt install gcc; Fedora: dnf install gcc; "
            "macOS: xcode-select --install) "
            "or name yours in CC, then run make again."
        )
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return (
            "mcbench compiles its solvers and found no Python.h: install the headers of this "
            "Python (Debian and Ubuntu: python3-dev; Fedora: python3-devel)."
        )
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        return "This Python cannot make virtual environments: install python3-venv."
    return None


def say(step: str) -> None:
    """Say what goes on."""
    print(f"mcbench: {step} ...", flush=True)


def run(*command: str) -> None:
    """Run a command quietly; on failure show the end of its output and stop."""
    with tempfile.TemporaryFile("w+") as log:
        code = subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT).returncode
        if code:
            log.seek(0)
            sys.stderr.write("".join(log.readlines()[-40:]))
            sys.exit(f"mcbench: set-up failed at: {' '.join(command)}")


def main() -> None:
    """Bring .venv up to date."""
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    problem = missing_requirement()
    if problem:
        sys.exit(problem)
    say("setting up .venv, once (some three to five minutes)")
    python = VENV / "bin" / "python"
    if not python.exists():
        say("1 of 3: a virtual environment")
        venv.create(VENV, with_pip=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    import tomllib  # an older Python has been told so

    # What the build needs is installed here, once, and not a second time to be thrown away.
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    say("2 of 3: what the build needs")
    run(*pip, *required)
    # The compatible mode writes a plain path file: type checkers and linters can follow it.
    editable = ["--no-build-isolation", "--config-settings", "editable_mode=compat", "-e"]
    say("3 of 3: the packages, and the solvers compiled, which takes most of the time")
    run(*pip, *editable, ".[dev]")
    STAMP.write_text(wanted)


if __name__ == "__main__":
    main()
