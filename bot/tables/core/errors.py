"""Why something at a table cannot be done. bot/text turns the codes into words.

TableError
- of the table: UnknownTable, NotStarted, AlreadyStarted, TablePaused, TableAsleep, TableOver,
  TableDamaged, RulesChanged, TitleGone
- of the person: NotSeated, NotYourSeat, AlreadySeated, NotAutopiloted
- of the seats: TableFull, TooFewSeats, NoComputer, SeatTaken, NotLate, AlreadyAutopiloted
- of what was asked: UnknownGame, UnknownOption, UnknownPolicy, NotHost, StaleDecision
- of promises: NothingOffered, PromiseWithComputer, PromiseTooLong, PromiseClosed, NotYourPromise
- of undoing: NothingToUndo, NotYoursToUndo, Barrier
- of proposals: AnotherProposal, NoProposal
- of personal settings: UnknownZone, BadSetting
- of plans: NoPlan, TooManyPlans, NotYetArmed
- of rematches, notes and servers: NotOver, RematchOpen, NoteTooLong, BadServerSetting
- of how many tables are open: TooManyTables, TooManyOwn, TooManyInAll
- of files: NotAGame, NotWhole, OtherRules, DoesNotFit
- of the moment: StoreUnavailable, ConflictingWrite

What the rules of a game forbid is `bot.game.contract.IllegalAction` instead. NotOurs is no refusal
that anybody reads: it ends work that nobody has asked for.
"""

from __future__ import annotations

from typing import ClassVar

from bot.game.contract import Fact


class TableError(Exception):
    """Nothing has changed. `code` says why, `facts` of what (named as in an event)."""

    code: ClassVar[str] = "table_error"

    def __init__(self, **facts: Fact) -> None:
        self.facts = facts
        listed = ", ".join(f"{name}={value!r}" for name, value in facts.items())
        super().__init__(f"{self.code} ({listed})" if facts else self.code)


class UnknownTable(TableError):
    """There is no such `table`."""

    code = "unknown_table"


class NotStarted(TableError):
    """The game has not begun."""

    code = "not_started"


class AlreadyStarted(TableError):
    """The game has begun: players and options are fixed."""

    code = "already_started"


class UnknownZone(TableError):
    """There is no such time `zone`."""

    code = "unknown_zone"


class BadSetting(TableError):
    """A personal `setting` cannot have that value."""

    code = "bad_setting"


class TablePaused(TableError):
    """All have agreed to rest: nobody can act."""

    code = "table_paused"


class TableAsleep(TableError):
    """The table sleeps: who sits there must wake it first."""

    code = "table_asleep"


class SeatTaken(TableError):
    """`seat` has somebody who plays, or none is free where it is -1."""

    code = "seat_taken"


class NotLate(TableError):
    """`name` has not been awaited for `hours` yet."""

    code = "not_late"


class AlreadyAutopiloted(TableError):
    """A computer player acts for `name` already."""

    code = "already_autopiloted"


class TableOver(TableError):
    """The table is finished or abandoned: see `status`."""

    code = "table_over"


class TableDamaged(TableError):
    """The log of `table` does not fit the rules at entry `seq`; other tables are not concerned."""

    code = "table_damaged"


class RulesChanged(TableError):
    """The table began under rules `version` of `game`, which the program does not have.

    Its newest version is `now`.
    """

    code = "rules_changed"


class NotSeated(TableError):
    """The person has no seat here."""

    code = "not_seated"


class NotYourSeat(TableError):
    """`seat` belongs to somebody else."""

    code = "not_your_seat"


class NotAutopiloted(TableError):
    """No computer player acts for the person."""

    code = "not_autopiloted"


class AlreadySeated(TableError):
    """The person has `seat` already."""

    code = "already_seated"


class TableFull(TableError):
    """All `seats` are taken."""

    code = "table_full"


class TooFewSeats(TableError):
    """`seats` are taken, `needed` are needed."""

    code = "too_few_seats"


class NoComputer(TableError):
    """There is no computer player on that seat, or on any."""

    code = "no_computer"


class UnknownGame(TableError):
    """The program has no such `game`."""

    code = "unknown_game"


class TitleGone(TableError):
    """The table plays `game`, which this program does not have."""

    code = "title_gone"


NOT_HERE = (RulesChanged, TitleGone)
"""What keeps this version of the program from reading a table, and may not keep another."""


class UnknownOption(TableError):
    """The game has no such `option`, or it has no such `value`."""

    code = "unknown_option"


class UnknownPolicy(TableError):
    """The game has no computer player of that `policy`."""

    code = "unknown_policy"


class NotHost(TableError):
    """Only the person who opened the table can do this."""

    code = "not_host"


class StaleDecision(TableError):
    """What `seat` answers is not being asked any more."""

    code = "stale_decision"


class NothingOffered(TableError):
    """A promise goes with an offer, and the action makes none."""

    code = "nothing_offered"


class PromiseWithComputer(TableError):
    """The offer is to `name`, a computer player, who cannot read words."""

    code = "promise_with_computer"


class PromiseTooLong(TableError):
    """A promise has at most `most` characters."""

    code = "promise_too_long"


class PromiseClosed(TableError):
    """The promise has been marked already, or its deal was never made."""

    code = "promise_closed"


class NotYourPromise(TableError):
    """Only who was promised something may say whether it was kept."""

    code = "not_your_promise"


class NothingToUndo(TableError):
    """Nobody has done anything yet that could be taken back."""

    code = "nothing_to_undo"


class NotYoursToUndo(TableError):
    """What was done last was done by `other`."""

    code = "not_yours_to_undo"


class Barrier(TableError):
    """What was done cannot be taken back alone; `why`: a draw, or something that came out."""

    code = "barrier"


class AnotherProposal(TableError):
    """Something else of that `kind` is proposed at the table."""

    code = "another_proposal"


class NoProposal(TableError):
    """Nothing of that `kind` is proposed here, or not any more."""

    code = "no_proposal"


class NoPlan(TableError):
    """There is no such plan, or not any more as it was shown."""

    code = "no_plan"


class TooManyPlans(TableError):
    """A seat can keep at most so many plans: `most`."""

    code = "too_many_plans"


class NotYetArmed(TableError):
    """A plan plays itself when a turn comes, and this person is on turn already."""

    code = "not_yet_armed"


class NotOver(TableError):
    """The game still goes on."""

    code = "not_over"


class RematchOpen(TableError):
    """There is a rematch of that table already: `table`."""

    code = "rematch_open"


class NoteTooLong(TableError):
    """What somebody notes for themselves has at most `most` characters at a table."""

    code = "note_too_long"


class BadServerSetting(TableError):
    """A server's `setting` cannot have that value."""

    code = "bad_server_setting"


class TooManyTables(TableError):
    """In that server are as many tables open as there may be: `most`."""

    code = "too_many_tables"


class TooManyOwn(TableError):
    """The person has as many tables open there as one may have: `most`."""

    code = "too_many_own"


class TooManyInAll(TableError):
    """The person has as many tables open as one may have in all places together: `most`."""

    code = "too_many_in_all"


class NotAGame(TableError):
    """A file is too large, or nothing that a table has written."""

    code = "not_a_game"


class NotWhole(TableError):
    """A file is what one person knew of a game, or a report: no game can go on from it."""

    code = "not_whole"


class OtherRules(TableError):
    """The game of a file is of rules `version`; the program has no such, its newest is `now`."""

    code = "other_rules"


class DoesNotFit(TableError):
    """Entry `seq` of a game in a file fits neither its rules nor its key; -1 for the whole."""

    code = "does_not_fit"


class StoreUnavailable(TableError):
    """The database cannot be read or written just now; trying again later may help."""

    code = "store_unavailable"


class ConflictingWrite(TableError):
    """Something else wrote to the table at the same moment; trying again helps."""

    code = "conflict"


class StaleCopy(ConflictingWrite):
    """Another process has written what this one had read; whoever reads it again may try again."""


class NotOurs(Exception):
    """Another process does what is due at that table, or has begun to: here it ends quietly."""
