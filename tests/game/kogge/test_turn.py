"""The course of a turn: its actions, each once and in any order."""

from __future__ import annotations

from bot.game.events import TurnEnded
from tests.game.kogge.places import ABO, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import asked, kinds, play, refused, table, told


def test_each_action_may_be_taken_once_a_turn_in_any_order() -> None:
    """Difference 2."""
    state = table(
        ships=(REVAL, LUBECK),
        hands=("ooooass33355",),
        guild=REVAL,
        display=("44", "66"),
        city={REVAL: "ff"},
        start=LUBECK,
    )
    once = {
        "reroute left 5": "reroute",
        "buy 1 ore": "buy",
        "build both": "build",
        "trade o f": "trade",
        "swap_marker 5": "guild_deals",
    }
    for line, topic in once.items():
        play(state, 0, line)
        refusal = refused(state, 0, line)
        assert refusal.code == "already_done"
        assert refusal.topic == (
            "office" if line.startswith("build") else topic.replace("buy", "buying")
        )
    assert kinds(state, 0) == ("raid_city", "end")


def test_a_turn_may_end_without_any_action() -> None:
    state = table()
    events = play(state, 0, "end")
    assert told(events, TurnEnded) == [TurnEnded(seat=0)]
    assert asked(state) == [(1, "move")]


def test_actions_happen_where_the_ship_ended_its_movement() -> None:
    """Difference 40."""
    state = table(asked="move", hands=("oas",), offices={STRALSUND: [(0, "")], ABO: [(0, "")]})
    play(state, 0, "sail left -")
    play(state, 0, "stop")
    assert refused(state, 0, "build both").facts["city"] == RIGA
