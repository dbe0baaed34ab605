"""What the store answers, its errors as those of a table."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from bot.store import errors as store_errors
from bot.tables.core import errors

T = TypeVar("T")


async def from_store(work: Awaitable[T]) -> T:
    """What the store answers. Raises StoreUnavailable, ConflictingWrite or NotOurs."""
    try:
        return await work
    except store_errors.LeaseLost as error:
        raise errors.NotOurs() from error
    except store_errors.StaleWrite as error:
        raise errors.StaleCopy("conflict") from error
    except store_errors.DuplicateWrite as error:
        raise errors.ConflictingWrite("conflict") from error
    except store_errors.StoreError as error:
        raise errors.StoreUnavailable("store_unavailable") from error
