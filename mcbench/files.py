"""Writing files so that a reader never sees half of one."""

import errno
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcbench.errors import UnwritableError

#: What can be done about a folder that cannot be written, by the system's reason.
REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room on its disk"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "make it writable"),
}
ELSEWHERE = "choose another with results_dir=FOLDER or MCBENCH_RESULTS"


@contextmanager
def writing(folder: Path, elsewhere: str = ELSEWHERE) -> Iterator[None]:
    """Turn the system's refusal to write into a sentence.

    Parameters
    ----------
    folder : Path
        What is said to be unwritable.
    elsewhere : str
        How the user chooses another.

    Raises
    ------
    UnwritableError
        In place of any `OSError` of the block.
    """
    try:
        yield
    except UnwritableError:
        raise
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error) or type(error).__name__
        remedy = REMEDIES.get(error.errno or 0, "free it")
        raise UnwritableError(
            f"{folder} cannot be written ({why}): {remedy}, or {elsewhere}."
        ) from error


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """Give a path to write to, which takes the place of `path` when all went well."""
    # Not tempfile's: its files are readable by their owner only.
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        yield fresh
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def write_atomic(path: Path, text: str) -> None:
    """Write `text` to `path`: the whole of it or, if the process dies, nothing."""
    with atomic(path) as fresh:
        fresh.write_text(text, encoding="utf-8")


def to_json(value: Any, *, indent: int | None = None) -> str:
    """JSON text of `value`; NumPy scalars and arrays become numbers and lists."""
    return json.dumps(value, indent=indent, default=_plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """What `json` cannot write itself: NumPy values through `tolist`, the rest as text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
