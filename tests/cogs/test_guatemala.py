"""`/guatemala`: turns by commands, what they say a place costs and brings, and blocks in secret."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from bot.tables import Status, Table
from bot.titles import TITLES
from tests.cogs.conftest import Club, ids, part, press, wording
from tests.cogs.test_burgundy import done
from tests.cogs.test_flandern import seen_by
from tests.cogs.test_languages import texts
from tests.cogs.test_plans import forged
from tests.tables.world import StillClock

GAME = TITLES.games["guatemala"]
ENDS = "Stay and give up the turn (ends the game)"


async def begun(club: Club, seats: int = 2) -> Table:
    return await club.begun("guatemala", seats=seats)


async def asked(club: Club) -> tuple[int, str]:
    """The only seat that is awaited, and what it is asked."""
    decisions = await club.services.tables.reader.pending(1)
    (decision,) = (each for each in decisions if not each.optional)
    return decision.seat, decision.kind


async def test_a_turn_is_played_by_commands_and_ended(club: Club) -> None:
    table = await begun(club)
    place = club.place(table)
    placer, _ = await asked(club)
    seat = 1 - placer
    person = club.person(table, seat)

    await club.person(table, placer).slash(place, "guatemala place", position="column 3, top")
    early = await person.slash(place, "guatemala end")
    await person.slash(place, "guatemala move", steps="1")
    wrong = await person.slash(place, "guatemala buy", piece="red hut", place="a1")
    await person.slash(place, "guatemala buy", piece="red worker", place="a1")
    late = await person.slash(place, "guatemala take")
    await person.slash(place, "guatemala end")

    assert await done(club) == ["place t3", "move 1", "buy 24 a1", "end"]
    assert "the buyer has not moved yet" in wording(early.response)
    assert "red hut" in wording(wrong.response)
    assert "You have bought in this turn" in wording(late.response)
    assert all(each.ephemeral for each in (early, wrong, late))
    assert await asked(club) == (placer, "step")


async def test_whoever_could_block_and_whoever_could_not_are_asked_alike(tmp_path: Path) -> None:
    seen, choices, labels = [], [], []
    for sacks in (0, 3):
        (folder := tmp_path / str(sacks)).mkdir()
        async with Club(folder) as club:
            club.services.tables._unit_of_work.clock = StillClock()
            table = await begun(club, 4)
            placer, _ = await asked(club)
            seat, other = ((placer + step) % 4 for step in (1, 3))
            # The buyer comes to a red sack.
            await club.play((placer, "place t2"), (seat, "move 1"))
            await exchange_hand(club, other, red=sacks)
            people = [each for each in club.people if each != club.person(table, other)]
            for each in people:
                await each.slash(club.channel, "me set", notices="dm")
            await club.play((seat, "take"))
            views = [await seen_by(club, table, people)]
            choices.append(await club.words(1, other, "block"))
            panel = await club.open_panel(table, other)
            # Yes, where that is offered.
            answer = max(each for each in ids(panel) if "block" in each)
            labels.append(part(panel, answer)["label"])
            await club.person(table, other).click(panel, custom_id=answer)
            views.append(await seen_by(club, table, people))
            seen.append((views, await club.asked(1)))

    assert seen[0] == seen[1]
    assert choices == [["no"], ["yes", "no"]]
    assert labels == ["Let it be: nobody scores", "Block, though nobody would score"]


async def exchange_hand(club: Club, seat: int, *, red: int) -> None:
    """From now on the seat holds so many red sacks, and white ones else; the bag gives way."""
    cache = club.services.tables._unit_of_work.cache
    loaded = await cache.read(1)
    now = loaded.position()
    state = GAME.decode(GAME.encode(now.state))
    hand = state.players[seat].hand
    hand[:] = [0, 0, red, 0, sum(hand) - red]
    cache.put(replace(loaded, now=replace(now, state=state, blob=GAME.encode(state))))


# An action that ends the game says so on its button, and is asked about once more


async def test_the_pass_that_ends_the_game_is_confirmed_on_every_way(club: Club) -> None:
    table = await begun(club)
    placer, _ = await asked(club)
    await club.play((placer, "place t3"), (1 - placer, "pass"))
    seat, _ = await asked(club)
    person, place = club.person(table, seat), club.place(table)
    shared = f"You would share the victory with **{club.person(table, 1 - seat).name}**, 0:0."

    panel = await club.open_panel(table, seat)
    assert ENDS in texts(panel)
    once_more = (await person.click(panel, label=ENDS)).response
    assert f"This ends the game. {shared}" in wording(once_more)
    back = (await person.click(once_more, label="Back")).response
    assert ENDS in texts(back)
    plan = await press(person, back, "plan:")
    plan = (await person.click(plan, label=ENDS)).response
    assert f"This ends the game. {shared}" in wording(plan)
    stopped = await press(person, plan, "planplay:")
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
    await club.play((placer, "place t3"))
    for _ in range(11):
        seat, _ = await asked(club)
        await club.play((seat, "move 1"), (seat, "end"))
    seat, _ = await asked(club)
    step = (await club.services.tables.reader.pending(table.id))[0].id

    said = await forged(club, table, club.person(table, seat), f"act:1:{step}:move,1,+,end")

    assert said.startswith("Move the buyer 1 step, then end your turn?\n🏁 This ends the game.")
    assert (await club.services.tables.reader.get(1)).status is Status.PLAYING
