"""The rules of cups and leagues: pairings, points and standings.

Everything here is a function of a `Cup`. Its draws come from its key, like those of a table: the
key's hash is posted when the sign-up opens, and the key at the end. The only draws are lots: all
ties are decided by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations, pairwise, permutations
from typing import Annotated

import msgspec
from msgspec.structs import replace

from bot.game.chance import KeyedChance
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
    """The number of rounds when the message was last posted, plus one if the cup was over."""

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
    name: str
    group: int
    points: int
    wins: int
    strength: float
    played: int
    place: int


def table_sizes(count: int, seats: int) -> tuple[int, ...]:
    """Return the sizes of the fewest tables for `count` people, as equal as possible, largest
    first. A table of 1 is a bye."""
    return _even(count, -(-count // seats))


def tier_sizes(count: int, seats: int) -> tuple[int, ...]:
    """Return the sizes of a league's tiers, best first: at least 6 people, or 8 for games of 4.

    They are as equal as possible without a table that is not full; only the last may have one.
    """
    tiers = max(1, count // (8 if seats == 4 else 6))
    *sizes, last = (tables * seats for tables in _even(count // seats, tiers))
    return (*sizes, last + count % seats)


def points(places: Sequence[int]) -> tuple[int, ...]:
    """Return the points for each place of a game. Ties share the points of their places."""
    last = len(places) - 1
    if not last:
        return (POINTS,)
    return tuple(
        POINTS
        * (2 * (last - sum(other < place for other in places)) - places.count(place) + 1)
        // (2 * last)
        for place in places
    )


def standings(cup: Cup, group: int | None = None) -> tuple[CupStanding, ...]:
    """Return the standings of a group or tier, of the final, or of all, best first.

    In those of all, finalists come before the others, in the order of the final, and each tier
    before the next one. A league's standings are those of its last season.
    """
    is_league = cup.format is Format.LEAGUE
    rounds = cup.rounds[-1:] if is_league else cup.rounds
    games = [game for round_ in rounds for game in round_ if group in (None, game.group)]
    gained, final, wins, played = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    met: dict[int, list[int]] = {}
    for game in games:
        for user, place, won in zip(game.users, game.places, points(game.places), strict=False):
            gained[user] += won
            final[user] += won if game.group == FINAL else 0
            wins[user] += place == 1 and not game.is_bye
            played[user] += not game.is_bye
            met.setdefault(user, []).extend(other for other in game.users if other != user)
    strength = {
        user: sum(gained[other] for other in others) / len(others)
        for user, others in met.items()
        if others
    }
    in_games = {user: game.group for game in games for user in game.users}
    signed_up = {each.user: each.group for each in cup.entrants if group in (None, each.group)}
    groups = in_games if group == FINAL or (is_league and rounds) else signed_up
    finalists = {user for game in games if game.group == FINAL for user in game.users}
    ranks = {
        user: (
            user in finalists,
            final[user],
            -tier if is_league else 0,
            gained[user],
            wins[user],
            strength.get(user, 0.0),
        )
        for user, tier in groups.items()
    }
    better = sorted(ranks.values(), reverse=True)
    entrants = {entrant.user: entrant for entrant in cup.entrants}
    return tuple(
        CupStanding(
            user=user,
            name=entrants[user].name,
            group=groups[user],
            points=gained[user],
            wins=wins[user],
            strength=strength.get(user, 0.0),
            played=played[user],
            place=better.index(ranks[user]) + 1,
        )
        for user in sorted(groups, key=lambda user: (better.index(ranks[user]), entrants[user].lot))
    )


def next_round(cup: Cup) -> tuple[Cup, tuple[CupGame, ...]] | None:
    """Return the games of the next round, and the cup after the draw of its lots and groups.

    All games of the last round must have ended. A round of a league is a season; `season_end`
    comes before all but the first. None if the cup is over, or has fewer than two people. The games
    have no table yet, and the cup not yet these games. The same cup gives the same games.

    Call it in a thread: it takes up to half a second for 64 people.
    """
    if len(cup.active) < 2:
        return None
    number, is_league = len(cup.rounds), cup.format is Format.LEAGUE
    if is_league or not number:
        cup = _with_lots(cup)
    if not number:
        cup = _with_groups(cup)
    groups = sorted({entrant.group for entrant in cup.active})
    before = () if is_league else sum(cup.rounds, ())
    games: list[CupGame] = []
    for group in groups:
        earlier = [game for game in before if game.group == group]
        for _ in range(cup.games if is_league else int(number < cup.games)):
            drawn = [*_drawn(cup, group, earlier)]
            earlier += drawn
            games += drawn
    if cup.format is Format.FINAL and number == cup.games:
        games.append(_final(cup))
    return (cup, tuple(games)) if games else None


def season_end(cup: Cup) -> Cup:
    """Return a league after promotion and relegation, for the next season.

    The best of each tier goes up, and the last goes down. Then the tiers are filled again: people
    who have left are replaced from the tier below, and people from the waiting list enter the
    lowest one. Call it once, when a season ends.
    """
    tiers = [
        [each.user for each in standings(cup, tier)]
        for tier in sorted({game.group for game in cup.rounds[-1]})
    ]
    for upper, lower in pairwise(tiers):
        upper[-1], lower[0] = lower[0], upper[-1]
    room = max(0, cup.size - len(cup.active))
    newcomers, waiting = cup.waiting[:room], cup.waiting[room:]
    entrants = {entrant.user: entrant for entrant in cup.entrants}
    for new in newcomers:
        entrants[new.user] = replace(entrants.get(new.user, new), dropped=False)
    ranked = dict.fromkeys(user for tier in tiers for user in tier) | dict.fromkeys(entrants)
    order = [user for user in ranked if not entrants[user].dropped]
    return _in_tiers(replace(cup, waiting=waiting), entrants.values(), order)


def with_result(cup: Cup, table: int, places: Sequence[int], end: End) -> Cup:
    """Return the cup after the end of a game of the last round, with its users' places.

    The first end counts, but a decision replaces it.
    """
    ended = tuple(
        replace(game, places=() if end is End.VOID else tuple(places), end=end)
        if game.table == table and (game.end is None or end is End.DECIDED)
        else game
        for game in (cup.rounds or ((),))[-1]
    )
    return replace(cup, rounds=(*cup.rounds[:-1], ended)) if cup.rounds else cup


def dropped(cup: Cup, user: int) -> Cup:
    """Return a cup that has started without further games for a person."""
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

    Nothing changes if the entrant is not in the cup any more, or the other is not on the list. A
    person who has been in a league before replaces no one: the entrant is dropped.
    """
    known = {entrant.user for entrant in cup.entrants}
    new = next((entrant for entrant in cup.waiting if entrant.user == by), None)
    if user not in known or new is None:
        return cup
    if by in known:
        return dropped(cup, user)
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


def _even(count: int, parts: int) -> tuple[int, ...]:
    size, larger = divmod(count, parts)
    return (size + 1,) * larger + (size,) * (parts - larger)


def _in_tiers(cup: Cup, entrants: Iterable[Entrant], order: Sequence[int]) -> Cup:
    """Return the cup with these entrants, and the users in `order` cut into tiers."""
    sizes = tier_sizes(len(order), cup.seats)
    tiers = [tier for tier, size in enumerate(sizes) for _ in range(size)]
    return _in_groups(cup, entrants, dict(zip(order, tiers, strict=True)))


def _in_groups(cup: Cup, entrants: Iterable[Entrant], groups: Mapping[int, int]) -> Cup:
    return replace(
        cup,
        entrants=tuple(replace(entrant, group=groups.get(entrant.user, 0)) for entrant in entrants),
    )


def _with_lots(cup: Cup) -> Cup:
    """Draw a lot for each entrant."""
    chance = KeyedChance(bytes.fromhex(cup.key), cup.draws)
    left = [entrant.user for entrant in cup.active]
    lots: dict[int, int] = {}
    for lot in range(1, len(left) + 1):
        label = f"round {len(cup.rounds) + 1}: lot {lot}"
        lots[left.pop(chance.draw(label, [1] * len(left)))] = lot
    entrants = tuple(replace(entrant, lot=lots.get(entrant.user, 0)) for entrant in cup.entrants)
    return replace(cup, draws=cup.draws + len(lots), entrants=entrants)


def _with_groups(cup: Cup) -> Cup:
    """Seed the entrants by their ratings: into the tiers of a league, or evenly into groups before
    a final."""
    seeded = sorted(cup.active, key=lambda entrant: (-entrant.rating, entrant.lot))
    if cup.format is Format.LEAGUE:
        return _in_tiers(cup, cup.entrants, [entrant.user for entrant in seeded])
    if cup.format is not Format.FINAL:
        return cup
    # No group is smaller than a table, if there are enough people.
    count = max(2, min(cup.seats, len(seeded) // cup.seats))
    groups: dict[int, int] = {}
    for pot, start in enumerate(range(0, len(seeded), count)):
        by_lot = sorted(seeded[start : start + count], key=lambda entrant: entrant.lot)
        order = range(count) if pot % 2 == 0 else reversed(range(count))
        groups |= {entrant.user: group for entrant, group in zip(by_lot, order, strict=False)}
    return _in_groups(cup, cup.entrants, groups)


def _final(cup: Cup) -> CupGame:
    """Return the final, with the best of each group, and the second while there are free seats."""
    active = {entrant.user for entrant in cup.active}
    ranked = [each for each in standings(cup) if each.user in active]
    groups = [each.group for each in ranked]
    best = sorted(ranked, key=lambda each: groups[: ranked.index(each)].count(each.group))
    users = [each.user for each in best[: cup.seats]]
    return CupGame(table=0, group=FINAL, users=_seated(cup, users, sum(cup.rounds, ())))


def _drawn(cup: Cup, group: int, earlier: Sequence[CupGame]) -> Iterator[CupGame]:
    """Yield the next games of a group after its `earlier` ones.

    As few people as possible meet again. Then those with the most opponents so far get the small
    tables and byes. Then in a Swiss cup people meet their neighbours in the standings.

    For pairs this makes a whole round robin, although no round looks ahead.
    """
    is_swiss = cup.format is Format.SWISS
    by_lot = sorted(cup.active, key=lambda entrant: entrant.lot)
    users = [entrant.user for entrant in by_lot if entrant.group == group]
    if is_swiss:
        users = [each.user for each in standings(cup, group) if each.user in users]
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
    for table in sorted(tables, key=lambda table: (len(table) == 1, min(table))):
        seated = _seated(cup, [users[place] for place in table], earlier)
        if len(table) == 1:
            yield CupGame(table=0, group=group, users=seated, places=(1,), end=End.BYE)
        else:
            yield CupGame(table=0, group=group, users=seated)


def _seated(cup: Cup, users: Sequence[int], earlier: Sequence[CupGame]) -> tuple[int, ...]:
    """Return the users in the order of their seats: each in those they have had the fewest times,
    and if that is equal, by lot."""
    lots = {entrant.user: entrant.lot for entrant in cup.entrants}
    had = Counter(
        (user, seat) for game in earlier if not game.is_bye for seat, user in enumerate(game.users)
    )
    return min(
        permutations(sorted(users, key=lambda user: lots[user])),
        key=lambda order: sum(had[user, seat] for seat, user in enumerate(order)),
    )
