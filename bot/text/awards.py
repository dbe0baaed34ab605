"""Records and achievements of a game: what they measure, and their words.

They are data: data/<game>/awards.toml, or data/awards.toml for a game without its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

import msgspec

from bot.game.content import read
from bot.game.contract import Event, Outcome, Seat
from bot.resources import data
from bot.text.game_data import EventFilter, size
from bot.text.markup import bold
from bot.text.words import Forms, Message, Words


class Award(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, the highest (or `lowest`) value in a server; or an achievement, with the limits
    `least` or `most`.

    It measures a seat's final "score", or a winner's "margin" over the best other seat or number
    of "rounds". Or it takes the seat's events that `of` selects: their number, or the "total" of a
    `fact`, or the "best" one. Facts that are texts or lists count by length. With `won`, only
    winners count, and with `endings`, only games that ended so.

    `text` describes the value of a record, or what was achieved.
    """

    title: Message
    text: Message | Forms
    measure: Literal["score", "margin", "rounds", "total", "best"]
    of: EventFilter | None = None
    fact: str = ""
    lowest: bool = False
    least: int | None = None
    most: int | None = None
    won: bool = False
    endings: tuple[str, ...] = ()

    @property
    def better(self) -> int:
        """1 for a record that higher values beat, -1 for one that lower ones beat, else 0."""
        return 0 if (self.least, self.most) != (None, None) else -1 if self.lowest else 1

    def counts(self, value: int) -> bool:
        """Return whether the value is within the limits. 0 is no highest record."""
        return (
            (value > 0 or self.better < 1)
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
        )

    def described(self, words: Words, value: int) -> str:
        """Return a record with its value, or an achievement with its meaning."""
        return words(
            "{title} ({value})",
            title=bold(words(self.title)),
            value=words.phrase(self.text, value),
        )


@cache
def awards(game: str) -> Mapping[str, Award]:
    """Return the awards of a game by name, records first."""
    path = data(game, "awards.toml")
    return read(path if path.is_file() else data("awards.toml"), dict[str, Award])


def measured(
    award: Award, events: Sequence[Event], outcome: Outcome, rounds: int
) -> list[tuple[Seat, int]]:
    """Return the seats with a value that counts, best first."""
    if award.endings and outcome.ending not in award.endings:
        return []
    is_for_winners = award.won or award.measure in ("margin", "rounds")
    seats = outcome.winners if is_for_winners else range(len(outcome.scores))
    values = ((seat, _value(award, seat, events, outcome, rounds)) for seat in seats)
    found = [(seat, value) for seat, value in values if award.counts(value)]
    return sorted(found, key=lambda each: each[1], reverse=not award.lowest)


def _value(award: Award, seat: Seat, events: Sequence[Event], outcome: Outcome, rounds: int) -> int:
    score = outcome.scores[seat]
    if award.of is None:
        others = [each for other, each in enumerate(outcome.scores) if other != seat]
        margin = score - max(others, default=0)
        return {"score": score, "margin": margin, "rounds": rounds}[award.measure]
    # The kind first, as all facts of an event take longer.
    own = (event for event in events if event.kind == award.of.event and event.by == seat)
    selected = filter(award.of.fits, own)
    values = [size(event.facts[award.fact]) if award.fact else 1 for event in selected]
    return max(values, default=0) if award.measure == "best" else sum(values)
