"""`/guatemala`: turns by commands, what they say a place costs and brings, and blocks in secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from bot.game.contract import parse_action
from bot.game.guatemala.data import COLOUR_OF_KEY
from bot.game.guatemala.state import GuatemalaState
from bot.tables import Table
from bot.titles import TITLES
from tests.cogs.conftest import Club, ids, part, wording
from tests.cogs.test_burgundy import done
from tests.cogs.test_component_router import pressed_late
from tests.cogs.test_languages import texts
from tests.tables.world import StillClock

GAME = TITLES.games["guatemala"]
COLUMNS = {"beige": 2, "red": 3, "black": 4, "white": 6, "brown": 8}
"""Where in the printed set-up there is a sack of a colour."""


async def begun(club: Club, seats: int = 2) -> Table:
    """A table of Guatemala Café that has begun."""
    return await club.begun("guatemala", seats=seats)


async def asked(club: Club) -> tuple[int, str]:
    """The only seat that is awaited, and what it is asked."""
    decisions = await club.services.tables.reader.pending(1)
    (decision,) = (each for each in decisions if not each.optional)
    return decision.seat, decision.kind


async def state_of(club: Club) -> GuatemalaState:
    """The whole table."""
    state = (await club.services.tables._unit_of_work.cache.read(1)).position().state
    assert isinstance(state, GuatemalaState)
    return state


async def act(club: Club, *lines: tuple[int, str]) -> None:
    """Actions beside the bot, each by a seat, and each with its post: on a busy machine one post
    would tell of several."""
    for seat, line in lines:
        await club.services.tables.play.act(1, seat, parse_action(line))
        await club.env.settle()


async def brought(club: Club, column: int) -> int:
    """The buyer is placed, and brought above a column by the first step; the seat on turn."""
    placer, _ = await asked(club)
    await act(club, (placer, f"place t{column - 1}"))
    seat, _ = await asked(club)
    await act(club, (seat, "move 1"))
    return seat


def others_of(table: Table, seat: int) -> list[int]:
    """The other seats, clockwise."""
    count = len(table.players)
    return [(seat + step) % count for step in range(1, count)]


# A turn


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


async def test_the_taker_puts_another_sack_where_nobody_blocks(club: Club) -> None:
    table = await begun(club)
    seat = await brought(club, COLUMNS["white"])
    place, taker = club.place(table), club.person(table, seat)
    await exchange_hand(club, seat, red=2)
    await taker.slash(place, "guatemala take")
    waiting = await taker.slash(place, "guatemala take")
    await club.person(table, 1 - seat).slash(place, "guatemala block", answer="no")

    offered = await taker.autocomplete(place, "guatemala refill", "colour", "")
    refused = await taker.slash(place, "guatemala refill", colour="black")
    await taker.slash(place, "guatemala refill", colour="red")

    assert {each["value"] for each in offered} == {"red", "white"}
    assert "The others are still choosing" in wording(waiting.response)
    assert "You have no black sack in your hand." in wording(refused.response)
    assert (await done(club))[-1] == "refill red"
    assert await asked(club) == (1 - seat, "step")


async def test_autocomplete_says_what_a_place_costs_and_brings(club: Club) -> None:
    table = await begun(club)
    seat = await brought(club, 4)
    person, place = club.person(table, seat), club.place(table)

    async def named(**given: str) -> dict[str, str]:
        offered = await person.autocomplete(place, "guatemala buy", "place", "", **given)
        return {each["value"]: each["name"] for each in offered}

    huts = await named(piece="black hut")
    await act(club, (seat, "buy 44 b2"), (seat, "end"), (1 - seat, "move 1"), (1 - seat, "end"))
    steps = await person.autocomplete(place, "guatemala move", "steps", "")
    stranger = await club.people[3].autocomplete(place, "guatemala move", "steps", "")
    await act(club, (seat, "move 4"))

    assert huts["b2"] == "b2 · 6 centavos · new plantation; Port 1 is 5 roads away"
    assert steps[3]["name"] == "4: pay 2 · column 9 (top) · 6 workers, 2 huts, ship"
    assert stranger == []
    assert await named(piece="black worker") == {
        "a2": "a2 · 3 centavos · harvest 0→1",
        "b1": "b1 · 3 centavos · harvest 0→1",
        "b3": "b3 · 3 centavos · harvest 0→1",
        "c2": "c2 · 3 centavos · harvest 0→1",
    }
    assert await named(piece="red ship") == {"port1": "Port 1 · 1 centavo · raises no harvest yet"}


# Presses out of place


async def pressed(club: Club, table: Table, seat: int, *path: str) -> Any:
    """What a seat is answered that opens its panel and presses its way to an action."""
    person, shown = club.person(table, seat), await club.open_panel(table, seat)
    for word in path:
        found = next(each for each in ids(shown) if each.endswith(word))
        shown = (await person.click(shown, custom_id=found)).response
    return shown


async def test_an_answer_that_comes_after_the_block_changes_nothing(club: Club) -> None:
    table, seat, first, last = await where_all_could_block(club, 3)
    person, panel = club.person(table, last), await club.open_panel(table, last)
    answer = next(each for each in ids(panel) if each.endswith("block,yes"))
    # Whoever is not asked has no say in it.
    before = await club.actions(1)
    for other in (club.person(table, seat), club.people[3]):
        place = club.place(table)
        assert await other.autocomplete(place, "guatemala block", "answer", "", table=1) == []
        assert (await other.slash(place, "guatemala block", answer="yes")).ephemeral
        shown = await other.click(await club.panel(1), custom_id="play:1")
        assert not any("block" in each for each in ids(shown.response))
    assert await club.actions(1) == before

    await act(club, (first, "block yes"))
    before = await club.actions(1)

    late = await pressed_late(club, person, panel, answer)
    typed = await person.slash(club.place(table), "guatemala block", answer="yes")

    assert late
    assert f"**{table.names[seat]}**'s turn now" in wording(typed.response)
    assert await club.actions(1) == before
    assert await asked(club) == (seat, "act")


# Blocks in secret


async def where_all_could_block(club: Club, seats: int) -> tuple[Table, int, int, int]:
    """A sack is taken of a colour that the first and the last of the others have as well; who took
    it, and these two."""
    table = await begun(club, seats)
    placer, _ = await asked(club)
    seat = (placer + 1) % seats
    first, last = others_of(table, seat)[0], others_of(table, seat)[-1]
    players = (await state_of(club)).players
    both = [
        key
        for key in COLUMNS
        if all(players[each].hand[COLOUR_OF_KEY[key]] for each in (first, last))
    ]
    await act(club, (await brought(club, COLUMNS[both[0]]), "take"))
    return table, seat, first, last


def shown_to(club: Club, table: Table, people: list[Any]) -> list[list[str]]:
    """All that these people can read where the table plays, and what they have been sent."""
    messages = [[*club.place(table).history(viewer=each), *club.dms(each)] for each in people]
    return [
        [said for message in each for said in (*texts(message), *ids(message))] for each in messages
    ]


async def test_whoever_could_block_and_whoever_could_not_are_asked_alike(tmp_path: Path) -> None:
    seen, choices, labels = [], [], []
    for sacks in (0, 3):
        (folder := tmp_path / str(sacks)).mkdir()
        async with Club(folder) as club:
            club.services.tables._unit_of_work.clock = StillClock()
            table = await begun(club, 4)
            seat = await brought(club, COLUMNS["red"])
            other = others_of(table, seat)[1]
            await exchange_hand(club, other, red=sacks)
            people = [each for each in club.people if each != club.person(table, other)]
            for each in people:
                await each.slash(club.channel, "me set", notices="dm")
            await act(club, (seat, "take"))
            views = [shown_to(club, table, people)]
            choices.append(await club.words(1, other, "block"))
            panel = await club.open_panel(table, other)
            # Yes, where that is offered.
            answer = max(each for each in ids(panel) if "block" in each)
            labels.append(part(panel, answer)["label"])
            await club.person(table, other).click(panel, custom_id=answer)
            views.append(shown_to(club, table, people))
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


async def test_a_change_of_an_early_answer_is_noticed_by_its_owner_alone(club: Club) -> None:
    table, _, first, last = await where_all_could_block(club, 3)
    owner = club.person(table, last)
    await pressed(club, table, last, "block,no")
    others = [each for each in club.people if each != owner]
    before = shown_to(club, table, others)

    for answer in ("yes", "no", "yes"):
        await pressed(club, table, last, f"block,{answer}")
        assert shown_to(club, table, others) == before
    mine = wording(club.dms(owner)[-1])

    assert mine.endswith("Your answer: block. Nobody else knows it.")
    assert await club.asked(1) == [first]
    assert (await club.services.tables.reader.view(1, last)).answer == "yes"


# What the log and the files say afterwards


async def test_answers_that_came_to_nothing_are_in_no_file_or_log_of_others(club: Club) -> None:
    table, seat, first, last = await where_all_could_block(club, 3)
    await act(club, (last, "block yes"), (first, "block yes"), (seat, "end"))
    place = club.place(table)

    for person in (club.person(table, seat), club.person(table, first), club.people[3]):
        (file,) = (await person.slash(place, "game export")).response.attachments
        actions = [line.get("action") for line in json.loads(await file.read())["lines"]]
        log = (await person.slash(place, "game log")).response
        assert actions.count("block yes") <= 1
        assert "Your answer" not in "".join(texts(log))
    (file,) = (await club.person(table, last).slash(place, "game export")).response.attachments
    actions = [line.get("action") for line in json.loads(await file.read())["lines"]]
    log = (await club.person(table, last).slash(place, "game log")).response
    assert "block yes" in actions
    assert "Your answer: block. Nobody else knows it." in wording(log)

    # Once it is given up its players' file is whole, so that every draw can be checked; no log is.
    for each in (seat, first, last):
        await club.person(table, each).slash(place, "game abandon")
    (file,) = (await club.person(table, first).slash(place, "game export")).response.attachments
    whole = json.loads(await file.read())
    log = (await club.people[3].slash(place, "game log", table=1)).response
    assert (whole["format"], json.dumps(whole).count("block yes")) == ("game 1", 2)
    assert "blocks with a" in wording(log)
    assert "Your answer" not in wording(log)
