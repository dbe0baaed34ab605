"""What the errors of a driver mean."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from bot.store import BrokenDatabase, StoreError, Unavailable
from bot.store.failures import failure


class FromServer(Exception):
    """An error to which the server gave a state."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self.sqlstate = state


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (FromServer("57P01"), Unavailable),
        (FromServer("42703"), BrokenDatabase),
        (RuntimeError("another operation is in progress"), Unavailable),
    ],
    ids=["ended by an administrator", "no such column", "the driver alone"],
)
def test_only_what_the_server_says_for_good_is_for_good(
    cause: Exception, kind: type[StoreError]
) -> None:
    assert type(failure(DBAPIError("SELECT 1", {}, cause))) is kind
