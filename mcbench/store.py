"""The store of runs: one folder each, found by the identity of the run."""

import os
import warnings
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from mcbench import naming
from mcbench.claim import Claim, claim, in_progress, locked, sweep
from mcbench.errors import UserError
from mcbench.files import writing
from mcbench.index import INDEX, append, quick, read_index
from mcbench.listing import Listing
from mcbench.record import PREDICTIONS, TRACE, CorruptRecordError, Record, load_record

if TYPE_CHECKING:
    import pandas as pd

CORRUPT = ".corrupt"

#: What a whole Parquet file begins and ends with.
PARQUET = b"PAR1"


def results_dir(chosen: str | Path | None = None) -> Path:
    """Return where results are kept.

    In this order: what was asked for, `MCBENCH_RESULTS`, `results/` of the checkout when mcbench
    runs from one, else `results/` of the working directory.
    """
    if chosen or os.environ.get("MCBENCH_RESULTS"):
        return Path(chosen or os.environ["MCBENCH_RESULTS"]).expanduser().absolute()
    return (checkout() or Path.cwd()) / "results"


def checkout() -> Path | None:
    """Return the checkout that mcbench runs from, None when it is installed elsewhere."""
    root = Path(__file__).resolve().parent.parent
    whole = (root / "pyproject.toml").is_file() and (root / "conf" / "config.yaml").is_file()
    return root if whole else None


class Store:
    """The runs below a results folder.

    Parameters
    ----------
    root : path, optional
        The results folder; by default what `results_dir` returns.

    Attributes
    ----------
    root : Path
        The results folder.
    runs : Path
        Its folder of runs: `runs/<id>/` with config.yaml, record.json, trace.parquet and
        predictions.parquet.
    """

    def __init__(self, root: str | Path | None = None) -> None:
        self.root = results_dir(root)
        self.runs = self.root / "runs"

    def get(self, run_id: str) -> Record | None:
        """Return the record of a finished run, None when there is none."""
        folder = self.runs / run_id
        if not os.path.lexists(folder):
            return None
        try:
            record = load_record(folder, run_id)
            for name in (TRACE, PREDICTIONS):
                if name in (record.get("files") or ()) and not (folder / name).is_file():
                    raise CorruptRecordError(f"{folder / name} is missing")
                _check_table(folder / name)
        except CorruptRecordError as error:
            self._corrupt(folder, str(error))
            return None
        return record

    def path(self, prefix: str) -> Path:
        """Return the folder of the one finished run whose identity starts so."""
        found = self.starting(prefix)
        if len(found) != 1:
            raise UserError(
                f"{len(found) or 'No'} runs in {self.runs} start with '{prefix}': "
                "mcbench results list shows them."
            )
        return self.runs / found[0]

    def starting(self, prefix: str) -> list[str]:
        """Return the names of the finished runs that start so; of a whole name, that one alone."""
        if naming.is_name(prefix) and (self.runs / prefix).is_dir():
            return [prefix]  # the same run of other machines begins so as well
        names = naming.names_in(self.runs) if self.runs.is_dir() else []
        return [name for name in names if name.startswith(prefix)]

    def trace(self, run_id: str) -> "pd.DataFrame":
        """Return the trace of a run, one row per checkpoint; empty when none was kept.

        A run whose trace cannot be read is set aside, so that the next sweep does it again.
        """
        return self._table(run_id, TRACE)

    def predictions(self, run_id: str) -> "pd.DataFrame":
        """Return the test part's labels `y` and those `predicted`, one row per test example.

        Empty when none were kept: the run measured something else, or is of an older version. A
        run whose predictions cannot be read is set aside, as for `trace`.
        """
        return self._table(run_id, PREDICTIONS)

    def _table(self, run_id: str, name: str) -> "pd.DataFrame":
        import pandas as pd
        from pyarrow import ArrowException

        path = self.runs / run_id / name
        if not path.is_file():
            return pd.DataFrame()
        try:
            return pd.read_parquet(path)
        except (ArrowException, OSError) as error:
            text = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            self._corrupt(path.parent, f"{path} cannot be read ({text})")
            return pd.DataFrame()

    def frame(self) -> "pd.DataFrame":
        """Return all finished runs, one row each, columns with dotted names."""
        return self.find()

    def find(self, *filters: str) -> "pd.DataFrame":
        """Return the runs that all filters allow, e.g. "dataset=satimage", "solver=kkt,cache"."""
        with quick():
            return self.listing(*filters).frame()

    def listing(self, *filters: str) -> Listing:
        """Return the same without pandas, which takes longer to import than runs to list."""
        from mcbench.query import apply_filters

        with quick():
            return apply_filters(Listing.of(read_index(self.runs, self._corrupt)), filters)

    def claim(self, record: Record, *, replaces: Record | None = None) -> Claim | None:
        """Claim a run for this process; None when it is done or another process is at it."""
        return claim(self.runs, record, replaces=replaces)

    def finish(self, mine: Claim, record: Record) -> None:
        """Move an ended run to its place and add it to the index."""
        with writing(self.root):
            mine.finish(record)
        append(self.runs, record)

    def running(self) -> list[tuple[Record, bool]]:
        """Return the runs in progress, each with whether its process still lives."""
        return in_progress(self.runs)

    def sweep(self) -> int:
        """Clear what dead processes left; return how many unfinished runs that were."""
        return sweep(self.runs)

    def rebuild(self) -> int:
        """Write the index again from the folders; return the number of finished runs."""
        path = self.runs / INDEX
        with writing(self.root):
            if path.is_dir() and not path.is_symlink():
                self.set_aside(path)
            path.unlink(missing_ok=True)
        return len(read_index(self.runs, self._corrupt))

    @property
    def aside(self) -> Path:
        """Where runs are that cannot be read."""
        return self.runs / CORRUPT

    def set_aside(self, path: Path) -> bool:
        """Move what cannot be read out of the way; return whether that was possible."""
        place = self.aside
        try:
            place.mkdir(exist_ok=True)
            with locked(self.runs):
                path.rename(_free(place / path.name))
        except OSError:
            return False
        return True

    def _corrupt(self, folder: Path, reason: str) -> None:
        """Set a run aside that cannot be read, and say so."""
        done = self.set_aside(folder)
        where = f"set aside in {self.aside}" if done else "ignored"
        warnings.warn(f"Corrupt run {where}: {reason}.", stacklevel=3)


def _free(path: Path) -> Path:
    """Return the path with the first number that no file has."""
    return next(
        found
        for number in count()
        if not os.path.lexists(found := path.with_name(f"{path.name}.{number}"))
    )


def _check_table(path: Path) -> None:
    """Raise a `CorruptRecordError` for a table that is plainly not whole; a glance at its ends."""
    if os.path.lexists(path) and not path.is_file():
        raise CorruptRecordError(f"{path} is no file")
    try:
        with path.open("rb") as file:
            head = file.read(len(PARQUET))
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(PARQUET)))
            tail = file.read()
    except FileNotFoundError:
        return
    except OSError as error:
        raise CorruptRecordError(f"{path} cannot be read ({error.strerror})") from error
    if size <= 2 * len(PARQUET) or head != PARQUET or tail != PARQUET:
        raise CorruptRecordError(f"{path} is not a whole Parquet file")
