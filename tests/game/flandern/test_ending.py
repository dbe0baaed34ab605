"""Covering, scoring, the end, and the two-player game (rules: covering, scoring, ending,
two_players)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from bot.game.contract import Event, Outcome
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, CITY_OF_NAME
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    ALL_CARDS,
    FILLED,
    asked,
    check_refused,
    choose_cards,
    content_at,
    draw,
    facts,
    hand,
    in_city,
    look_at_golden,
    open_cards,
    play,
    play_alone,
    points_of,
    reveal_golden,
    run,
    scores,
    table,
    without,
    words,
)


def result(state: FlandernState) -> Outcome:
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


def scored(events: Sequence[Event]) -> list[str]:
    """Return the scored cities with their values."""
    return [f"{each['city']} {each['value']}" for each in facts(events, "city_scored")]


def endings(events: Sequence[Event]) -> list[object]:
    """Return how the game has ended, if it has."""
    return [each["ending"] for each in facts(events, "game_ended")]


def is_in_order(events: Sequence[Event], *kinds: str) -> bool:
    """Return whether the first events of these kinds are in this order."""
    all_kinds = [event.kind for event in events]
    return sorted(kinds, key=all_kinds.index) == [*kinds]


def test_the_example_of_scoring_a_city() -> None:
    """Blue, the first player, plays Leuven and builds the last quarter; its golden card places a
    leader on a grey one. 16 points for blue, 8 for yellow, 0 for red, green and grey."""
    leuven = (
        "t1 blue, t2 red, t3 blue, t4 red-leader, p1 grey, p2 church, p3 grey, p4 green-leader, "
        "r2 green, r3 church cathedral, r4 yellow-leader"
    )
    state = table(first=2, golden="leader", cities={"leuven": leuven})
    play_alone(state, "leuven", 2)
    events = play(state, 2, "build leuven-r1 blue")
    assert asked(state) == [(2, "leader")]
    assert scored(events) == []
    events = play(state, 2, "leader leuven-p1")
    assert scored(events) == ["leuven 16"]
    blue, yellow, *others = facts(events, "guild_scored")
    assert (blue["guild"], blue["rank"], blue["points"]) == ("blue", 1, 16)
    assert tuple(yellow.values()) == ("yellow", "leuven", 2, 2, 3, 8)
    assert {(each["rank"], each["points"]) for each in others} == {(5, 0)}
    assert scores(state) == [0, 0, 16, 8]


def test_a_city_is_scored_in_phase_6_not_before() -> None:
    """Ruling 56."""
    state = table(cities={"luik": without(FILLED, "r1")})
    choose_cards(state, "luik", "gent", "take", "take")
    play(state, 0, "build luik-r1 red")
    assert (in_city(state, "luik").free, in_city(state, "luik").scored) == (0, False)
    events = play(state, 1, "build gent-t1 grey")
    assert scored(events) == ["luik 14"]
    # Ruling 30: several cities one by one.
    cities = {"brugge": FILLED, "luik": FILLED.replace("yellow", "blue")}
    events = reveal_golden(table(cities=cities))
    assert scored(events) == ["brugge 13", "luik 14"]
    cities_of = [each["city"] for each in facts(events, "guild_scored")]
    assert cities_of == ["brugge"] * 5 + ["luik"] * 4


def test_added_plots_delay_the_scoring_of_a_city_and_the_end_of_the_game() -> None:
    """Ruling 49."""
    gent = without(FILLED, "r1").replace("red", "blue")
    for closed, word, full in (
        ("", "church", True),
        ("", "church-b", False),
        ("brugge ieper leuven utrecht luik", "church-b", True),  # a single free plot
        ("brugge ieper leuven utrecht luik", "church-c", False),
    ):
        state = table(cities={"gent": gent}, scored=closed)
        play_alone(state, "gent", 2)
        events = play(state, 2, f"build gent-r1 {word}")
        assert bool(scored(events)) == full, (closed, word)
        assert bool(endings(events)) == (full and closed != ""), (closed, word)


def test_sites_are_worth_nothing_and_no_seat_gets_the_points_of_grey() -> None:
    """Ruling 16: the site pieces return to the supply."""
    city_text = FILLED.replace("yellow", "yellow site").replace("grey", "grey site")
    state = table(cities={"brugge": city_text})
    events = reveal_golden(state)
    assert scored(events) == ["brugge 9"]
    # Red and green have four each, and blue its centre.
    ranks = {each["guild"]: each["points"] for each in facts(events, "guild_scored")}
    assert ranks == {"red": 5, "green": 5, "blue": 4}
    assert state.site_pieces == 10
    # Ruling 51: no player gets the points of grey.
    assert scores(table(points={"grey": 3})) == [0, 0, 0, 0]


def test_a_scored_city_allows_no_actions_and_its_cards_leave_the_game() -> None:
    """Ruling 7: from hands and open cards."""
    cities = {"brugge": FILLED.replace("grey", "grey site")}
    state = table(cities=cities, opened=["", "brugge site"], golden="leader")
    choose_cards(state, "take", "gent", "take", "take")
    play(state, 1, "build gent-t1 grey")
    assert (open_cards(state, 1), "brugge" in hand(state, 0)) == ("brugge gent site", True)
    play(state, 0, "leader gent-c")
    assert (open_cards(state, 1), "brugge" in hand(state, 0)) == ("gent site", False)
    look_at_golden(state, [CARDS.index("leader")])
    choose_cards(state, "site", "take", "take", "take")
    check_refused(state, "city_scored", "0 site brugge-p2 grey")
    play(state, 0, "site gent-t2 grey")
    check_refused(state, "city_scored", "1 leader brugge-p2")


def test_dead_plots_are_covered_before_cities_are_scored() -> None:
    """Ruling 21: a city can become full this way and is scored in the same phase."""
    city_text = without(FILLED, "t1 t4 p1 r1 r4")
    city_text += ", t1 covered, t4 covered, r1 covered, r4 covered"
    bare = ", ".join(f"{letter}{n} covered" for letter in "tpr" for n in range(1, 5))
    for brugge, covered, value in (
        (city_text, "p1", "8"),
        # Rulings 19 and 20: a trapezoid without its two triangles is dead, and a bar without its
        # two trapezoids.
        ("t1 covered, t4 covered, t2 red, p2 grey, t3 red, p4 grey", "p1", ""),
        (ALONE, "p1 p2 r1 r2 r3 r4", "2"),
        # Ruling 63: the centre alone is worth 1.
        (bare, "", "1"),
    ):
        events = reveal_golden(table(cities={"brugge": brugge}))
        places = [each["places"] for each in facts(events, "plots_covered")]
        assert places == ([tuple(f"brugge-{plot}" for plot in covered.split())] if covered else [])
        assert scored(events) == ([f"brugge {value}"] if value else [])
        if covered and value:
            assert is_in_order(events, "plots_covered", "city_scored")
    # Luik's centre is worth 2.
    state = table(cities={"gent": bare, "luik": bare})
    assert scored(reveal_golden(state)) == ["gent 1", "luik 2"]
    assert scores(state) == [1, 0, 0, 0]


ALONE = "t1 covered, t2 covered, t4 covered, t3 red, p3 covered, p4 covered"


CLOSED = "brugge gent ieper leuven utrecht"


def test_the_game_ends_when_at_most_one_free_plot_is_left() -> None:
    """The plots of all cities count. Ruling 65: the plot is covered and its city scored."""
    for free in ("r1 r2", "r1 r2 r3"):
        city_text = without(FILLED, free).replace("yellow", "blue")
        assert endings(reveal_golden(table(cities={"luik": city_text}, scored=CLOSED))) == [], free
    cities = dict.fromkeys(("luik", "brugge"), without(FILLED, "r1"))
    assert endings(reveal_golden(table(cities=cities, scored="gent ieper leuven utrecht"))) == []
    state = table(cities={"luik": without(FILLED, "r1")}, scored=CLOSED)
    events = reveal_golden(state)
    assert (endings(events), scored(events), asked(state)) == (["full"], ["luik 13"], [])
    assert facts(events, "plots_covered") == [{"places": ("luik-r1",)}]
    assert is_in_order(events, "plots_covered", "city_scored", "game_ended")
    state = table(cities={"luik": without(FILLED, "r1")}, scored=CLOSED)
    play_alone(state, "luik", 2)
    events = play(state, 2, "build luik-r1 blue")
    assert (endings(events), facts(events, "plots_covered")) == (["full"], [])


def test_after_the_round_of_the_last_golden_card_all_cities_are_scored() -> None:
    """Ruling 32. The game continues while a golden card is left."""
    state = table(golden="leader", golden_left="")
    choose_cards(state, "gent", "gent", "take", "take")
    play(state, 0, "build gent-t1 grey")
    play(state, 1, "build gent-t2 grey")
    assert asked(state) == [(0, "leader")]
    events = play(state, 0, "leader gent-c")
    assert (endings(events), len(scored(events))) == (["deck"], 6)
    assert endings(reveal_golden(table(golden="take", golden_left="leader"))) == []
    # At the end all free plots are covered and all cities scored.
    state = table(seats=3, golden_left="", cities={"gent": "t1 grey, t2 green site"})
    events = reveal_golden(state)
    (covered,) = facts(events, "plots_covered")
    assert len(covered["places"]) == 60 - 2  # type: ignore[arg-type]
    assert scored(events)[1] == "gent 2"
    assert all(city is None or (city.scored and not city.free) for city in state.cities)


def test_the_most_influence_cards_score_three_points() -> None:
    """Ruling 33: all tied players score. If no player has any, none scores, or all by option."""
    for influence, any_bonus, bonus in (
        ([3, 2, 1, 0], False, (3, 0, 0, 0)),
        ([1, 1, 0, 0], False, (3, 3, 0, 0)),
        ([3, 3, 3, 3], False, (3, 3, 3, 3)),
        ([0, 0, 4, 3], False, (0, 0, 3, 0)),
        ([0, 0, 0, 0], False, (0, 0, 0, 0)),
        ([0, 0, 0, 0], True, (3, 3, 3, 3)),
        ([0, 1, 0, 0], True, (0, 3, 0, 0)),
    ):
        state = table(golden_left="", influence=influence, any_bonus=any_bonus)
        events = reveal_golden(state)
        assert result(state).lines[-1] == ("bonus", bonus), (influence, any_bonus)
        # Each seat scored one point for the centre of its home city.
        assert scores(state) == [1 + points for points in bonus]
        scored_bonus = [tuple(each.values()) for each in facts(events, "bonus_scored")]
        assert scored_bonus == [(seat, 3, max(influence)) for seat in range(4) if bonus[seat]]
    state = table(golden="influence", golden_left="", influence=[2, 2, 2, 2], first=1)
    reveal_golden(state)
    assert result(state).lines[-1] == ("bonus", (0, 3, 0, 0))
    state = table(golden_left="", influence=[3, 3, 2, 0])
    choose_cards(state, "take 2", "take 0", "take 2", "take 0")
    assert result(state).lines[-1] == ("bonus", (0, 3, 0, 0))


def test_the_most_points_win_and_the_result_lists_points_by_city() -> None:
    """Rulings 34 and 35: grey cannot win."""
    points: dict[str, int]
    for points, winners in (
        ({"red": 10, "green": 12, "blue": 11}, (1,)),
        ({"red": 10, "green": 10}, (0, 1)),
        ({}, (0, 1, 2, 3)),
        ({"grey": 50, "yellow": 1}, (3,)),
    ):
        state = table(golden_left="", points=points, scored="brugge", influence=0)
        state.points[2][0] += 1  # blue's point for its home city
        reveal_golden(state)
        assert result(state).winners == winners, points
    state = table(seats=3, golden_left="", influence=[1, 0, 0], cities={"gent": "t1 green"})
    reveal_golden(state)
    assert result(state).scores == (5, 2, 1)
    assert dict(result(state).lines)["gent"] == (2, 1, 0)
    # After the end no action is allowed.
    check_refused(state, "game_over", "0 choose take 0")


SITES = "t1 red site, t2 blue site, t3 grey site, t4 church site"


def ended(state: FlandernState) -> str:
    """Return how the game has ended; "" while it continues."""
    outcome = GAME.outcome(state)
    return "" if outcome is None else outcome.ending


def test_a_two_player_turn_is_a_hand_card_and_a_deck_card_in_either_order() -> None:
    state = table(seats=2)
    assert (asked(state), words(state, 0)) == ([(0, "turn")], ("play", "take", "draw"))
    play(state, 0, "play gent")
    # The first action is completed before the second begins.
    assert asked(state) == [(0, "city")]
    check_refused(state, "not_now", "0 draw")
    check_refused(state, "not_your_turn", "1 draw")
    play(state, 0, "build gent-t1 grey")
    assert (asked(state), words(state, 0)) == ([(0, "turn")], ("draw",))
    check_refused(state, "already_played", "0 take", "0 play gent")
    draw(state, "yellow ieper")
    events = play(state, 0, "build ieper-t1 yellow")
    assert facts(events, "turn_ended") == [{"seat": 0}]
    assert (asked(state), state.round) == ([(1, "turn")], 3)
    # Ruling 41: after a draw, a player chooses a hand card knowing the drawn one.
    draw(state, "blue gent")
    check_refused(state, "not_now", "1 play gent")
    play(state, 1, "build gent-t2 blue")
    assert words(state, 1) == ("play", "take")
    check_refused(state, "already_drawn", "1 draw")
    play(state, 1, "take")
    assert (asked(state), state.round) == ([(0, "turn")], 4)


def test_a_hand_card_acts_for_the_own_guild_grey_and_the_church_and_stays_open() -> None:
    """But not for the controlled guild. Take is a separate action and stays in hand."""
    state = table(seats=2)
    play(state, 0, "play brugge")
    assert words(state, 0, "build brugge-t1") == ("red", "red-leader", "grey", "church")
    check_refused(state, "not_yours", "0 build brugge-t1 yellow")
    # Brugge is full, and its only site belongs to another guild.
    state = table(seats=2, cities={"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    events = play(state, 0, "play brugge")
    assert facts(events, "impossible") == [{"seat": 0, "card": "brugge", "golden": 0}]
    assert (words(state, 0), open_cards(state, 0)) == (("draw",), "brugge")
    state = table(seats=2, opened=["site gent", ""])
    check_refused(state, "not_a_choice", "0 play take")
    check_refused(state, "card_lies_open", "0 play site")
    events = play(state, 0, "take")
    assert facts(events, "cards_taken_back") == [{"seat": 0, "cards": ("gent", "site")}]
    assert (hand(state, 0), open_cards(state, 0)) == (ALL_CARDS, "")
    state = table(seats=2, opened=[ALL_CARDS.removesuffix(" take"), ""])
    assert words(state, 0) == ("take", "draw")
    check_refused(state, "only_take_left", "0 play gent")


def test_a_drawn_card_acts_for_the_guild_on_it() -> None:
    """Ruling 40: for that controlled guild, grey and the church, but not the own guild."""
    for seat, guild in product((0, 1), ("blue", "yellow")):
        state = table(seats=2, first=seat)
        events = draw(state, f"{guild} gent")
        assert facts(events, "card_drawn") == [{"seat": seat, "guild": guild, "card": "gent"}]
        tiles = words(state, seat, "build gent-t1")
        assert tiles == (guild, f"{guild}-leader", "grey", "church")
        check_refused(state, "not_yours", f"{seat} build gent-t1 green")
    state = table(seats=2, cities={"leuven": SITES})
    draw(state, "blue leuven")
    assert words(state, 0, "complete") == ("leuven-t2", "leuven-t3", "leuven-t4")
    check_refused(state, "foreign_site", "0 complete leuven-t1")
    # Ruling 42: the site is red, but the card is yellow.
    state = table(seats=2, cities={"brugge": FILLED.replace("t1 red", "t1 red site")})
    events = draw(state, "yellow brugge")
    assert facts(events, "impossible") == [{"seat": 0, "card": "brugge", "golden": 0}]
    assert words(state, 0) == ("play", "take")


def test_drawn_cards_of_scored_cities_are_set_aside_and_an_empty_deck_is_reshuffled() -> None:
    """Rulings 44 and 66."""
    state = table(seats=2, scored="gent luik")
    events = draw(state, "blue gent", "yellow gent", "blue luik", "yellow site")
    aside = [f"{each['guild']} {each['card']}" for each in facts(events, "drawn_set_aside")]
    assert aside == ["blue gent", "yellow gent", "blue luik"]
    assert facts(events, "card_drawn") == [{"seat": 0, "guild": "yellow", "card": "site"}]
    # Ruling 67: including the last drawn card; also if all remaining cards are set aside.
    state = table(seats=2, deck="blue gent")
    draw(state, "blue gent")
    run(state, "0 build gent-t1 grey", "0 take")
    assert facts(draw(state, "blue gent"), "deck_shuffled") == [{"count": 14}]
    assert (sum(map(sum, state.deck)), sum(map(sum, state.discards))) == (13, 1)
    state = table(seats=2, deck="blue gent", scored="gent")
    events = draw(state, "blue gent", "yellow site")
    assert facts(events, "drawn_set_aside") == [{"seat": 0, "guild": "blue", "card": "gent"}]
    # Yellow's card of Gent left the discards when Gent was scored.
    assert facts(events, "deck_shuffled") == [{"count": 12}]


def test_cities_are_scored_at_the_end_of_the_turn_and_their_cards_leave_the_game() -> None:
    """There can be two in one turn."""
    state = table(seats=2, cities=dict.fromkeys(("luik", "leuven"), without(FILLED, "r1")))
    run(state, "0 play luik", "0 build luik-r1 red")
    assert not in_city(state, "luik").scored
    draw(state, "blue leuven")
    events = play(state, 0, "build leuven-r1 blue")
    assert scored(events) == ["leuven 13", "luik 14"]
    assert is_in_order(events, "turn_ended", "city_scored")
    # Ruling 44: its cards leave hands, open cards and discards.
    deck = "blue luik, blue site, yellow site"
    state = table(seats=2, cities={"luik": FILLED}, opened=["luik", ""], deck=deck)
    run(state, "0 play gent", "0 build gent-t1 grey")
    draw(state, "yellow site")
    play(state, 0, "site ieper-t1 yellow")
    assert (open_cards(state, 0), "luik" in hand(state, 1)) == ("gent", False)
    assert state.discards[1][CITY_OF_NAME["luik"]] == 0
    # The one in the deck is set aside when it is drawn.
    assert state.deck[0] == [0, 0, 0, 0, 0, 1, 1]


def last_city(city_text: str, idle: int = 0) -> FlandernState:
    """Return a table where only Luik isn't scored."""
    return table(seats=2, cities={"luik": city_text}, scored=CLOSED, idle=idle)


def end_turn(state: FlandernState) -> list[Event]:
    """Take cards back and build blue on r1 of Luik."""
    play(state, 0, "take")
    draw(state, "blue luik")
    return play(state, 0, "build luik-r1 blue")


def test_the_game_ends_when_no_free_plot_is_left_after_both_actions() -> None:
    events = end_turn(last_city(without(FILLED, "r1")))
    assert (endings(events), scored(events)) == (["full"], ["luik 14"])
    assert endings(end_turn(last_city(without(FILLED, "r1 r3")))) == []
    # Ruling 62: the game ends only after both actions.
    state = last_city(without(FILLED, "r1"))
    run(state, "0 play luik", "0 build luik-r1 red")
    assert (ended(state), asked(state)) == ("", [(0, "turn")])
    draw(state, "blue luik")
    assert ended(state) == "full"


IDLE = (
    "t1 green site, t2 grey site, t3 grey site, t4 red site, p2 blue site, p3 yellow site, "
    "p4 blue site, r1 church site, r2 red site, r3 green, r4 grey site"
)
"""Luik with only p1 free, adjacent to green, red, church and grey. All ten site pieces are placed,
so a drawn site card has no effect."""


def idle_turn(city_text: str, idle: int = 0) -> FlandernState:
    """Return a table after a turn without building: take, and a site card without effect."""
    state = last_city(city_text, idle=idle)
    assert state.site_pieces == 0
    play(state, 0, "take")
    assert len(facts(draw(state, "blue site"), "impossible")) == 1
    return state


def test_the_game_ends_when_only_controlled_guilds_could_still_build() -> None:
    """Ruling 43: blue and yellow could still build on the last plot. It is covered, and its city
    scores two for the centre and one for a quarter that isn't a site."""
    state = idle_turn(IDLE)
    assert (ended(state), content_at(state, "luik-p1")) == ("controlled", "covered")
    assert points_of(state, "green", "luik") == 3
    # Blue is enough: yellow is adjacent to the plot, and green has no trapezoid left.
    cities = {
        "brugge": "t1 red, t2 red, t3 red, t4 church, p1 green, p2 green, p3 green, p4 green",
        "gent": "t1 grey, p1 green-leader",
        "luik": IDLE.replace("t1 green", "t1 yellow"),
    }
    state = table(seats=2, cities=cities, scored=CLOSED)
    play(state, 0, "take")
    draw(state, "blue site")
    assert ended(state) == "controlled"
    # The game continues if red, green, grey or the church could build there.
    changes = ("t4 red", "t4 yellow"), ("t1 green", "t1 yellow"), ("r4 grey", "r4 green")
    for was, now in (*changes, ("r1 church", "r1 yellow"), ("r3 green, ", "")):
        state = idle_turn(IDLE.replace(was, now))
        assert (ended(state), asked(state)) == ("", [(1, "turn")]), was


def test_sixteen_turns_in_a_row_without_a_quarter_end_the_game() -> None:
    """Ruling 50: building, completing and placing a site all count."""
    for idle, ending in ((14, ""), (15, "standstill"), (16, "standstill")):
        state = idle_turn(without(IDLE, "r3"), idle)
        assert (ended(state), state.idle) == (ending, idle + 1)
    for drawn, line in (
        ("blue gent", "complete gent-t1"),
        ("yellow gent", "build gent-t2 grey"),
        ("yellow site", "site gent-t2 grey"),
    ):
        state = table(seats=2, idle=15, cities={"gent": "t1 blue site"})
        draw(state, drawn)
        run(state, f"0 {line}", "0 take")
        assert (state.idle, ended(state)) == (0, "")


def test_a_seat_scores_for_its_own_guild_and_its_controlled_guild() -> None:
    state = last_city(without(FILLED, "r1"))
    for guild, count in enumerate((5, 7, 11, 6, 40)):
        state.points[guild][0] = count
    end_turn(state)
    outcome = result(state)
    # In Luik green has four quarters, red three, yellow and grey two, blue one: 14, 7, 2, 2, 0.
    assert outcome.scores == (5 + 11 + 7, 7 + 6 + 14 + 2)
    assert outcome.winners == (1,)
    assert outcome.lines[0] == ("brugge", (16, 13))
    assert outcome.lines[-1] == ("luik", (7, 16))
    assert len(outcome.lines) == 6
