"""The menu of a decision: each whole action is one press."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.cogs.panel.menu import BEST, MAX_BUTTONS, WholeMenu
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.ui.custom_id import MAX_ID, MAX_NUMBER, CustomId, decode_words, encode_words, parse
from bot.cogs.ui.layout import Control
from bot.game.choices import OneOf
from bot.game.contract import END, SPECTATOR, Action, canonical, in_turn, joined
from bot.text.words import words_for
from bot.titles import TITLES
from tests.cogs.conftest import Club, id_with, ids, part, parts, wording
from tests.policy.menus import offered

EVERY = 211
PRIMARY, SUCCESS, DANGER = 1, 3, 4
"""Discord's button styles."""


def buttons(panel: Any) -> list[Action]:
    return [parse(each).words for each in ids(panel) if each.startswith("act:")]


def lines(panel: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = part(panel, id_with(panel, "whole:"))["options"]
    return found


def test_every_menu_action_fits_into_a_custom_id() -> None:
    for title in TITLES.values():
        for moment in offered(title, EVERY):
            for action in moment.menu:
                custom_id = CustomId("act", MAX_NUMBER, moment.decision.id, action).encoded()
                assert len(custom_id) <= MAX_ID
                assert parse(custom_id).words == decode_words(encode_words(action)) == action


@pytest.mark.parametrize(
    "name",
    [
        "kogge",
        "burgundy",
        pytest.param("guatemala", marks=pytest.mark.slow),
        pytest.param("flandern", marks=pytest.mark.slow),
    ],
)
async def test_one_press_takes_a_whole_action_and_the_panel_is_private(
    club: Club, name: str
) -> None:
    table, rng = await club.start_game(name), Random(3)
    for _ in range(4):
        await club.act(1, rng)
    await club.settle()
    seat = (await club.asked(table.id))[0]
    person, before = club.person(table, seat), await club.actions(table.id)
    posts = [wording(each) for each in club.seen(club.place(table), club.people[3])]
    panel = await club.open_panel(table, seat)
    pressed = next(
        each["custom_id"]
        for each in parts(panel)
        if each.get("custom_id", "").startswith("act:") and each["style"] != DANGER
    )
    assert panel.is_ephemeral
    seen = [wording(each) for each in club.seen(club.place(table), club.people[3])]
    assert seen == posts

    await person.click(panel, custom_id=pressed)

    expected = [canonical(each) for each in in_turn(parse(pressed).words)]
    assert (await club.actions(table.id))[len(before) :] == expected


# Its layout in the first turn of Burgundy


async def test_the_best_actions_are_buttons_in_the_usual_order_and_a_list_has_all(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = await club.burgundy()
    reader = club.tables.reader
    (decision,) = (each for each in await reader.pending(1) if each.seat == seat)
    legal, view = (
        partial((await reader.seen(1, SPECTATOR)).legal, seat),
        (await reader.seen(1, seat)).view,
    )
    expected = [*TITLES["burgundy"].menu(view, decision, legal)]
    table_view = await club.services.table_view(1, seat, words_for("en"))
    panel = await club.open_panel(table, seat)
    assert len(expected) > MAX_BUTTONS
    assert {*buttons(panel)[:BEST]} == {*expected[:BEST]}
    listed = legal(())
    assert isinstance(listed, OneOf)
    for shown in (buttons(panel)[:BEST], [decode_words(each["value"]) for each in lines(panel)]):
        kinds = [words[0] for words in shown]
        assert kinds == sorted(kinds, key=listed.values.index)
        whole = [words for words in shown if len(words) > 1]
        assert whole == sorted(whole, key=OpenMoves(club.services, table_view, seat).place_of)
    assert {*expected} <= {decode_words(each["value"]) for each in lines(panel)}
    assert (
        part(panel, id_with(panel, "whole:"))["placeholder"] == f"All {len(lines(panel))} actions…"
    )
    labels = [each["label"] for each in lines(panel)]
    assert len(set(labels)) == len(labels)
    # Only the best action is marked.
    (blue,) = (each for each in parts(panel) if each.get("style") in (PRIMARY, SUCCESS))
    assert parse(blue["custom_id"]).words == expected[0]
    with monkeypatch.context() as fewer:
        few = expected[:MAX_BUTTONS]
        fewer.setitem(vars(TITLES["burgundy"]), "menu", lambda *_: few)
        assert {*few} <= {*buttons(await club.open_panel(table, seat))}
    panel = await club.open_panel(table, seat)
    chosen = lines(panel)[-1]["value"]
    await club.person(table, seat).choose(panel, values=[chosen], custom_id="whole:1:0:")
    assert await club.done() == [canonical(decode_words(chosen))]


async def test_a_menu_without_a_preference_marks_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = await club.start_game("flandern"), 0
    seat = (await club.asked(table.id))[0]
    panel = await club.open_panel(table, seat)
    assert [words[0] for words in buttons(panel)][:2] == ["guild", "guild"]
    assert not [each for each in parts(panel) if each.get("style") in (PRIMARY, SUCCESS)]


async def test_actions_missing_from_the_menu_and_all_if_it_fails_are_chosen_word_by_word(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> list[Action]:
        raise RuntimeError("no idea")

    table, seat = await club.burgundy()
    with monkeypatch.context() as failing:
        failing.setitem(vars(TITLES["burgundy"]), "menu", fail)
        panel = await club.open_panel(table, seat)
    assert {("take",), ("workers",)} <= {*buttons(panel)}
    (fault,) = club.faults.seen
    assert "error=RuntimeError" in fault
    club.faults.seen.clear()
    every = [("workers", die) for die in await club.words(1, seat, "workers")]
    monkeypatch.setitem(vars(TITLES["burgundy"]), "menu", lambda *_: every)
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    assert buttons(panel)[: len(every)] == every
    first, every_id = ids(panel), id_with(panel, "whole:")
    # A kind that needs more words ends with an ellipsis.
    assert next(each["label"] for each in lines(panel) if each["value"] == "take").endswith("…")
    shown = (await person.choose(panel, ["take"], custom_id=every_id)).response
    dice = buttons(shown)
    again = (await person.click(shown, custom_id="back:1:0:")).response
    assert dice == [("take", die) for die in await club.words(1, seat, "take")]
    assert ids(again) == first


# Several actions with one press


@pytest.mark.parametrize("stopped", ["nowhere", "illegal", "confirmed"])
async def test_joined_actions_stop_at_one_that_is_illegal_or_needs_confirmation(
    club: Club, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    table, seat = await club.burgundy()
    first, second = [("workers", die) for die in await club.words(1, seat, "workers")]
    # The turn cannot end before the second die.
    actions = [first, (END,), second] if stopped == "illegal" else [first, second, (END,)]
    done = {"nowhere": 3, "illegal": 1, "confirmed": 2}[stopped]

    async def is_dangerous(_moves: OpenMoves, action: Action) -> bool:
        return action[0] == END

    if stopped == "confirmed":
        monkeypatch.setattr(OpenMoves, "is_dangerous", is_dangerous)

    def menu(_view: Any, _decision: Any, legal: Any) -> list[Action]:
        dice = legal(("workers",)).values if "workers" in legal(()).values else ()
        return [joined(*actions)] if first[1] in dice else []

    monkeypatch.setitem(vars(TITLES["burgundy"]), "menu", menu)
    panel = await club.open_panel(table, seat)

    shown = (await club.person(table, seat).click(panel, custom_id=ids(panel)[0])).response

    assert await club.done() == [canonical(each) for each in actions[:done]]
    assert await club.asked(1) == [1 - seat if stopped == "nowhere" else seat]
    if stopped == "illegal":
        assert ("take",) in buttons(shown)


async def test_a_kind_only_joined_to_the_end_of_turn_is_in_the_list_of_all(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def workers_and_end(_view: Any, _decision: Any, legal: Any) -> list[Action]:
        return [joined(("workers", die), (END,)) for die in legal(("workers",)).values]

    monkeypatch.setitem(vars(TITLES["burgundy"]), "menu", workers_and_end)
    table, seat = await club.burgundy()
    panel = await club.open_panel(table, seat)
    assert "workers" not in [words[0] for words in buttons(panel) if len(words) == 1]
    # The player may want another action before the turn ends.
    every = id_with(panel, "whole:")
    assert "workers" in [each["value"] for each in lines(panel)]
    chosen = (await club.person(table, seat).choose(panel, ["workers"], custom_id=every)).response
    assert any(":workers" in each for each in ids(chosen))
    assert every not in ids(chosen)


async def test_kinds_without_further_words_are_buttons_and_end_turn_comes_last(
    club: Club,
) -> None:
    def drawn(press: Control) -> Any:
        return press.to_component_dict()

    await club.game()
    seat = await club.play_until(1, "end")
    table_view = await club.services.table_view(1, seat, words_for("en"))
    legal = await club.legal_kinds(1, seat)
    custom_id = CustomId("act", 1, "7")
    *single, others = WholeMenu((), (), legal).controls(
        OpenMoves(club.services, table_view, seat), custom_id
    )
    assert single[-1].custom_id == custom_id.then(END).encoded()
    assert [option["value"] for option in drawn(others)["options"]] == [*legal]
    assert others.custom_id == CustomId("whole", 1, "7").encoded()
