"""The menu of a decision: what is one decision is one press."""

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
"""How Discord numbers the styles."""


def buttons(panel: Any) -> list[Action]:
    return [parse(each).words for each in ids(panel) if each.startswith("act:")]


def lines(panel: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = part(panel, id_with(panel, "whole:"))["options"]
    return found


def test_what_is_offered_fits_into_the_id_of_a_button() -> None:
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
async def test_a_press_carries_a_whole_action_out_once_and_is_seen_by_nobody_else(
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

    told = [canonical(each) for each in in_turn(parse(pressed).words)]
    assert (await club.actions(table.id))[len(before) :] == told


# How it is laid out, at the first turn of Burgundy


async def test_the_best_are_buttons_in_their_usual_order_and_one_list_has_all(
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
    # The best of all is marked, and nothing else is.
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


async def test_a_menu_that_prefers_nothing_or_harm_marks_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat = await club.start_game("flandern"), 0
    seat = (await club.asked(table.id))[0]
    panel = await club.open_panel(table, seat)
    assert [words[0] for words in buttons(panel)][:2] == ["guild", "guild"]
    assert not [each for each in parts(panel) if each.get("style") in (PRIMARY, SUCCESS)]


async def test_what_a_menu_lacks_is_chosen_word_by_word_and_all_where_it_fails(
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
    # A kind that needs more words says so.
    assert next(each["label"] for each in lines(panel) if each["value"] == "take").endswith("…")
    shown = (await person.choose(panel, ["take"], custom_id=every_id)).response
    dice = buttons(shown)
    again = (await person.click(shown, custom_id="back:1:0:")).response
    assert dice == [("take", die) for die in await club.words(1, seat, "take")]
    assert ids(again) == first


# Several actions by one press


@pytest.mark.parametrize("stopped", ["nowhere", "not allowed", "asked about"])
async def test_joined_actions_are_carried_out_in_turn_up_to_one_that_is_not_allowed_or_asked_about(
    club: Club, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    table, seat = await club.burgundy()
    first, second = [("workers", die) for die in await club.words(1, seat, "workers")]
    # The turn cannot end before the second die.
    wanted = [first, (END,), second] if stopped == "not allowed" else [first, second, (END,)]
    done = {"nowhere": 3, "not allowed": 1, "asked about": 2}[stopped]

    async def is_dangerous(_moves: OpenMoves, action: Action) -> bool:
        return action[0] == END

    if stopped == "asked about":
        monkeypatch.setattr(OpenMoves, "is_dangerous", is_dangerous)

    def menu_once(_view: Any, _decision: Any, legal: Any) -> list[Action]:
        dice = legal(("workers",)).values if "workers" in legal(()).values else ()
        return [joined(*wanted)] if first[1] in dice else []

    monkeypatch.setitem(vars(TITLES["burgundy"]), "menu", menu_once)
    panel = await club.open_panel(table, seat)

    shown = (await club.person(table, seat).click(panel, custom_id=ids(panel)[0])).response

    assert await club.done() == [canonical(each) for each in wanted[:done]]
    assert await club.asked(1) == [1 - seat if stopped == "nowhere" else seat]
    if stopped == "not allowed":
        assert ("take",) in buttons(shown)


async def test_a_kind_that_stands_joined_to_the_end_is_chosen_in_the_list_of_all(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def workers_and_end(_view: Any, _decision: Any, legal: Any) -> list[Action]:
        return [joined(("workers", die), (END,)) for die in legal(("workers",)).values]

    monkeypatch.setitem(vars(TITLES["burgundy"]), "menu", workers_and_end)
    table, seat = await club.burgundy()
    panel = await club.open_panel(table, seat)
    assert "workers" not in [words[0] for words in buttons(panel) if len(words) == 1]
    # Something else may be wanted before the turn ends.
    every = id_with(panel, "whole:")
    assert "workers" in [each["value"] for each in lines(panel)]
    chosen = (await club.person(table, seat).choose(panel, ["workers"], custom_id=every)).response
    assert any(":workers" in each for each in ids(chosen))
    assert every not in ids(chosen)


async def test_what_is_a_press_anyway_is_a_button_and_the_end_of_the_turn_the_last(
    club: Club,
) -> None:
    def drawn(press: Control) -> Any:
        return press.to_component_dict()

    await club.game()
    seat = await club.play_until(1, "end")
    table_view = await club.services.table_view(1, seat, words_for("en"))
    legal = await club.legal_kinds(1, seat)
    custom_id = CustomId("act", 1, "7")
    *at_once, others = WholeMenu((), (), legal).controls(
        OpenMoves(club.services, table_view, seat), custom_id
    )
    assert at_once[-1].custom_id == custom_id.then(END).encoded()
    assert [option["value"] for option in drawn(others)["options"]] == [*legal]
    assert others.custom_id == CustomId("whole", 1, "7").encoded()
