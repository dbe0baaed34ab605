"""An observer's view of a table, its texts, and the players' names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import groupby

import discord

from bot.cogs.ui.custom_id import CustomId
from bot.game.choices import Choices
from bot.game.contract import (
    ANSWER,
    SPECTATOR,
    Action,
    Decision,
    Event,
    Observer,
    Seat,
    offer_of,
)
from bot.game.events import SeatEvent
from bot.game.game_end import GameEnd, GameEnds
from bot.game.sides import Looks, looks_of
from bot.render.sides import SIDE_LOOKS, rgb
from bot.tables import ACCEPTED, MAX_PROMISE, ObservedTable, Promise, PromiseStatus, Table
from bot.tables.core.log import TABLE_EVENT_KINDS, Imported, Undone
from bot.tables.core.promises import PromiseAsked, Promised, PromiseEvent
from bot.text import (
    AnyGameWords,
    Label,
    Mention,
    Name,
    Summary,
    SummaryLine,
    Words,
    Written,
    bold,
    cleaned,
    clip,
    general,
    msg,
)
from bot.text import promises as promise_text
from bot.text.user_text import InMarkdown, shown_names
from bot.titles.title import Title

HASH_BYTES = 3
MAX_EVENTS = 300
"""Newest events put into words; a message has no room for more."""
TABLE_EVENT_MESSAGES = {
    "resigned": general.RESIGNED,
    "autopiloted": msg("🤖 A computer player is playing for {name} for now."),
    "plays_again": msg("🧑 {name} has their seat back."),
    "claimed": msg("🧑 {name} takes the seat back from the computer player."),
    "played_for": msg("🤖 Everyone agreed: a computer player plays this turn for {name}."),
    "extended": msg("⏳ {name} has more time for this turn."),
    "host_changed": msg("👑 {name} is the host of this table now."),
    "paused": msg("⏸️ {name} asked for a break and everyone agreed: the game is paused."),
    "resumed": msg("▶️ {name} asked to resume and everyone agreed: the game continues."),
    "fell_asleep": msg("💤 No moves for weeks, so this table is now asleep."),
    "came_to_rest": msg("💤 Only computers are playing now, so the game has stopped."),
    "decided": msg("⚖️ This cup game was closed early."),
    "woke": msg("▶️ {name} wakes the table and the game continues."),
}
PROMISES = {
    Promised: promise_text.MADE,
    PromiseAsked: msg("📜 {seat} asks {other} to promise: {said}"),
}
NOT_OF_GAME = frozenset({*TABLE_EVENT_KINDS, *(event.kind for event in PROMISES)})
"""Kinds of events that come from the table and not from its game."""
_PLAIN = Words()
"""Words that depend on no setting and no emoji."""

BOARD = "board.png"
"""File name of all table pictures. A number in it would reveal how much was done in secret."""
QUESTION = "question.png"
"""File name of a picture with marked choices, which a panel with another question removes."""


@dataclass(frozen=True, kw_only=True)
class TableView(ObservedTable):
    """A table as one observer sees it, with the words to describe it."""

    title: Title
    words: Words
    user: int | None = None
    """The user who sees it in private; None if it is public."""
    plan: str | None = None
    """The step of a plan shown on a private copy of the table; None for the table itself."""
    plan_events: tuple[Event, ...] = ()
    """Events of the last action of that plan."""
    ends: GameEnds | None = None
    """Which of the observer's actions would end the game now."""

    @cached_property
    def text(self) -> AnyGameWords:
        """The game's texts in the observer's language."""
        return self.title.text(self.words, self.names, self.view)

    @cached_property
    def looks(self) -> Looks:
        """How each seat's sides look, as far as the observer may know."""
        seats = len(self.table.players)
        return looks_of(self.title.pictures.sides(self.view, seats), seats)

    def accent(self, seat: Seat) -> int | None:
        """Return the colour of the seat's first side as RGB; None if the observer may not know
        it."""
        looks = self.looks[seat]
        return rgb(SIDE_LOOKS[looks[0]].fill) if looks else None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the table that can be shown enlarged; none if the board shows everything."""
        return self.title.pictures.parts(self.view)

    @property
    def home(self) -> CustomId:
        """The custom id that opens its current question."""
        return CustomId("start" if self.plan is None else "plan", self.table.id, self.plan)

    def end_of(self, seat: Seat, actions: Sequence[Action]) -> GameEnd | None:
        """Return how these actions of the observer's seat would end the game; None if they
        wouldn't."""
        return None if self.ends is None else self.ends.of(seat, actions)

    @cached_property
    def names(self) -> tuple[Written, ...]:
        """The players' names, by seat."""
        return names_of(self.words, self.table)

    @cached_property
    def quoted(self) -> tuple[Name, ...]:
        """The names for plain text that is shown as markdown."""
        return tuple(map(InMarkdown, self.names))

    def main(self, seat: Seat) -> Decision | None:
        """Return the seat's decision that the game waits for, else one that it may still change.

        Offers that the seat may answer do not count.
        """
        own = (each for each in self.pending if each.seat == seat)
        decisions = [each for each in own if not each.optional or each.kind != ANSWER]
        return min(decisions, key=lambda each: each.optional, default=None)

    def main_id(self, seat: Seat) -> str | None:
        main = self.main(seat)
        return None if main is None else main.id

    def offers(self, seat: Seat) -> list[Decision]:
        """Return the open offers that the seat may answer."""
        return [d for d in self.pending if d.seat == seat and d.kind == ANSWER]

    def button_id(self, decision: Decision) -> str:
        """Return the id of the observer's decision as their buttons carry it.

        A withdrawn offer's number is reused by the next offer. So an offer's id comes with a hash
        of its text: a button answers the offer of its own message or none.
        """
        if decision.kind != ANSWER:
            return decision.id
        seats = [Written(str(seat)) for seat in range(len(self.table.players))]
        lines = [self.title.text(_PLAIN, seats, self.view).question(decision)]
        lines += [each.words for each in self._promised(decision)]
        digest = blake2b("\n".join(lines).encode(), digest_size=HASH_BYTES).hexdigest()
        return f"{decision.id}.{digest}"

    def _promised(self, offer: Decision) -> list[Promise]:
        return [each for each in self.promises if each.offer == offer_of(offer)]

    def prompt(self, prefix: Action, choices: Choices) -> str:
        """Return the question for the next word after `prefix`."""
        return self.text.prompt(prefix, choices)

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        """Return the label of one choice for the next word after `prefix`."""
        return self.text.label(prefix, choices, word)

    @property
    def accepted_promises(self) -> tuple[Promise, ...]:
        """The promises whose offers were accepted."""
        return tuple(each for each in self.promises if each.status in ACCEPTED)

    def offer(self, decision: Decision, max_promise: int = MAX_PROMISE) -> str:
        """Return the lines of an open offer to the observer, with its promises.

        Each promise is cut to `max_promise` characters.
        """
        lines = [self.text.question(decision)]
        for each in self._promised(decision):
            is_requested = each.giver == decision.seat
            message = (
                msg("📜 If accepted, {seat} promises {other}: {said}")
                if is_requested
                else promise_text.MADE
            )
            giver, receiver = self.names[each.giver], self.names[each.receiver]
            content = clip(each.words, max_promise)
            lines.append(promise_text.promise_line(self.words, message, giver, receiver, content))
        return "\n".join(lines)

    def promise_lines(self) -> list[str]:
        """Return short lines of the newest open promises that the observer gave or received."""
        promises = [
            each
            for each in self.promises
            if each.status is PromiseStatus.OPEN and self.observer in (each.giver, each.receiver)
        ]
        lines = [
            promise_text.promise_line(
                self.words,
                msg("{seat} promised {other}: {said}"),
                self.names[each.giver],
                self.names[each.receiver],
                clip(each.words, promise_text.MAX_REMINDER),
            )
            for each in promises[-promise_text.MAX_REMINDED :]
        ]
        more = len(promises) - len(lines)
        if more:
            lines.append(self.words("… and {count} more: `/game promises`", count=more))
        return [f"-# 📜 {line}" for line in lines]

    def calls(self, names: Sequence[Name]) -> list[str]:
        """Return a line for each kind of pending decision, calling the players to act.

        Computer players alone get lines that they are thinking.
        """
        kinds: dict[str, list[Seat]] = {}
        for decision in self.pending:
            if not decision.optional:
                kinds.setdefault(decision.kind, []).append(decision.seat)
        lines = []
        for kind, seats in kinds.items():
            if any(self.table.players[seat].user is not None for seat in seats):
                lines.append(self.text.called(kind, [names[seat] for seat in seats]))
            else:
                lines += [self.words("{name} is thinking…", name=names[seat]) for seat in seats]
        return lines

    @property
    def seats_to_act(self) -> tuple[tuple[Seat, str], ...]:
        """The seats to act, each with the kind of its decision."""
        return tuple((each.seat, each.kind) for each in self.pending if not each.optional)

    def to_act(self, names: Sequence[Name] | None = None) -> list[str]:
        """Return a line for each player to act and their decision."""
        text = self.text.named(names or self.names)
        return [text.to_act(decision) for decision in self.pending if not decision.optional]

    def story(self, events: Sequence[Event]) -> list[str]:
        """Return the events of the game and the table in as few lines as possible."""
        lines: list[str] = []
        for is_of_table, run in _runs(events):
            if is_of_table:
                lines += map(self._table_event, run)
            else:
                lines += self.text.story(run)
        return lines

    def summary(self, events: Sequence[Event]) -> Summary:
        """Return a summary of the events in a few short lines."""
        lines: list[SummaryLine] = []
        for is_of_table, run in _runs(events):
            if is_of_table:
                lines += [SummaryLine(self._table_event(event)) for event in run]
            else:
                lines += self.text.summary(run)
        return Summary(lines)

    def _table_event(self, event: Event) -> str:
        match event:
            case Undone():
                return self.words.plural(
                    "↩️ {seat} undoes an action.",
                    "↩️ {count} actions undone at {seat}'s request.",
                    event.count,
                    seat=bold(self.names[event.seat]),
                )
            case PromiseEvent():
                giver, receiver = self.names[event.seat], self.names[event.other]
                message = PROMISES[type(event)]
                return promise_text.promise_line(self.words, message, giver, receiver, event.words)
            case SeatEvent():
                return self.words(
                    TABLE_EVENT_MESSAGES[event.kind], name=bold(self.names[event.seat])
                )
            case _ if self.table.lesson is not None:
                return self.words("🎓 The lesson began.")
            case Imported(round=round_) if self.table.source is not None:
                start = msg(
                    "📥 This game continues from round {round} of table {table}. It doesn't count "
                    "for ratings."
                )
                if not round_:
                    start = msg(
                        "📥 This game continues from the start of table {table}. It doesn't count "
                        "for ratings."
                    )
                known = msg(
                    "Anyone who has seen the replay of that game knows its secrets up to now."
                )
                begun = self.words(start, round=round_, table=self.table.source)
            case _:
                begun = self.words(
                    "📥 This game was imported from a file. It doesn't count for ratings."
                )
                known = msg("Anyone with the file knows all its secrets up to now.")
        key = self.words(
            "From now on, draws use a new key. Fairness check (hash): `{hash}`",
            hash=self.table.key_hash,
        )
        return f"{begun} {self.words(known)} {key}"

    def board_text(self, events: Sequence[Event], names: Sequence[Name] | None = None) -> str:
        """Return a text version of the board: the latest events, then the position.

        It uses the given `names`, or else `quoted`.
        """
        return self.text.named(names or self.quoted).alt(game_events(events[-MAX_EVENTS:]))


def game_events(events: Sequence[Event]) -> list[Event]:
    """Return the events that come from the game and not from the table."""
    return [event for event in events if event.kind not in NOT_OF_GAME]


def _runs(events: Sequence[Event]) -> Iterator[tuple[bool, list[Event]]]:
    """Split the newest events into runs of the table's own (True) and of the game's."""
    for is_of_table, run in groupby(events[-MAX_EVENTS:], lambda event: event.kind in NOT_OF_GAME):
        yield is_of_table, list(run)


def without_hash(pressed: str | None) -> str | None:
    """Return the decision's id from the result of `TableView.button_id`."""
    return None if pressed is None else pressed.partition(".")[0]


def observer_of(table: Table, user: int) -> Observer:
    """Return the user's seat, or `SPECTATOR`."""
    seat = table.seat_of(user)
    return SPECTATOR if seat is None else seat


def names_of(words: Words, table: Table) -> tuple[Written, ...]:
    """Return the players' names by seat; no two look the same."""
    return shown_names(words, table.names)


def mentions_of(words: Words, table: Table) -> list[Name]:
    """Return by seat a mention of each person, and the name of each computer player."""
    return [
        Mention(player.user, name) if player.is_human and player.user is not None else name
        for player, name in zip(table.players, names_of(words, table), strict=True)
    ]


def owners_of(words: Words, table: Table) -> list[Name]:
    """Return `mentions_of`, but also mention people while a computer player acts for them."""
    return [
        name if player.user is None else Mention(player.user, name)
        for player, name in zip(table.players, names_of(words, table), strict=True)
    ]


def own_name(words: Words, table: Table, user: discord.User | discord.Member) -> Written:
    """Return a player's name at the table; for others, their name on Discord."""
    seat = table.seat_of(user.id)
    return discord_name(user) if seat is None else names_of(words, table)[seat]


def discord_name(user: discord.User | discord.Member) -> Written:
    """Return a user's display name, or their account's name if nothing of it is visible."""
    return Written(user.display_name) or Written(user.name)


def stored_name(user: discord.User | discord.Member) -> str:
    """Return a user's display name as it is stored."""
    return cleaned(user.display_name)
