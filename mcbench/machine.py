"""Where and with what a run was made: machine, versions, threads, commit."""

import os
import platform
import shlex
import socket
import subprocess
import sys
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mcbench._version import __version__
from mcbench.identity import digest

PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "pandas",
    "pyarrow",
    "matplotlib",
    "hydra-core",
    "omegaconf",
    "joblib",
    "threadpoolctl",
    "Cython",
)


def provenance() -> dict[str, Any]:
    """Return what is needed to know where a record comes from."""
    return {
        "mcbench": __version__,
        "python": platform.python_version(),
        "packages": dict(_packages()),
        "git": dict(_git()),
        "machine": dict(machine()),
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
    }


@lru_cache(maxsize=1)
def machine() -> dict[str, Any]:
    """Return the machine, with an `id` that two machines of the same kind share."""
    found = {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
    }
    return {
        **found,
        "id": digest(found)[:8],
        "release": platform.release(),
        "distribution": _distribution(),
        "memory_mb": _memory_mb(),
        "host": socket.gethostname(),
    }


def cpu_model() -> str:
    """Return the processor's name as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def thread_pools() -> list[dict[str, Any]]:
    """Return each BLAS and OpenMP library that is loaded, and its threads now."""
    from threadpoolctl import threadpool_info

    keys = ("user_api", "internal_api", "version", "num_threads", "architecture")
    return [{key: pool.get(key) for key in keys} for pool in threadpool_info()]


@lru_cache(maxsize=1)
def _packages() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@lru_cache(maxsize=1)
def _git() -> dict[str, Any]:
    """Commit and dirtiness of the checkout that mcbench runs from, empty outside one."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return {}
    commit = _output("git", "-C", str(root), "rev-parse", "HEAD")
    if commit is None:
        return {}
    status = _output("git", "-C", str(root), "status", "--porcelain", "--untracked-files=no")
    return {"commit": commit, "dirty": bool(status)}


def _output(*command: str) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        return ""


def _memory_mb() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (ValueError, OSError):
        return None
