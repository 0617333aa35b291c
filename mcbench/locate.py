"""From a dotted name to the object that it stands for, and to the version of its code.

A name is looked up among the installed packages, then in files of the user's: those in the
working directory and in the folders that `MCBENCH_CONF` names (beside a folder named `conf` too).
"""

import ast
import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from types import ModuleType
from typing import Any

from mcbench.errors import SolverUnavailable, UserError, suggest
from mcbench.plugins import owner_of

#: Packages that solvers may need, and the extra of mcbench that installs each.
OPTIONAL = {"fastrvm": "rvm"}

HASH_LENGTH = 16


def locate(target: str, *, whole_module: bool = False) -> Any:
    """Return the object that a dotted name stands for, e.g. "mcbench.CrammerSingerSVC".

    Parameters
    ----------
    target : str
        The dotted name.
    whole_module : bool
        The name is that of a module.

    Raises
    ------
    UserError
        When there is no such thing, or its code fails when it is imported.
    SolverUnavailable
        When it needs a package that is not installed, or is a plug-in that cannot be imported.
    """
    module_name, _, name = target.rpartition(".")
    if not module_name and not whole_module:
        raise UserError(f"_target_ '{target}' is no dotted name such as package.module.name.")
    try:
        if whole_module:
            return _imported(target, target)
        return _member(_imported(module_name, target), name)
    except UserError as error:
        plugin = owner_of(target)
        if plugin is None or plugin.target != target:
            raise
        raise SolverUnavailable(f"{plugin} cannot be used: {error}") from error


def version_of(thing: Any, declared: str = "version") -> str:
    """Return the version of a class or a function.

    What it declares itself; else the version of its package; else, for a file of the user's, a
    hash of its source, so that a changed file is another version.

    Parameters
    ----------
    thing : class or function
    declared : str
        The attribute with which it declares a version.
    """
    own = getattr(thing, declared, None)
    if own is not None:
        return str(own)
    module = sys.modules[thing.__module__]
    top = module.__name__.partition(".")[0]
    package = sys.modules.get(top) or importlib.import_module(top)
    own = getattr(module, "__version__", None) or getattr(package, "__version__", None)
    if own is not None:
        return str(own)
    plugin = owner_of(module.__name__)
    if plugin is not None and plugin.version:
        return plugin.version
    return _installed_version(top) or _source_hash(module) or "unknown"


def local_folders() -> list[Path]:
    """Return the folders in which files of the user's are looked for."""
    conf = [Path(name) for name in os.environ.get("MCBENCH_CONF", "").split(os.pathsep) if name]
    beside = [folder.absolute().parent for folder in conf if folder.name == "conf"]
    return [Path.cwd(), *(folder.absolute() for folder in conf), *beside]


def _imported(name: str, target: str) -> ModuleType:
    """Import a module; whatever goes wrong is one sentence."""
    _see_local_files(name.partition(".")[0])
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        check_optional(target, error)
        if missing and missing != name and not name.startswith(f"{missing}."):
            raise SolverUnavailable(
                f"{target} needs the package {missing.partition('.')[0]}, which is not installed."
            ) from error
        raise UserError(
            f"_target_ '{target}' cannot be imported: there is no module {missing or name}, "
            "neither installed nor as a file in the working directory or a folder of MCBENCH_CONF."
        ) from error
    except (Exception, SystemExit) as error:
        check_optional(target, error)
        text = " ".join(str(error).split()).rstrip(".")
        raise UserError(
            f"_target_ '{target}' cannot be imported: {type(error).__name__}: {text}."
        ) from error


def check_optional(what: str, error: BaseException) -> None:
    """Raise a `SolverUnavailable` when what cannot be imported is an optional package."""
    if not isinstance(error, ModuleNotFoundError):
        return
    package = (error.name or "").partition(".")[0]
    if package in OPTIONAL:
        raise SolverUnavailable(
            f"{what} needs the package {package}, which is not installed: "
            f'pip install "mcbench[{OPTIONAL[package]}]"'
        ) from error


def _member(module: ModuleType, name: str) -> Any:
    try:
        return getattr(module, name)
    except AttributeError as error:
        public = [item for item in dir(module) if not item.startswith("_")]
        known = getattr(module, "__all__", public)
        raise UserError(f"{module.__name__} has no '{name}'; {suggest(name, known)}") from error


def _see_local_files(top: str) -> None:
    """Let a module that is not installed be found among the user's files, after all others."""
    importlib.invalidate_caches()
    if top in sys.modules or importlib.util.find_spec(top) is not None:
        return
    for folder in map(str, local_folders()):
        if folder not in sys.path:
            sys.path.append(folder)


@lru_cache
def _installed_version(top: str) -> str | None:
    """Return the version of the distribution that an import package comes from."""
    try:
        return next((version(name) for name in packages_distributions().get(top, ())), None)
    except PackageNotFoundError:
        return None


def _source_hash(module: ModuleType) -> str | None:
    """Return a hash of a module's source and of its neighbours' that it imports."""
    file = getattr(module, "__file__", None)
    if file is None:
        return None
    folder = Path(file).resolve().parents[module.__name__.count(".")]
    sources: dict[Path, bytes] = {}
    waiting = [(Path(file).resolve(), module.__name__)]
    while waiting:
        path, name = waiting.pop()
        if path not in sources:
            sources[path] = path.read_bytes()
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            waiting += _neighbours(sources[path], package, folder)
    digest = hashlib.sha256()
    for path, content in sorted(sources.items()):
        name = path.relative_to(folder).as_posix()
        digest.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return f"source {digest.hexdigest()[:HASH_LENGTH]}"


def _neighbours(source: bytes, package: str, folder: Path) -> Iterator[tuple[Path, str]]:
    """Return the files below a folder that the source of a module of `package` imports."""
    names: set[str] = set()
    try:
        tree = ast.parse(source)
    except SyntaxError:  # of a file that has not been imported yet
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {item.name for item in node.names}
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(name, package) if node.level and package else name
            names |= {base, *(f"{base}.{item.name}" for item in node.names)}
    for name in sorted(names - {""}):
        stem = folder.joinpath(*name.split("."))
        for path in (stem.with_name(f"{stem.name}.py"), stem / "__init__.py"):
            if path.is_file():
                yield path.resolve(), name
