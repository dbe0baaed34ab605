"""The rules of cups and leagues: pairings, points and standings.

Everything here is a function of a `Cup`. Its draws come from its key, like those of a table: the
key's hash is posted when the sign-up opens, and the key at the end. The only draws are lots: all
ties are decided by them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import chain, combinations, pairwise, permutations, zip_longest
from statistics import fmean
from typing import Annotated

import msgspec
from msgspec.structs import replace

from bot.game.chance import KeyedChance
from bot.tables.core.log import shuffle
from bot.tables.pairing import divide

MIN_ENTRANTS, MAX_ENTRANTS = 4, 64
POINTS = 12
"""For the first place. The last gets 0, and the places between them even steps."""
FINAL = -1
"""The group of the final."""

_REPEAT, _UNFAIR = 10**12, 10**6
"""Costs of a repeated meeting and of an unbalanced small table, far above all below them."""


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

    `group` is their group or tier, from 0; the first tier is the highest. `lot` is drawn before the
    first round, and in a league before each season, from 1 to the number of people; 0 if it is not
    drawn. A person is one entrant, also if they leave a league and come back.
    """

    user: int
    name: str
    rating: int = 0
    group: int = 0
    lot: int = 0
    dropped: bool = False


class CupGame(msgspec.Struct, frozen=True):
    """A game of a round. `users` are in the order of their seats. `places` are their places once it
    has an `end`; ties share a place. A void game has none.

    A bye has no table (0).
    """

    table: int
    group: int
    users: tuple[int, ...]
    places: tuple[int, ...] = ()
    end: End | None = None

    @property
    def is_bye(self) -> bool:
        return self.end is End.BYE


class Cup(msgspec.Struct, frozen=True):
    """A cup or league. Users are Discord ids.

    `seats` is how many people play at a table; some tables have one less. `waiting` are the people
    without a place, in order: before the start, all of them. In a league, each season is one of the
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
    status: CupStatus = CupStatus.OPEN
    entrants: tuple[Entrant, ...] = ()
    waiting: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[CupGame, ...], ...] = ()
    until: int = 0
    """The end of a league's season, in seconds since 1970."""
    message: int | None = None
    posted: int = 0
    """A checksum of what the message shows; 0 if it must be posted again as the newest."""

    @property
    def active(self) -> tuple[Entrant, ...]:
        """The entrants who have not left."""
        return tuple(entrant for entrant in self.entrants if not entrant.dropped)


class CupStanding(msgspec.Struct, frozen=True):
    """An entrant's results.

    They are ordered by points, wins and strength: the mean points of the opponents met. People who
    are equal in all three share a place. `wins` are first places, also shared ones; `played` leaves
    out byes and void games.
    """

    user: int
    group: int
    points: int
    wins: int
    strength: float
    played: int
    place: int


def table_sizes(count: int, seats: int) -> tuple[int, ...]:
    """Return the sizes of the fewest tables for `count` people, as equal as possible, largest
    first. A table of 1 is a bye."""
    tables = -(-count // seats)
    size, larger = divmod(count, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)


def points(places: Sequence[int]) -> tuple[int, ...]:
    """Return the points for each place of a game. Ties share the points of their places."""
    others = len(places) - 1
    if not others:
        return (POINTS,)
    # A step for each person who is behind, and half a one for each with the same place.
    return tuple(
        POINTS * sum((other > place) + (other >= place) for other in places) // (2 * others)
        - POINTS // (2 * others)
        for place in places
    )


def standings(cup: Cup, group: int | None = None) -> tuple[CupStanding, ...]:
    """Return the standings of a group or tier, or of all, best first.

    Finalists come before the others, in the order of the final, and each tier before the next one.
    A league's standings are those of its last season, with the people who were drawn for it.
    """
    is_league = cup.format is Format.LEAGUE
    games = [*chain.from_iterable(cup.rounds[-1:] if is_league else cup.rounds)]
    gained, wins, played = Counter[int](), Counter[int](), Counter[int]()
    met = defaultdict[int, list[int]](list)
    for game in games:
        for user, place, won in zip(game.users, game.places, points(game.places), strict=False):
            gained[user] += won
            wins[user] += place == 1 and not game.is_bye
            played[user] += not game.is_bye
            met[user] += (other for other in game.users if other != user)
    strength = {
        user: fmean(gained[other] for other in others) for user, others in met.items() if others
    }
    final = {
        user: won
        for game in games
        if game.group == FINAL
        for user, won in zip_longest(game.users, points(game.places), fillvalue=0)
    }
    shown = [
        entrant
        for entrant in cup.entrants
        if group in (None, entrant.group) and (entrant.lot or not cup.rounds)
    ]
    ranks = {
        entrant.user: (
            final.get(entrant.user, -1),
            -entrant.group if is_league else 0,
            gained[entrant.user],
            wins[entrant.user],
            strength.get(entrant.user, 0.0),
        )
        for entrant in shown
    }
    better = sorted(ranks.values(), reverse=True)
    return tuple(
        CupStanding(
            user=entrant.user,
            group=entrant.group,
            points=gained[entrant.user],
            wins=wins[entrant.user],
            strength=strength.get(entrant.user, 0.0),
            played=played[entrant.user],
            place=better.index(ranks[entrant.user]) + 1,
        )
        for entrant in sorted(
            shown, key=lambda entrant: (better.index(ranks[entrant.user]), entrant.lot)
        )
    )


def next_round(cup: Cup) -> tuple[Cup, tuple[CupGame, ...]] | None:
    """Return the games of the next round, and the cup after the draw of its lots and groups.

    All games of the last round must have ended. A round of a league is a season; promotion and
    relegation come before it. None if the cup is over, or has fewer than two people. The games have
    no table yet, and the cup not yet these games. The same cup gives the same games.

    Call it in a thread: it takes up to 0.3 seconds for 64 people.
    """
    number, is_league = len(cup.rounds), cup.format is Format.LEAGUE
    if not number:
        cup = _with_groups(_with_lots(cup))
    elif is_league:
        cup = _with_lots(season_end(cup))
    if len(cup.active) < 2:
        return None
    before = () if is_league else sum(cup.rounds, ())
    games: list[CupGame] = []
    for group in sorted({entrant.group for entrant in cup.active}):
        for _ in range(cup.games if is_league else int(number < cup.games)):
            games += _drawn(cup, group, [*before, *games])
    if cup.format is Format.FINAL and number == cup.games:
        games.append(_final(cup))
    return (cup, tuple(games)) if games else None


def season_end(cup: Cup) -> Cup:
    """Return a league after promotion and relegation, for the next season.

    The best of each tier goes up, and the last goes down. Then the tiers are filled again: people
    who have left are replaced from the tier below, and people from the waiting list enter the
    lowest one.
    """
    tiers = [
        [each.user for each in standings(cup, tier)]
        for tier in sorted({game.group for game in cup.rounds[-1]})
    ]
    for upper, lower in pairwise(tiers):
        upper[-1], lower[0] = lower[0], upper[-1]
    room = cup.size - len(cup.active)
    entrants = {entrant.user: entrant for entrant in cup.entrants}
    for new in cup.waiting[:room]:
        entrants[new.user] = replace(entrants.get(new.user, new), dropped=False)
    ranked = dict.fromkeys([*chain.from_iterable(tiers), *entrants])
    order = [user for user in ranked if not entrants[user].dropped]
    cup = replace(cup, entrants=tuple(entrants.values()), waiting=cup.waiting[room:])
    return _in_tiers(cup, order)


def with_result(cup: Cup, table: int, places: Sequence[int], end: End) -> Cup:
    """Return the cup after the end of a game of the last round, with its users' places.

    The first end counts, but a decision replaces it.
    """
    *earlier, last = cup.rounds
    ended = tuple(
        replace(game, places=() if end is End.VOID else tuple(places), end=end)
        if game.table == table and (game.end is None or end is End.DECIDED)
        else game
        for game in last
    )
    return replace(cup, rounds=(*earlier, ended))


def dropped(cup: Cup, user: int) -> Cup:
    """Return the cup without further games for a person, and without them on the waiting list."""
    return replace(
        cup,
        entrants=tuple(
            replace(entrant, dropped=True) if entrant.user == user else entrant
            for entrant in cup.entrants
        ),
        waiting=tuple(entrant for entrant in cup.waiting if entrant.user != user),
    )


def replaced(cup: Cup, user: int, by: int) -> Cup:
    """Return the cup with a person from the waiting list in the place of an entrant: with all their
    games, points and rating.

    Nothing changes if the entrant is not in the cup any more, or the other is not on the list. The
    other must not have been in the cup before.
    """
    known = {entrant.user for entrant in cup.entrants}
    new = next((entrant for entrant in cup.waiting if entrant.user == by), None)
    if user not in known or new is None:
        return cup
    return replace(
        cup,
        entrants=tuple(
            replace(entrant, user=by, name=new.name) if entrant.user == user else entrant
            for entrant in cup.entrants
        ),
        waiting=tuple(entrant for entrant in cup.waiting if entrant is not new),
        rounds=tuple(
            tuple(
                replace(game, users=tuple(by if one == user else one for one in game.users))
                for game in games
            )
            for games in cup.rounds
        ),
    )


def _with_lots(cup: Cup) -> Cup:
    """Draw a lot for each entrant who has not left."""
    chance = KeyedChance(bytes.fromhex(cup.key))
    order = shuffle(len(cup.active), chance, f"lot for round {len(cup.rounds) + 1}")
    lots = {entrant.user: 1 + lot for entrant, lot in zip(cup.active, order, strict=True)}
    entrants = tuple(replace(entrant, lot=lots.get(entrant.user, 0)) for entrant in cup.entrants)
    return replace(cup, entrants=entrants)


def _with_groups(cup: Cup) -> Cup:
    """Seed the entrants by their ratings: into the tiers of a league, or evenly into groups before
    a final. Each of these groups gets one of the best, one of the next best and so on, by lot."""
    seeded = sorted(cup.active, key=lambda entrant: (-entrant.rating, entrant.lot))
    if cup.format is Format.LEAGUE:
        return _in_tiers(cup, [entrant.user for entrant in seeded])
    # No group is smaller than a table, if there are enough people.
    most = cup.seats if cup.format is Format.FINAL else 1
    count = min(most, max(2, len(seeded) // cup.seats))
    pots = {entrant.user: place // count for place, entrant in enumerate(seeded)}
    drawn = sorted(seeded, key=lambda entrant: (pots[entrant.user], entrant.lot))
    return _in_groups(cup, {entrant.user: place % count for place, entrant in enumerate(drawn)})


def _in_tiers(cup: Cup, users: Sequence[int]) -> Cup:
    """Cut the users into tiers of at least 6 people, or 8 for games of 4, the best first.

    The tiers are as equal as possible without a table that is not full; only the last may have one.
    """
    tables = max(1, len(users) // cup.seats)
    tiers = max(1, len(users) // (8 if cup.seats == 4 else 6))
    return _in_groups(
        cup,
        {
            user: min(place // cup.seats, tables - 1) * tiers // tables
            for place, user in enumerate(users)
        },
    )


def _in_groups(cup: Cup, groups: Mapping[int, int]) -> Cup:
    return replace(
        cup,
        entrants=tuple(
            replace(entrant, group=groups.get(entrant.user, 0)) for entrant in cup.entrants
        ),
    )


def _final(cup: Cup) -> CupGame:
    """Return the final, with the best of each group, and the second while there are free seats."""
    active = {entrant.user for entrant in cup.active}
    ranked = [each for each in standings(cup) if each.user in active]
    groups = [each.group for each in ranked]
    best = sorted(ranked, key=lambda each: groups[: ranked.index(each)].count(each.group))
    users = [each.user for each in best[: cup.seats]]
    return _seated(cup, FINAL, users, sum(cup.rounds, ()))


def _drawn(cup: Cup, group: int, earlier: Sequence[CupGame]) -> list[CupGame]:
    """Return the next games of a group, after the `earlier` ones of all groups.

    As few people as possible meet again. Then those with the most opponents so far get the small
    tables and byes. Then in a Swiss cup people meet their neighbours in the standings.

    For pairs this makes a whole round robin, although no round looks ahead.
    """
    lots = {entrant.user: entrant.lot for entrant in cup.active if entrant.group == group}
    users, is_swiss = sorted(lots, key=lambda user: lots[user]), cup.format is Format.SWISS
    if is_swiss:
        users = [each.user for each in standings(cup) if each.user in lots]
    met = Counter(frozenset(pair) for game in earlier for pair in combinations(game.users, 2))
    opponents = Counter(user for game in earlier for user in game.users * (len(game.users) - 1))
    most = max(opponents[user] for user in users)
    tables = divide(
        table_sizes(len(users), cup.seats),
        [
            [
                _REPEAT * met[frozenset((user, other))] + is_swiss * (place - at) ** 2
                for at, other in enumerate(users)
            ]
            for place, user in enumerate(users)
        ],
        [
            _UNFAIR * (most - opponents[user]) + is_swiss * (len(users) - place)
            for place, user in enumerate(users)
        ],
    )
    # Byes come last.
    return [
        _seated(cup, group, [users[place] for place in table], earlier)
        for table in sorted(tables, key=lambda table: (-len(table), min(table)))
    ]


def _seated(cup: Cup, group: int, users: Sequence[int], earlier: Sequence[CupGame]) -> CupGame:
    """Return a game with the users in the order of their seats, or a bye.

    Each sits where they have sat the fewest times. If that is equal, lots decide.
    """
    lots = {entrant.user: entrant.lot for entrant in cup.entrants}
    had = Counter(
        (user, seat) for game in earlier if not game.is_bye for seat, user in enumerate(game.users)
    )
    order = min(
        permutations(sorted(users, key=lambda user: lots[user])),
        key=lambda order: sum(had[user, seat] for seat, user in enumerate(order)),
    )
    if len(users) == 1:
        return CupGame(table=0, group=group, users=order, places=(1,), end=End.BYE)
    return CupGame(table=0, group=group, users=order)
