"""An action that ends the game says so on its button, and is asked about once more."""

from __future__ import annotations

from bot.tables import Status
from tests.cogs.conftest import Club, wording
from tests.cogs.test_guatemala import act, asked, begun
from tests.cogs.test_languages import texts
from tests.cogs.test_plans import forged, press

ENDS = "Stay and give up the turn (ends the game)"


async def test_the_pass_that_ends_the_game_is_confirmed_on_every_way(club: Club) -> None:
    table = await begun(club)
    placer, _ = await asked(club)
    await act(club, (placer, "place t3"), (1 - placer, "pass"))
    seat, _ = await asked(club)
    person, place = club.person(table, seat), club.place(table)
    shared = f"You would share the victory with **{club.person(table, 1 - seat).name}**, 0:0."

    panel = await club.open_panel(table, seat)
    assert ENDS in texts(panel)
    once_more = (await person.click(panel, label=ENDS)).response
    assert f"This ends the game. {shared}" in wording(once_more)
    back = (await person.click(once_more, label="Back")).response
    assert ENDS in texts(back)
    plan = await press(person, back, "plan")
    plan = (await person.click(plan, label=ENDS)).response
    assert f"This ends the game. {shared}" in wording(plan)
    stopped = await press(person, plan, "planplay")
    assert "The next action ends the game, so it waits for you." in wording(stopped)
    assert f"This ends the game. {shared}" in wording(stopped)
    typed = (await person.slash(place, "guatemala pass")).response
    assert f"This ends the game. {shared}" in wording(typed)
    assert (await club.services.tables.reader.get(1)).status is Status.PLAYING

    await person.click(typed, label="End the game")
    assert (await club.services.tables.reader.get(1)).status is Status.FINISHED


async def test_several_actions_of_one_press_are_said_before_they_end_the_game(club: Club) -> None:
    table = await begun(club)
    placer, _ = await asked(club)
    await act(club, (placer, "place t3"))
    for _ in range(11):
        seat, _ = await asked(club)
        await act(club, (seat, "move 1"), (seat, "end"))
    seat, _ = await asked(club)
    step = (await club.services.tables.reader.pending(table.id))[0].id

    said = await forged(club, table, club.person(table, seat), f"act:1:{step}:move,1,+,end")

    assert said.startswith("Move the buyer 1 step, then end your turn?\n🏁 This ends the game.")
    assert (await club.services.tables.reader.get(1)).status is Status.PLAYING
