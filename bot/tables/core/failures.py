"""How a failure is described in the program's log."""

from __future__ import annotations

import traceback


def describe(error: BaseException) -> str:
    """Where an error came from, without its message: that may show somebody's hand."""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{where}"
