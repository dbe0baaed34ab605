"""What simcord and discord.py do anew for each bot and each request, done in less time.

Of the time of tests on simcord a sixth went into copying JSON, and a quarter into looking through
timers and callbacks.
"""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from simcord import _dpy_internals, _runtime, components, gateway, results
from simcord.http import router

from bot import client
from bot.client import are_known

_PLAIN = (str, int, float, type(None))


def copied(value: Any) -> Any:
    """As `deepcopy`, for what is JSON for the most part."""
    kind = type(value)
    if kind is dict:
        return {key: copied(each) for key, each in value.items()}
    if kind is list:
        return [copied(each) for each in value]
    return value if kind in _PLAIN or kind is bool else deepcopy(value)


def install() -> None:
    """For all bots of this process."""
    vars(router)["copy"] = vars(gateway)["copy"] = SimpleNamespace(deepcopy=copied)
    for module in (components, results):
        vars(module)["deepcopy"] = copied
    # A record is the same as itself alone, so that a list of them is searched without comparing
    # every callback with every other.
    vars(_dpy_internals)["is_sleep_waiter"] = _sleeps
    record: Any = _runtime._CallbackRecord
    record.__eq__ = object.__eq__
    vars(client)["are_known"] = _are_known


def _sleeps(waiter: Any, loop: Any, deadline: float) -> bool:
    """Whether a task waits for nothing but a timer after the deadline.

    A loop has hundreds of timers, most of them cancelled: their arguments tell the one soonest.
    """
    if waiter is None or waiter.done():
        return False
    for handle in loop._scheduled:
        args = handle._args
        if args and any(each is waiter for each in args) and handle.when() > deadline:
            callback = _dpy_internals._original_callback(handle._callback)
            if getattr(callback, "__name__", "") == "_set_result_unless_cancelled":
                return True
    return False


def _are_known(known: Any, wanted: Any, *, in_guild: bool) -> bool:
    """A Discord that knows no command need not be compared with what it should know."""
    return bool(known) and are_known(known, wanted, in_guild=in_guild)
