"""Files of cups, from which anyone can check the draws and pairings."""

from __future__ import annotations

from itertools import zip_longest

import msgspec
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.tables.core.log import KEY_BYTES
from bot.tables.core.record import CUP, NOT_JSON, RecordError
from bot.tables.cup_rules import (
    MAX_ENTRANTS,
    Cup,
    CupStatus,
    Format,
    next_round,
)


class CupRecord(msgspec.Struct, frozen=True, tag_field="format", tag=CUP):
    """A cup that is over. Its users are numbers of entrants, from 1."""

    cup: Cup


def draw_record(cup: Cup) -> bytes:
    """Return a cup that is over as JSON, with a line for each entrant and each game.

    Ids of Discord are left out. Raise ValueError if the cup is not over: the file has its key.
    """
    if cup.status not in (CupStatus.OVER, CupStatus.CANCELLED):
        raise ValueError("the key of a cup is secret until it is over")
    numbers = {entrant.user: number for number, entrant in enumerate(cup.entrants, 1)}
    public = replace(
        cup,
        guild=0,
        channel=0,
        organiser=0,
        message=None,
        waiting=(),
        entrants=tuple(replace(each, user=numbers[each.user]) for each in cup.entrants),
        rounds=tuple(
            tuple(
                replace(game, users=tuple(numbers[user] for user in game.users)) for game in games
            )
            for games in cup.rounds
        ),
    )
    text = msgspec.json.encode(CupRecord(public))
    return text.replace(b'{"user":', b'\n{"user":').replace(b'{"table":', b'\n{"table":')


def verify_cup(data: bytes) -> Cup:
    """Check the key against its hash, and the lots and games of each round against the key and the
    results before it. Return the cup. Raise RecordError.

    The results themselves are not checked: each table has its own file.
    """
    try:
        cup = msgspec.json.decode(data, type=CupRecord).cup
        key = bytes.fromhex(cup.key)
    except (*NOT_JSON, ValueError) as error:
        raise RecordError(-1, f"This is not the record of a cup: {error}") from error
    if len(key) != KEY_BYTES or commitment(key) != cup.key_hash:
        raise RecordError(-1, "The key is not the one whose hash was posted with the sign-up.")
    # Each season of a league has other people. Other cups have fewer only if they have left.
    is_league = cup.format is Format.LEAGUE
    may_miss = {each.user for each in cup.entrants if is_league or each.dropped}
    blank = tuple(replace(entrant, group=0, lot=0) for entrant in cup.entrants)
    state = replace(cup, entrants=blank, waiting=(), rounds=())
    for number, games in enumerate(cup.rounds, 1):
        away = may_miss - {user for game in games for user in game.users}
        entrants = (replace(each, dropped=each.user in away) for each in state.entrants)
        state = replace(state, entrants=tuple(entrants))
        following = next_round(state) if len(state.active) <= MAX_ENTRANTS else None
        if following is None:
            raise RecordError(-1, f"By the rules, the cup has no round {number} with these people.")
        state, expected = following
        stated, true = (
            [f"{', '.join(map(str, game.users))} in group {game.group}" for game in each]
            for each in (games, expected)
        )
        for place, (here, there) in enumerate(zip_longest(stated, true, fillvalue="no one"), 1):
            if here != there:
                raise RecordError(
                    -1,
                    f"Round {number}, game {place} is {here}; by the key and the rules, {there}.",
                )
        if any(game.places and len(game.places) != len(game.users) for game in games):
            raise RecordError(-1, f"Round {number} has a game in which a place is missing.")
        state = replace(state, rounds=(*state.rounds, games))
    lots, drawn = ([each.lot for each in one.entrants] for one in (cup, state))
    if lots != drawn:
        raise RecordError(-1, f"The lots are {lots}; by the key, {drawn}.")
    return cup
