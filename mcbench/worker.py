"""A process that executes runs of a share until there are none left."""

import os
import signal
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from mcbench.process import is_alive, owner
from mcbench.pulse import Pulse
from mcbench.share import Order, Share
from mcbench.store import Store
from mcbench.sweep import run_one

#: Seconds between looks at what the sweep says, and how long a run may take to give up.
WATCH_S = 1.0
GRACE_S = 5.0


def work(_: Any, *, folder: str) -> int:
    """Execute runs until none is left; return how many that were. A task function for Hydra.

    Parameters
    ----------
    folder : str
        Of the share.
    """
    _listen_to_interruptions()
    share = Share(Path(folder))
    order = share.order()
    share.say(joined=owner())
    watch = _Watch(share, order)
    try:
        with Pulse(WATCH_S, watch.look):
            return _work(share, order)
    except KeyboardInterrupt:
        if watch.deserted:  # nobody is there to hear how it ended
            os._exit(1)
        raise
    finally:
        if share.folder.exists():
            share.say(left=True)


def _work(share: Share, order: Order) -> int:
    store = Store(order.root)
    done = 0
    while (number := share.take(len(order.plans))) is not None:
        share.say(begun=number)
        outcome = run_one(
            order.plans[number],
            store,
            order.rerun,
            on_retry=partial(_tell, share),
            parallel=order.parallel,
        )
        if outcome.bad and order.stop_on_error:
            share.stop()
        share.ended(number, outcome)
        done += 1
    return done


def _listen_to_interruptions() -> None:
    """Undo what a shell's background, or `mcbench.launch`, made this process inherit."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _tell(share: Share, sentence: str) -> None:
    share.say(retry=sentence)


class _Watch:
    """Interrupts the work when the sweep was interrupted, or is gone and was to be followed."""

    def __init__(self, share: Share, order: Order) -> None:
        self._share = share
        self._order = order
        self._since: float | None = None
        self.deserted = False

    def look(self) -> None:
        """Give a sign of life, and look whether the work is still wanted."""
        self._share.touch()
        here = not self._order.outlives
        self.deserted = self.deserted or (here and not is_alive(self._order.owner, 0.0))
        if not self.deserted and not self._share.interrupted:
            return
        if self._since is None:
            self._since = time.monotonic()
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        elif time.monotonic() - self._since > GRACE_S:
            os._exit(1)  # the run does not listen; what it claimed counts as expired
