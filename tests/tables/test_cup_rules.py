"""Cups and leagues: every draw is fair, comes from the key, and can be checked afterwards."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.tables.core import RecordError
from bot.tables.cup_record import draw_record, verify_cup
from bot.tables.cup_rules import (
    FINAL,
    POINTS,
    Absent,
    Cup,
    CupGame,
    CupStatus,
    End,
    Entrant,
    Format,
    dropped,
    next_round,
    points,
    replaced,
    season_end,
    standings,
    table_sizes,
    with_result,
)
from bot.tables.pairing import divide

KEY = bytes(range(32))
IN_ROUNDS = (Format.GROUP, Format.FINAL, Format.SWISS)


def cup(
    count: int, seats: int = 2, games: int = 3, format: Format = Format.SWISS, key: bytes = KEY
) -> Cup:
    """Return a cup at its start. The ratings fall, but the last two are equal."""
    entrants = [
        Entrant(1000 + number, f"P{number}", max(1500 - 10 * number, 1520 - 10 * count))
        for number in range(count)
    ]
    return Cup(
        id=7,
        guild=9041,
        channel=9042,
        organiser=9043,
        name="Cup",
        game="kogge",
        options={},
        pace="day",
        format=format,
        size=max(count, 4),
        seats=seats,
        games=games,
        weeks=4,
        absent=Absent.DROP,
        key=key.hex(),
        key_hash=commitment(key),
        status=CupStatus.PLAYING,
        entrants=tuple(entrants),
    )


def begun(before: Cup) -> Cup:
    """Return the cup in its next round, with tables."""
    following = next_round(before)
    assert following is not None
    after, games = following
    first = 1 + sum(map(len, after.rounds))
    with_tables = (
        game if game.end else replace(game, table=first + place) for place, game in enumerate(games)
    )
    return replace(after, rounds=(*after.rounds, tuple(with_tables)))


def ended(before: Cup, rng: Random) -> Cup:
    """Return the cup after all games of its round: some with ties, a few void."""
    for game in before.rounds[-1]:
        places = [rng.randint(1, len(game.users)) for _ in game.users]
        ranked = [1 + sum(other < place for other in places) for place in places]
        end = End.VOID if rng.random() < 0.1 else End.PLAYED
        before = with_result(before, game.table, ranked, end) if game.table else before
    return before


def rounds_of(start: Cup, seed: int = 1, *, leave: float = 0) -> Iterator[Cup]:
    """Yield the cup at the start of each round, with random results, and at its end."""
    rng, now = Random(seed), start
    while next_round(now) and len(now.rounds) < 12:
        now = begun(now)
        yield now
        now = ended(now, rng)
        for entrant in now.active:
            if rng.random() < leave:
                now = dropped(now, entrant.user)
    yield now


def whole(start: Cup, seed: int = 1, *, leave: float = 0) -> Cup:
    return [*rounds_of(start, seed, leave=leave)][-1]


def meetings(games: Sequence[CupGame]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for game in games for pair in combinations(game.users, 2))


def all_games(over: Cup) -> list[CupGame]:
    return [game for games in over.rounds for game in games]


def divisions(people: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all divisions over tables, each at least once."""
    if not people:
        yield []
        return
    first, *others = people
    for size in set(sizes):
        left = [*sizes]
        left.remove(size)
        for mates in combinations(others, size - 1):
            rest = [one for one in others if one not in mates]
            for division in divisions(rest, left):
                yield [(first, *mates), *division]


counts = st.integers(4, 16)
seats = st.integers(2, 4)
seeds = st.integers(0, 10**6)


def test_tables_are_as_few_and_as_equal_as_possible() -> None:
    assert table_sizes(9, 4) == (3, 3, 3)
    assert table_sizes(5, 2) == (2, 2, 1)
    assert table_sizes(5, 4) == (3, 2)


@pytest.mark.parametrize(
    ("count", "seats", "sizes"),
    [
        (64, 2, [8, 6, 6, 6, 6, 8, 6, 6, 6, 6]),
        (64, 4, [8, 8, 8, 8, 8, 8, 8, 8]),
        (23, 4, [12, 11]),
        (13, 2, [6, 7]),
        (7, 3, [7]),
    ],
)
def test_a_leagues_tiers_have_full_tables_if_possible(
    count: int, seats: int, sizes: list[int]
) -> None:
    groups = Counter(entrant.group for entrant in begun(cup(count, seats, 1, Format.LEAGUE)).active)
    assert [groups[tier] for tier in range(len(groups))] == sizes


@given(st.data(), seats)
def test_no_division_of_up_to_8_people_costs_less(data: st.DataObject, seats: int) -> None:
    count = data.draw(st.integers(2, 8))
    sizes, largest = table_sizes(count, seats), table_sizes(count, seats)[0]
    costs = data.draw(st.lists(st.integers(0, 9), min_size=count**2, max_size=count**2))
    pairs = [[costs[min(a, b) * count + max(a, b)] for b in range(count)] for a in range(count)]
    alone = data.draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))

    def cost(division: Sequence[Sequence[int]]) -> int:
        return sum(
            sum(pairs[one][other] for one, other in combinations(table, 2))
            + (largest - len(table)) * sum(alone[one] for one in table)
            for table in division
        )

    division = divide(sizes, pairs, alone)
    assert sorted(one for table in division for one in table) == [*range(count)]
    assert sorted(map(len, division), reverse=True) == [*sizes]
    assert cost(division) == min(map(cost, divisions(range(count), sizes)))


@given(counts, seats, st.sampled_from(IN_ROUNDS), seeds)
@settings(max_examples=30)
def test_in_each_round_everyone_has_one_game_or_a_bye(
    count: int, seats: int, format: Format, seed: int
) -> None:
    start = cup(count, seats, 4, format)
    for now in rounds_of(start, seed, leave=0.05):
        active = Counter(entrant.user for entrant in now.active)
        if now.rounds and any(not game.end for game in now.rounds[-1]):
            games = now.rounds[-1]
            is_final = games[0].group == FINAL
            users = Counter(user for game in games for user in game.users)
            assert len(users) == min(seats, len(active)) if is_final else users == active
            assert set(users.values()) == {1}
            for game in games:
                assert len(game.users) <= seats
                assert (game.table == 0) == (len(game.users) == 1) == (game.end is End.BYE)
    assert len(now.rounds) <= 4 + (format is Format.FINAL)
    assert len(now.rounds) == 4 + (format is Format.FINAL) or len(now.active) < 2


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize(("count", "seats"), [(23, 2), (23, 4), (64, 2), (64, 3), (64, 4)])
def test_large_cups_end_and_leagues_do_not(count: int, seats: int, format: Format) -> None:
    now, rng = cup(count, seats, 2, format), Random(count)
    is_league, is_final = format is Format.LEAGUE, format is Format.FINAL
    for number in range(2 + is_final):
        now = ended(begun(now), rng)
        playing = Counter(user for game in now.rounds[-1] for user in game.users)
        assert {*playing.values()} == {2 if is_league else 1}
        assert len(playing) == (seats if is_final and number == 2 else count)
    assert (next_round(now) is not None) == is_league
    assert verify_cup(draw_record(replace(now, status=CupStatus.OVER))).rounds


def test_people_who_leave_before_the_first_round_are_not_in_the_standings() -> None:
    now = dropped(cup(5), 1004)
    assert len(standings(now)) == 5
    assert len(standings(begun(now))) == 4
    for user in range(1000, 1003):
        now = dropped(now, user)
    assert next_round(now) is None


@given(st.integers(4, 8), seats, st.sampled_from((Format.GROUP, Format.SWISS)), seeds)
@settings(max_examples=30)
def test_each_round_has_the_best_of_all_divisions(
    count: int, seats: int, format: Format, seed: int
) -> None:
    """It has the fewest repeated meetings, small tables for those with the most opponents, and in a
    Swiss cup neighbours at one table."""
    for now in rounds_of(cup(count, seats, 5, format), seed, leave=0.02):
        before = replace(now, rounds=now.rounds[:-1])
        last = [game.users for game in now.rounds[-1]]
        playing = {user for users in last for user in users}
        ranked = [each.user for each in standings(before) if each.user in playing]
        sizes = table_sizes(len(ranked), seats)
        least = min(costs(before, ranked, each) for each in divisions(ranked, sizes))
        assert costs(before, ranked, last) == least


def costs(
    before: Cup, ranked: Sequence[int], tables: Sequence[Sequence[int]]
) -> tuple[int, int, int]:
    games = all_games(before)
    met = meetings(games)
    pairs = [pair for users in tables for pair in combinations(users, 2)]
    lacking = {user: max(map(len, tables)) - len(users) for users in tables for user in users}
    distance = sum((ranked.index(one) - ranked.index(other)) ** 2 for one, other in pairs)
    distance += sum(lacking[user] * (len(ranked) - ranked.index(user)) for user in ranked)
    return (
        sum(met[frozenset(pair)] for pair in pairs),
        -sum(lacking.get(user, 0) for game in games for user in game.users for _ in game.users[1:]),
        distance if before.format is Format.SWISS else 0,
    )


@pytest.mark.parametrize("count", range(4, 11))
def test_a_group_of_pairs_is_a_round_robin(count: int) -> None:
    """Everyone meets everyone once. With odd numbers everyone has one bye, and before that no one
    a second one."""
    rounds = count - 1 + count % 2
    games = all_games(whole(cup(count, 2, rounds, Format.GROUP)))
    assert meetings(games) == Counter(map(frozenset, combinations(range(1000, 1000 + count), 2)))
    byes = Counter(game.users[0] for game in games if game.end is End.BYE)
    assert set(byes.values()) <= {1}
    first = Counter(game.users[0] for game in games if len(game.users) == 2)
    plays = count - 1
    assert all(abs(2 * first[1000 + number] - plays) <= 2 for number in range(count))


@given(st.integers(7, 15), seats, st.sampled_from((Format.GROUP, Format.SWISS)), seeds)
@settings(max_examples=20)
def test_no_one_has_two_byes_in_three_rounds_and_people_change_seats(
    count: int, seats: int, format: Format, seed: int
) -> None:
    games = all_games(whole(cup(count, seats, 3, format), seed))
    byes = Counter(game.users[0] for game in games if game.end is End.BYE)
    assert max(byes.values(), default=0) <= 1
    had: Counter[tuple[int, int]] = Counter()

    def cost(order: Sequence[int]) -> int:
        return sum(had[user, seat] for seat, user in enumerate(order))

    for game in games:
        if game.end is not End.BYE:
            assert cost(game.users) == min(map(cost, permutations(game.users)))
            had.update((user, seat) for seat, user in enumerate(game.users))


@pytest.mark.slow
def test_64_people_do_not_meet_again_in_9_rounds() -> None:
    now = whole(cup(64, 4, 9))
    assert max(meetings(all_games(now)).values()) == 1


def test_points_are_12_for_the_first_0_for_the_last_and_even_between() -> None:
    for places, won in (
        ((1,), (12,)),
        ((2, 1), (0, 12)),
        ((1, 2, 3), (12, 6, 0)),
        ((4, 1, 2, 3), (0, 12, 8, 4)),
        ((1, 1), (6, 6)),
        ((1, 1, 3), (9, 9, 0)),
        ((1, 2, 2, 4), (12, 6, 6, 0)),
        ((1, 2, 2, 2), (12, 4, 4, 4)),
    ):
        assert points(places) == won


@given(counts, seats, seeds)
@settings(max_examples=15)
def test_a_game_always_gives_6_points_a_person(count: int, seats: int, seed: int) -> None:
    now = whole(cup(count, seats), seed)
    games = [game for game in all_games(now) if game.end is not End.VOID]
    given_out = sum(POINTS if game.end is End.BYE else 6 * len(game.users) for game in games)
    assert sum(each.points for each in standings(now)) == given_out


def test_wins_and_then_the_strength_of_opponents_break_ties() -> None:
    def game(*users: int, places: tuple[int, ...]) -> CupGame:
        return CupGame(1, 0, tuple(1000 + user for user in users), places, End.PLAYED)

    start = cup(6)
    now = replace(
        start,
        entrants=tuple(replace(each, lot=1) for each in start.entrants),
        rounds=(
            (game(0, 1, places=(1, 2)), game(2, 3, places=(1, 1)), game(4, 5, places=(1, 2))),
            (game(0, 4, places=(2, 1)), game(2, 3, places=(1, 1)), game(1, 5, places=(1, 2))),
        ),
    )
    found = [(each.user - 1000, each.points, each.wins, each.place) for each in standings(now)]
    # 2 and 3 have shared two first places; 0 has met stronger opponents than 1.
    assert found == [
        (4, 24, 2, 1),
        (2, 12, 2, 2),
        (3, 12, 2, 2),
        (0, 12, 1, 4),
        (1, 12, 1, 5),
        (5, 0, 0, 6),
    ]
    assert {each.user - 1000: each.strength for each in standings(now)}[0] == (12 + 24) / 2


@given(st.integers(6, 24), seats, seeds)
@settings(deadline=None, max_examples=40)
def test_the_best_of_equal_groups_play_the_final(count: int, seats: int, seed: int) -> None:
    count = max(count, 2 * seats)
    *_, final, over = rounds_of(cup(count, seats, 3, Format.FINAL), seed)
    groups = Counter(entrant.group for entrant in over.entrants)
    assert len(groups) == min(seats, count // seats)
    assert max(groups.values()) - min(groups.values()) <= 1
    # Each group has one of the best, one of the second best, and so on, by rating.
    pots = [entrant.group for entrant in over.entrants][: count // len(groups) * len(groups)]
    for start in range(0, max(0, len(pots) - len(groups)), len(groups)):
        assert sorted(pots[start : start + len(groups)]) == [*range(len(groups))]
    (game,) = final.rounds[-1]
    assert len(game.users) == seats
    for group in groups:
        best = [each for each in standings(final, group) if each.place == 1]
        assert {each.user for each in best} & {*game.users}
    assert {each.user for each in standings(over)[:seats]} == {*game.users}
    if over.rounds[-1][0].end is End.PLAYED:
        places = zip(game.users, over.rounds[-1][0].places, strict=True)
        assert standings(over)[0].user in {user for user, place in places if place == 1}


@given(st.integers(6, 30), seats, seeds)
@settings(max_examples=20)
def test_the_best_of_each_tier_go_up_and_the_last_go_down(
    count: int, seats: int, seed: int
) -> None:
    now = begun(cup(count, seats, 2, Format.LEAGUE))
    by_rating = [entrant.group for entrant in now.entrants]
    assert by_rating[:-2] == sorted(by_rating[:-2])
    sizes = [by_rating.count(tier) for tier in range(max(by_rating) + 1)]
    for tier, size in enumerate(sizes):
        games = [game for game in now.rounds[0] if game.group == tier]
        users = Counter(user for game in games for user in game.users)
        assert len(users) == size
        assert set(users.values()) == {2}
    now = ended(now, Random(seed))
    rows = [standings(now, tier) for tier in range(len(sizes))]
    tier_of = {entrant.user: entrant.group for entrant in season_end(now).entrants}
    assert [*tier_of.values()].count(0) == sizes[0]
    for upper, (above, below) in enumerate(pairwise(rows)):
        assert tier_of[below[0].user] == upper
        assert tier_of[above[-1].user] == upper + 1
        assert all(tier_of[each.user] == each.group for each in above[1:-1])
    # Those who leave make room for people from the tier below; the waiting list fills the last one.
    gone = {each.user for each in rows[0][:2]}
    new = [Entrant(user, f"New {user}") for user in (1, 2, 3)]
    now = replace(now, waiting=tuple(new))
    for user in gone:
        now = dropped(now, user)
    now = begun(now)
    assert [entrant.user for entrant in now.waiting] == [3]
    assert Counter(entrant.group for entrant in now.active) == dict(enumerate(sizes))
    assert {each.group for each in now.active if each.user in {1, 2}} == {len(sizes) - 1}
    players = {user for game in now.rounds[-1] for user in game.users}
    assert players == {entrant.user for entrant in now.active}
    assert not players & gone


def test_people_who_come_back_to_a_league_begin_in_the_last_tier() -> None:
    now = ended(begun(cup(12, 2, 2, Format.LEAGUE)), Random(1))
    first = standings(now)[0]
    now = ended(begun(dropped(now, first.user)), Random(2))
    assert first.user not in {each.user for each in standings(now)}
    now = begun(replace(now, waiting=(Entrant(first.user, "Back"),)))
    assert [each.group for each in now.active if each.user == first.user] == [1]
    assert len(now.entrants) == 12


@given(counts, seats, st.sampled_from(Format), seeds)
@settings(max_examples=20)
def test_the_key_alone_decides_the_draw(count: int, seats: int, format: Format, seed: int) -> None:
    start = cup(count, seats, 2, format, key=seed.to_bytes(32))
    drawn = begun(start).rounds
    assert drawn == begun(start).rounds
    renamed = replace(
        start, entrants=tuple(replace(each, user=9000 - each.user) for each in start.entrants)
    )
    assert drawn == tuple(
        tuple(replace(game, users=tuple(9000 - user for user in game.users)) for game in games)
        for games in begun(renamed).rounds
    )


def test_another_key_makes_another_draw() -> None:
    firsts = {begun(cup(8, key=bytes([key]) * 32)).rounds[0][0].users for key in range(20)}
    assert len(firsts) > 10


def test_the_first_result_counts_unless_it_is_decided_in_that_round() -> None:
    now = begun(cup(4))
    table = now.rounds[0][0].table
    won = with_result(now, table, (1, 2), End.PLAYED)
    assert with_result(won, table, (2, 1), End.PLAYED) == won
    assert with_result(won, table, (), End.VOID) == won
    decided = with_result(won, table, (2, 1), End.DECIDED)
    assert decided.rounds[0][0].places == (2, 1)
    assert with_result(decided, table, (1, 2), End.PLAYED) == decided
    later = begun(ended(decided, Random(1)))
    assert with_result(later, table, (1, 2), End.DECIDED) == later


def test_a_replacement_takes_over_games_and_points_once() -> None:
    now = replace(ended(begun(cup(4)), Random(3)), waiting=(Entrant(1, "New"),))
    best = standings(now)[0]
    after = replaced(now, best.user, 1)
    assert after.waiting == ()
    assert standings(after)[0] == replace(best, user=1)
    assert "New" in {entrant.name for entrant in after.entrants}
    assert replaced(after, best.user, 1) == after
    assert replaced(now, best.user, 99) == now
    before, then = begun(now).rounds[-1], begun(after).rounds[-1]
    assert [[1 if user == best.user else user for user in game.users] for game in before] == [
        [*game.users] for game in then
    ]


@given(st.integers(6, 20), seats, st.sampled_from(Format), seeds)
@settings(max_examples=20)
def test_the_file_of_a_cup_can_be_checked(
    count: int, seats: int, format: Format, seed: int
) -> None:
    count = max(count, 2 * seats)
    now = replace(cup(count, seats, 3, format), waiting=(Entrant(1, "New"), Entrant(2, "Next")))
    rng = Random(seed)
    while next_round(now) and len(now.rounds) < 4:
        now = begun(now)
        users = rng.sample([entrant.user for entrant in now.active], 2)
        now = dropped(replaced(ended(now, rng), users[0], 1), users[1])
    data = draw_record(replace(now, status=CupStatus.OVER))
    assert draw_record(verify_cup(data)) == data
    assert json.loads(data)["cup"]["waiting"] == []
    assert not re.search(rb"\b904\d|\b10[01]\d\b", data), "ids of Discord"


def test_a_changed_file_is_refused() -> None:
    data = draw_record(replace(whole(cup(9, 2, 4), 3), status=CupStatus.OVER))
    assert verify_cup(data)
    one, other = json.loads(data)["cup"]["rounds"][0][0]["users"]
    for old, new, reason in (
        ('"key":"00', '"key":"01', "The key is not the one"),
        ('"key":"00', '"key":"zz', "not the record of a cup"),
        ('"format":"swiss"', '"format":"group"', "by the key and the rules"),
        ('"lot":1,', '"lot":2,', "The lots are"),
        (f'"users":[{one},{other}]', f'"users":[{other},{one}]', "Round 1, game 1 is"),
        ('"places":[1,2]', '"places":[1]', "a place is missing"),
        # Another result makes other pairings in the next round.
        ('"places":[1,2]', '"places":[2,1]', "Round 2, game"),
        ('"games":4', '"games":3', "no round 4"),
        ('"size":9', '"size":900', "not the record of a cup"),
        ('"user":2,', '"user":1,', "Round 1, game"),
        ("]],", "]", "not the record of a cup"),
    ):
        assert old.encode() in data
        with pytest.raises(RecordError, match=reason):
            verify_cup(data.replace(old.encode(), new.encode(), 1))


def test_a_file_cannot_leave_out_people_or_choose_the_finalists() -> None:
    over = replace(whole(cup(8, 2, 2, Format.FINAL)), status=CupStatus.OVER)
    assert verify_cup(draw_record(over)).rounds
    *rounds, (final,) = over.rounds
    third = next(each.user for each in standings(over) if each.user not in final.users)
    stranger = replace(final, users=(final.users[0], third))
    with pytest.raises(RecordError, match="Round 3, game 1"):
        verify_cup(draw_record(replace(over, rounds=(*rounds, (stranger,)))))
    without = replace(over, rounds=(rounds[0], rounds[1][1:]))
    with pytest.raises(RecordError, match="Round 2, game"):
        verify_cup(draw_record(without))


def test_there_is_no_file_before_the_end_as_it_has_the_key() -> None:
    with pytest.raises(ValueError, match="secret"):
        draw_record(begun(cup(4)))
