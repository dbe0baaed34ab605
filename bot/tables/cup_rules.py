"""The rules of cups and leagues: pairings, points and standings.

Everything here is a function of a `Cup`. Its draws come from its key, like those of a table: the
key's hash is posted when the sign-up opens, and the key at the end.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

MIN_ENTRANTS, MAX_ENTRANTS = 4, 64
FINAL = -1
"""The group of the final."""


class Format(StrEnum):
    GROUP = "group"
    """A single group, in which everyone meets as many others as possible."""
    FINAL = "final"
    """As many groups as a table has seats; the winner of each plays the final."""
    SWISS = "swiss"
    """In each round, people with similar results play each other."""
    LEAGUE = "league"
    """Seasons of some weeks in tiers, with promotion and relegation."""


class Absent(StrEnum):
    """What happens to an entrant who never shows up at a table."""

    REPLACE = "replace"
    """The first on the waiting list takes the seat and the place in the cup, if there is one."""
    DROP = "drop"
    """A computer player plays on, and the entrant is not in later rounds."""


class CupStatus(StrEnum):
    DRAFT = "draft"
    """Only its organiser knows it, who still chooses options."""
    OPEN = "open"
    """People sign up."""
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"


class End(StrEnum):
    """How a game of a cup ended."""

    PLAYED = "played"
    DECIDED = "decided"
    """The organiser has set the places."""
    VOID = "void"
    """It does not count."""
    BYE = "bye"
    """A person without an opponent in this round."""


class Entrant(msgspec.Struct, frozen=True):
    """A person in a cup. `rating` is their rating at the start, by which they are seeded.

    `group` is their group or tier, from 0; the first tier is the highest.
    """

    user: int
    name: str
    rating: int = 0
    group: int = 0
    dropped: bool = False


class CupGame(msgspec.Struct, frozen=True):
    """A game of a round. `places` are the users' places once it has an `end`; ties share a place.

    A bye has no table (0).
    """

    table: int
    group: int
    users: tuple[int, ...]
    places: tuple[int, ...] = ()
    end: End | None = None


class Cup(msgspec.Struct, frozen=True):
    """A cup or league. Users are Discord ids.

    `seats` is how many people play at a table; some tables have one less. `draws` counts the draws
    so far. `waiting` are the people beyond `size`, in order. In a league, each season is one of the
    `rounds`, and everyone plays `games` tables in it at the same time; other formats play `games`
    rounds in each group.
    """

    id: int
    guild: int
    channel: int
    organiser: int
    name: str
    game: str
    options: dict[str, str]
    pace: str
    format: Format
    size: Annotated[int, msgspec.Meta(ge=MIN_ENTRANTS, le=MAX_ENTRANTS)]
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    games: Annotated[int, msgspec.Meta(ge=1, le=9)]
    weeks: Annotated[int, msgspec.Meta(ge=1, le=26)]
    absent: Absent
    key: str
    """In hex, like `key_hash`. Never shown before the end."""
    key_hash: str
    created: int
    """In seconds since 1970, like `until`."""
    draws: int = 0
    status: CupStatus = CupStatus.OPEN
    entrants: tuple[Entrant, ...] = ()
    waiting: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[CupGame, ...], ...] = ()
    until: int = 0
    """The end of a league's season."""
    message: int | None = None
    posted: int = 0
    """The number of rounds when the message was posted, plus one if the cup was over."""
