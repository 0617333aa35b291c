"""Writing files so that a reader never sees half of one."""

import json
import os
import secrets
from pathlib import Path
from typing import Any


def write_atomic(path: Path, text: str) -> None:
    """Write `text` to `path`: the whole of it or, if the process dies, nothing."""
    # Not tempfile's: its files are readable by their owner only.
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with fresh.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def to_json(value: Any, *, indent: int | None = None) -> str:
    """JSON text of `value`; NumPy scalars and arrays become numbers and lists."""
    return json.dumps(value, indent=indent, default=_plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """What `json` cannot write itself: NumPy values through `tolist`, the rest as text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)
