"""Finding one run by the beginning of its identity, or the one that ended last."""

from mcbench import naming
from mcbench.errors import UserError
from mcbench.record import Record
from mcbench.store import CORRUPT, Store
from mcbench.words import few

#: Stands for the run that ended last.
LAST = "last"

#: So many runs are named.
FEW = 5


def find_run(store: Store, text: str) -> Record:
    """Return the finished run whose identity starts so; "last" is the one that ended last.

    Raises
    ------
    UserError
        When there is none or are several, or it is still running or was set aside.
    """
    if text == LAST:
        return _last(store)
    if not text or not (naming.is_name(text) or set(text) <= set("0123456789abcdef")):
        raise UserError(
            f"'{text[: FEW * 8]}' is no identity of a run: give its first letters, or {LAST}; "
            "mcbench table --aggregate none lists runs."
        )
    found = store.starting(text)
    if len(found) > 1:
        listed = few(found, FEW)
        raise UserError(f"{len(found)} runs start with '{text}': give more of {listed}.")
    if not found:
        raise UserError(_elsewhere(store, text))
    record = store.get(found[0])
    if record is None:
        raise UserError(
            f"Run {found[0]} cannot be read and was set aside in {store.runs / CORRUPT}: "
            "run it again."
        )
    return record


def _last(store: Store) -> Record:
    frame = store.frame()
    if frame.empty or "finished" not in frame or not frame["finished"].notna().any():
        raise UserError(f"There are no finished runs in {store.root}: mcbench run makes some.")
    key = frame.sort_values("finished", kind="stable", na_position="first")["id"].iloc[-1]
    record = store.get(key)
    if record is None:
        raise UserError(f"Run {key} cannot be read and was set aside: ask for another.")
    return record


def _elsewhere(store: Store, text: str) -> str:
    """Say where a run is that is not among the finished ones."""
    for record, alive in store.running():
        if record.id.startswith(text) and alive:
            return f"Run {record.id} has not ended yet: mcbench status says how far it is."
        if record.id.startswith(text):
            return f"Run {record.id} did not end, and its process is gone: run it again."
    for path in sorted((store.runs / CORRUPT).glob(f"{text}*")):
        return f"Run {path.stem} could not be read and was set aside in {path}: run it again."
    if not store.starting(""):
        return f"There are no finished runs in {store.root}: mcbench run makes some."
    return (
        f"No run in {store.runs} starts with '{text}': mcbench table --aggregate none lists them."
    )
