"""Errors of tables. bot/text/errors has the message for each code.

An action against the rules of a game raises `bot.game.contract.IllegalAction` instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Fact


class Rejected(Exception):
    """A refusal; nothing has changed. `code` is the reason, `facts` fill in its message."""

    def __init__(self, code: str, /, **facts: Fact) -> None:
        self.code = code
        self.facts: Mapping[str, Fact] = facts
        listed = ", ".join(f"{name}={value!r}" for name, value in facts.items())
        super().__init__(f"{code} ({listed})" if facts else code)


class UnknownTable(Rejected):
    """There is no such `table`."""


class NotPlaying(Rejected):
    """The table is not playing: it is in the lobby, paused, asleep or over."""


class RulesUnavailable(Rejected):
    """This version of the program cannot read the table; another version may."""


class TableDamaged(Rejected):
    """The log of `table` breaks the rules at entry `seq`. Other tables are not affected."""


class StaleDecision(Rejected):
    """The decision that `seat` answers is no longer pending."""


class NothingToUndo(Rejected):
    """There is no action to undo."""


class NoPlan(Rejected):
    """The plan does not exist, or has changed since it was shown."""


class StoreUnavailable(Rejected):
    """The database cannot be read or written at the moment. A later retry may succeed."""


class ConflictingWrite(Rejected):
    """Someone else wrote to the table at the same moment. A retry helps."""


class StaleCopy(ConflictingWrite):
    """Another process has changed the table since it was read. Read it again and retry."""


class NotOurs(Exception):
    """Another process owns the table now and does its background work.

    It ends such work here quietly. No user sees it, as no user asked for the work.
    """
