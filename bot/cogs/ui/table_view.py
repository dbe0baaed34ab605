"""What one observer sees of one table at one moment, in words, and how people are named there."""

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
from bot.tables import GIVEN, MAX_PROMISE, ObservedTable, Promise, PromiseStanding, Table
from bot.tables.core.log import OF_TABLE as TABLE_EVENT_KINDS
from bot.tables.core.log import Undone
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
"""The newest events that are put into words at once; a message has no room for more."""
TABLE_EVENT_MESSAGES = {
    "resigned": general.RESIGNED,
    "autopiloted": msg("🤖 A computer player is playing for {name} for now."),
    "plays_again": msg("🧑 {name} is back and playing."),
    "claimed": msg("🧑 {name} takes the seat back from the computer player."),
    "paused": msg("⏸️ {name} asked for a break and everyone agreed: the game is paused."),
    "resumed": msg("▶️ {name} asked to resume and everyone agreed: the game continues."),
    "fell_asleep": msg("💤 No moves for weeks, so this table is now asleep."),
    "came_to_rest": msg("💤 Only computers are playing now, so the game has stopped."),
    "woke": msg("▶️ {name} wakes the table and the game continues."),
}
PROMISES = {
    Promised: promise_text.MADE,
    PromiseAsked: msg("📜 {seat} asks {other} to promise: {said}"),
}
OF_TABLE = frozenset({*TABLE_EVENT_KINDS, *(event.kind for event in PROMISES)})
"""The events that come from the table and not from its game."""
_PLAIN = Words()
"""A language whose words change with no setting and no sign."""

BOARD = "board.png"
"""The file name of each picture of a table: a number in it would reveal how much was done in
secret."""
QUESTION = "question.png"
"""The file name of one on which a question is lit: a panel that asks something else removes it."""


@dataclass(frozen=True, kw_only=True)
class TableView(ObservedTable):
    """A table as one observer sees it, and the words to say it in."""

    title: Title
    words: Words
    user: int | None = None
    """Who is shown it, in private; None where everybody is."""
    plan: str | None = None
    """The step of a plan that it shows, on a private copy of the table; None for the table."""
    tried: tuple[Event, ...] = ()
    """What the last action of that plan brings."""
    ends: GameEnds | None = None
    """Which of the observer's actions would end the game, at this moment."""

    @cached_property
    def text(self) -> AnyGameWords:
        """The words of what the table plays, for whoever looks."""
        return self.title.text(self.words, self.names, self.view)

    @cached_property
    def looks(self) -> Looks:
        """How the sides of each seat look, as far as the observer may know."""
        seats = len(self.table.players)
        return looks_of(self.title.pictures.sides(self.view, seats), seats)

    def accent(self, seat: Seat) -> int | None:
        """The colour of the seat's first side as RGB; None where the observer may not know it."""
        looks = self.looks[seat]
        return rgb(SIDE_LOOKS[looks[0]].fill) if looks else None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the table that can be shown large; none where the board shows all."""
        return self.title.pictures.parts(self.view)

    @property
    def home(self) -> CustomId:
        """The id that leads to what is asked in it."""
        return CustomId("start" if self.plan is None else "plan", self.table.id, self.plan)

    def end_of(self, seat: Seat, actions: Sequence[Action]) -> GameEnd | None:
        """How these actions of the observer's seat would end the game; None if they would not."""
        return None if self.ends is None else self.ends.of(seat, actions)

    @cached_property
    def names(self) -> tuple[Written, ...]:
        """The players' names, by seat."""
        return names_of(self.words, self.table)

    @cached_property
    def quoted(self) -> tuple[Name, ...]:
        """The names for plain words that are shown where markdown is read."""
        return tuple(map(InMarkdown, self.names))

    def main(self, seat: Seat) -> Decision | None:
        """What the seat is asked first: what everybody waits for, else what it may still change."""
        mine = (each for each in self.pending if each.seat == seat)
        asked = [each for each in mine if not each.optional or each.kind != ANSWER]
        return min(asked, key=lambda each: each.optional, default=None)

    def main_id(self, seat: Seat) -> str | None:
        """The id of that."""
        main = self.main(seat)
        return None if main is None else main.id

    def offers(self, seat: Seat) -> list[Decision]:
        """The open offers that the seat may answer."""
        return [d for d in self.pending if d.seat == seat and d.kind == ANSWER]

    def pressed_as(self, decision: Decision) -> str:
        """The id of a decision of the observer's, as their buttons carry it.

        The number of an offer that was taken back is given to the next one. So with an offer's id
        goes a hash of what it says: a button answers the offer beside which it stood, or nothing.
        """
        if decision.kind != ANSWER:
            return decision.id
        seats = [Written(str(seat)) for seat in range(len(self.table.players))]
        said = [self.title.text(_PLAIN, seats, self.view).question(decision)]
        said += [each.words for each in self._promised(decision)]
        print_ = blake2b("\n".join(said).encode(), digest_size=HASH_BYTES).hexdigest()
        return f"{decision.id}.{print_}"

    def _promised(self, offer: Decision) -> list[Promise]:
        """The promises that go with an offer."""
        return [each for each in self.promises if each.offer == offer_of(offer)]

    def prompt(self, prefix: Action, choices: Choices) -> str:
        """The question for the next word after `prefix`."""
        return self.text.prompt(prefix, choices)

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        """One choice for the next word after `prefix`."""
        return self.text.label(prefix, choices, word)

    @property
    def given(self) -> tuple[Promise, ...]:
        """The promises whose offers were accepted."""
        return tuple(each for each in self.promises if each.status in GIVEN)

    def offer(self, decision: Decision, most: int = MAX_PROMISE) -> str:
        """An open offer to the observer, with the promises that go with it, in lines.

        Each promise is cut to that many characters.
        """
        lines = [self.text.question(decision)]
        for each in self._promised(decision):
            asked = each.giver == decision.seat
            message = (
                msg("📜 If accepted, {seat} promises {other}: {said}")
                if asked
                else promise_text.MADE
            )
            giver, receiver = self.names[each.giver], self.names[each.receiver]
            said = clip(each.words, most)
            lines.append(promise_text.told(self.words, message, giver, receiver, said))
        return "\n".join(lines)

    def recalled(self) -> list[str]:
        """The open promises that the observer has given or been given, in brief; the newest."""
        mine = [
            each
            for each in self.promises
            if each.status is PromiseStanding.OPEN and self.observer in (each.giver, each.receiver)
        ]
        lines = [
            promise_text.told(
                self.words,
                msg("{seat} promised {other}: {said}"),
                self.names[each.giver],
                self.names[each.receiver],
                clip(each.words, promise_text.BRIEF),
            )
            for each in mine[-promise_text.RECALLED :]
        ]
        if len(mine) > len(lines):
            lines.append(
                self.words("… and {count} more: `/game promises`", count=len(mine) - len(lines))
            )
        return [f"-# 📜 {line}" for line in lines]

    def calls(self, names: Sequence[Name]) -> list[str]:
        """A call to those whom everybody waits for, a line for each kind of decision; of computer
        players alone, that they are thinking."""
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
    def waits_for(self) -> tuple[tuple[Seat, str], ...]:
        """Whom everybody waits for, each with the kind of decision."""
        return tuple((each.seat, each.kind) for each in self.pending if not each.optional)

    def to_act(self, names: Sequence[Name] | None = None) -> list[str]:
        """Whom everybody waits for, and what for, in words."""
        text = self.text.named(names or self.names)
        return [text.to_act(decision) for decision in self.pending if not decision.optional]

    def story(self, events: Sequence[Event]) -> list[str]:
        """What happened, in as few lines as possible; the table's own events among the game's."""
        lines: list[str] = []
        for is_of_table, run in _runs(events):
            if is_of_table:
                lines += map(self._table_event, run)
            else:
                lines += self.text.story(run)
        return lines

    def summary(self, events: Sequence[Event]) -> Summary:
        """The same in a few short lines."""
        lines: list[SummaryLine] = []
        for is_of_table, run in _runs(events):
            if is_of_table:
                lines += [SummaryLine(self._table_event(event)) for event in run]
            else:
                lines += self.text.summary(run)
        return Summary(lines)

    def _table_event(self, event: Event) -> str:
        """One of the table's own events."""
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
                return promise_text.told(self.words, message, giver, receiver, event.words)
            case SeatEvent():
                return self.words(
                    TABLE_EVENT_MESSAGES[event.kind], name=bold(self.names[event.seat])
                )
        return self.words(
            "📥 This game was imported from a file. Anyone with the file knows all its secrets up "
            "to now. From now on, draws use a new key. Fairness check (hash): `{hash}`",
            hash=self.table.key_hash,
        )

    def in_words(self, events: Sequence[Event], names: Sequence[Name] | None = None) -> str:
        """A picture in words: what has just happened, then what matters; by those names, if any,
        in place of quoted ones."""
        happened = of_game(events[-MAX_EVENTS:])
        return self.text.named(names or self.quoted).alt(happened)


def of_game(events: Sequence[Event]) -> list[Event]:
    """The events that come from the game and not from the table."""
    return [event for event in events if event.kind not in OF_TABLE]


def _runs(events: Sequence[Event]) -> Iterator[tuple[bool, list[Event]]]:
    """The newest events, those of the table (True) and of its game apart, in their order."""
    for is_of_table, run in groupby(events[-MAX_EVENTS:], lambda event: event.kind in OF_TABLE):
        yield is_of_table, list(run)


def without_hash(pressed: str | None) -> str | None:
    """The id of the decision that `TableView.pressed_as` gave."""
    return None if pressed is None else pressed.partition(".")[0]


def observer_of(table: Table, user: int) -> Observer:
    """The user's seat, or `SPECTATOR`."""
    seat = table.seat_of(user)
    return SPECTATOR if seat is None else seat


def names_of(words: Words, table: Table) -> tuple[Written, ...]:
    """The players' names by seat; no two look the same."""
    return shown_names(words, table.names)


def mentions_of(words: Words, table: Table) -> list[Name]:
    """A mention of each person who plays, the name of each computer player; by seat."""
    return [
        Mention(player.user, name) if player.is_human and player.user is not None else name
        for player, name in zip(table.players, names_of(words, table), strict=True)
    ]


def owners_of(words: Words, table: Table) -> list[Name]:
    """The same, but people are mentioned as well while a computer player acts for them."""
    return [
        name if player.user is None else Mention(player.user, name)
        for player, name in zip(table.players, names_of(words, table), strict=True)
    ]


def own_name(words: Words, table: Table, user: discord.User | discord.Member) -> Written:
    """The name at the table of somebody who sits there; else their name on Discord."""
    seat = table.seat_of(user.id)
    return called(user) if seat is None else names_of(words, table)[seat]


def called(user: discord.User | discord.Member) -> Written:
    """Somebody's name on Discord; their account's where none of it is visible."""
    return Written(user.display_name) or Written(user.name)


def stored_name(user: discord.User | discord.Member) -> str:
    """Somebody's name on Discord, as it is stored."""
    return cleaned(user.display_name)
