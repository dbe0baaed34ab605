"""Plans: made in the panel in private, saved, and played with one press."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cogs.panel.panel import PLAN_ACCENT
from bot.game.choices import OneOf
from bot.tables import Table
from bot.titles import TITLES
from tests.cogs.conftest import (
    Club,
    block_messages,
    emit,
    fill_in,
    id_with,
    ids,
    parts,
    press,
    wording,
)


async def forge_press(club: Club, table: Table, person: Any, custom_id: str) -> str:
    emit(club, person, await club.panel(table.id), custom_id)
    await club.settle()
    return wording(club.private(table, person)[-1])


async def choose(person: Any, message: Any, *words: str) -> Any:
    menu = id_with(message, "whole:")
    return (await person.choose(message, custom_id=menu, values=[",".join(words)])).response


async def make_plan(club: Club) -> tuple[Table, int, Any, Any]:
    table, seat = await club.burgundy()
    person = club.person(table, seat)
    shown = await press(person, await club.open_panel(table, seat), "plan:")
    die = (await club.words(1, seat, "workers"))[0]
    shown = await choose(person, shown, "workers", die)
    return table, seat, person, shown


async def test_a_plan_is_private_and_played_with_one_press(club: Club) -> None:
    table, seat, person, shown = await make_plan(club)
    assert "Your plan" in wording(shown)
    assert "\n1. " in wording(shown)
    assert await club.done() == []
    assert any(each.startswith("act:1:p1.") for each in ids(shown))
    assert alts(shown)
    assert all(alt.startswith("A plan, not played yet:") for alt in alts(shown))
    assert frames(shown) == [PLAN_ACCENT]

    play = id_with(shown, "planplay:")
    other = club.person(table, 1 - seat)
    assert "That plan is gone" in await forge_press(club, table, other, play)
    assert not [m for m in club.private(table, other) if "your plan" in wording(m).casefold()]
    assert await club.done() == []
    await club.restart()

    after = await press(person, shown, "planplay:")

    assert [line.split()[0] for line in await club.done()] == ["workers"]
    assert "1 action of your plan was played" in wording(after)
    assert "That plan is gone" in await forge_press(club, table, person, play)
    assert len(await club.done()) == 1


async def test_a_plan_can_be_stepped_through_and_changed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat, person, shown = await make_plan(club)
    before, early = wording(shown), ids(shown)
    at_start = await press(person, shown, "plan:")
    assert "\n1. " not in wording(at_start)
    assert "1 action after this" in wording(at_start)
    assert any(each.startswith("act:1:p0.") for each in ids(at_start))
    assert wording(await press(person, at_start, "plan:1:p1.")) == before
    other = (await club.words(1, seat, "workers"))[-1]
    at_start = await press(person, shown, "plan:")
    changed = await choose(person, at_start, "workers", other)
    assert wording(changed) != before
    (late, *_) = [each for each in early if each.startswith("act:1:p1.")]
    assert "older version of your plan" in await forge_press(club, table, person, late)

    monkeypatch.setitem(vars(TITLES["burgundy"]), "menu", lambda *_: ())
    at_start = await press(person, changed, "plan:")
    choosing = await press(person, at_start, ":workers")
    assert "Your plan" in wording(choosing)
    assert frames(choosing) == [PLAN_ACCENT]
    assert await club.done() == []


def alts(message: Any) -> list[str]:
    return [
        item.get("description") or "" for each in parts(message) for item in each.get("items", ())
    ]


def frames(message: Any) -> list[int]:
    return [each["accent_color"] for each in parts(message) if "accent_color" in each]


async def test_a_plan_is_saved_opened_deleted_and_offered_on_the_players_turn(
    club: Club,
) -> None:
    table, seat, person, shown = await make_plan(club)
    before, posts = wording(shown), [wording(post) for post in club.posts(table)]
    form = await person.click(shown, custom_id="plankeep:1")
    listed = (await fill_in(person, form, " *Ships*  first ")).response
    assert "Saved as **\\*Ships\\* first**." in wording(listed)
    assert "still works" in wording(listed)
    assert "**\\*Ships\\* first** · 1 action" in wording(listed)
    opened = await press(person, listed, "planload:")
    assert wording(opened) == before
    listed = await press(person, await press(person, opened, "plans:"), "plandrop")
    assert "You have no saved plan" in wording(listed)
    assert [wording(post) for post in club.posts(table)] == posts

    await club.tables.plans.save(1, person.id, "*Ships*")
    panel = await club.open_panel(table, seat)
    assert "Your plan **\\*Ships\\*** still works." in wording(panel)

    # An action at the table makes the plan unplayable.
    die = (await club.words(1, seat, "workers"))[-1]
    await club.tables.play.act(1, seat, ("workers", die))
    after = await press(person, panel, "planplay:")
    assert "None of your plan was played." in wording(after)
    assert len(await club.done()) == 1


@pytest.mark.parametrize("blocked", [False, True])
async def test_a_waiting_player_can_plan_a_turn_that_plays_automatically(
    club: Club, *, blocked: bool
) -> None:
    table, seat = await club.burgundy()
    waiting = club.person(table, 1 - seat)
    shown = await press(waiting, await club.open_panel(table, 1 - seat), "plan:")
    assert f"Assumes no other moves by **{table.names[seat]}**" in wording(shown)
    tried = await club.tables.plans.trials(1, 1 - seat, ())
    choices = tried[0].legal(("workers",))
    assert isinstance(choices, OneOf)
    shown = await choose(waiting, shown, "workers", choices.values[0])
    assert not [each for each in ids(shown) if each.startswith("planplay")]
    await club.tables.plans.save(1, waiting.id, "Ships")
    listed = await press(waiting, await press(waiting, shown, "plans:"), "planarm")
    assert "It plays automatically on your turn" in wording(listed)
    if blocked:
        block_messages(club, waiting)

    await end_turn(club, seat)
    await club.tables.plans.finish()
    await club.settle()

    assert (await club.done())[-1].startswith("workers")
    assert len(await club.done()) == 4
    # No post reveals that the message was refused.
    assert not [each for each in club.posts(table) if "direct messages" in wording(each)]
    if not blocked:
        dm = wording(club.dms(waiting)[-1])
        assert "Your plan **Ships** was played automatically:" in dm
        assert "standing order" not in dm


async def end_turn(club: Club, seat: int) -> None:
    for _ in range(2):
        await club.play((seat, f"workers {(await club.words(1, seat, 'workers'))[0]}"))
    await club.play((seat, "end"))


async def test_an_open_plan_stays_in_its_owners_language_when_the_turn_comes(
    club: Club,
) -> None:
    table, seat = await club.burgundy()
    waiting = club.person(table, 1 - seat)
    planned = await press(waiting, await club.open_panel(table, 1 - seat), "plan:")
    assert alts(planned)
    shown = await press(waiting, planned, "start:")
    assert "It's not your turn" in wording(shown)
    assert alts(shown) == []
    await club.tables.people.change(waiting.id, language="it")
    await press(waiting, await club.open_panel(table, 1 - seat), "plan:")
    await end_turn(club, seat)
    assert await club.asked(1) == [1 - seat]
    (panel,) = club.private(table, waiting)
    assert "Il tuo piano" in wording(panel)
    shown = await press(waiting, panel, "start:")
    assert "Il tuo piano" not in wording(shown)
