"""Why something at a table cannot be done. bot/text/errors turns the codes into words.

What the rules of a game forbid is `bot.game.contract.IllegalAction` instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Fact


class Rejected(Exception):
    """Nothing has changed. `code` says why, `facts` of what (named as in an event)."""

    def __init__(self, code: str, /, **facts: Fact) -> None:
        self.code = code
        self.facts: Mapping[str, Fact] = facts
        listed = ", ".join(f"{name}={value!r}" for name, value in facts.items())
        super().__init__(f"{code} ({listed})" if facts else code)


class UnknownTable(Rejected):
    """There is no such `table`."""


class NotPlaying(Rejected):
    """No game is going on at the table: it is in the lobby, paused, asleep or over."""


class NotHere(Rejected):
    """This version of the program cannot read the table; another one may."""


class TableDamaged(Rejected):
    """The log of `table` does not fit the rules at entry `seq`; other tables are not concerned."""


class StaleDecision(Rejected):
    """What `seat` answers is not being asked any more."""


class NothingToUndo(Rejected):
    """Nobody has done anything yet that could be taken back."""


class NoPlan(Rejected):
    """There is no such plan, or not any more as it was shown."""


class StoreUnavailable(Rejected):
    """The database cannot be read or written just now; trying again later may help."""


class ConflictingWrite(Rejected):
    """Something else wrote to the table at the same moment; trying again helps."""


class StaleCopy(ConflictingWrite):
    """Another process has written what this one had read; whoever reads it again may try again."""


class NotOurs(Exception):
    """Another process does what is due at that table, or has begun to: here it ends quietly.

    Nobody reads it: it ends work that nobody has asked for.
    """
