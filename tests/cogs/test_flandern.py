"""`/flandern`: cards laid out in secret, quarters by commands, and what nobody learns too early."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cogs.ui import reply
from bot.game.contract import canonical
from bot.game.flandern.data import CARDS
from bot.policy.random import random_action
from bot.tables import Table
from bot.titles import TITLES
from tests.cogs.conftest import Club, ids, wording
from tests.cogs.test_burgundy import done, took_back
from tests.cogs.test_languages import texts
from tests.tables.world import StillClock

GAME = TITLES.games["flandern"]
GUILDS = ("guild red", "guild green", "guild blue")


async def begun(club: Club, seats: int = 2) -> Table:
    """A table that has begun, at which the host is first player."""
    return await club.begun("flandern", ("first_player", "first_seat"), seats=seats)


async def choosing(club: Club, seats: int) -> Table:
    """Three or four have chosen their guilds, the golden card is drawn, and they lay out cards."""
    table = await begun(club, seats)
    await club.play(*enumerate(GUILDS), (0, "look"))
    return table


async def asked(club: Club) -> list[tuple[int, str]]:
    """The seats that are awaited, and what each is asked."""
    decisions = await club.services.tables.reader.pending(1)
    return [(each.seat, each.kind) for each in decisions if not each.optional]


async def test_three_lay_out_cards_by_commands_and_build(club: Club) -> None:
    table = await choosing(club, 3)
    place = club.place(table)
    anna, bert, clara = (club.person(table, seat) for seat in (0, 1, 2))

    wrong = await anna.slash(place, "flandern choose", card="Leuven")
    many = await anna.slash(place, "flandern choose", card="gent", influence="4")
    open_ = await anna.slash(place, "flandern choose", card="gent")
    assert "How many influence cards do you add?" in wording(open_.response)
    await anna.slash(place, "flandern choose", card="gent", influence="0")
    await bert.slash(place, "flandern choose", card="Site", influence="2")
    early = await bert.slash(place, "flandern site", place="gent t1", quarter="green")
    await clara.slash(place, "flandern choose", card="take", influence="0")
    await bert.slash(place, "flandern site", place="gent t1", quarter="green")
    beside = await anna.slash(place, "flandern build", place="t2", quarter="red")
    await anna.slash(place, "flandern build", place="t2", quarter="grey")

    assert "Leuven is not in play" in wording(wrong.response)
    assert "You do not hold that many influence cards." in wording(many.response)
    assert "all are still laying out their cards" in wording(early.response)
    assert "equal emblems may not touch" in wording(beside.response)
    assert (await done(club))[4:] == [
        *("choose gent 0", "choose site 2", "choose take 0"),
        *("site gent-t1 green", "build gent-t2 grey"),
    ]
    assert (await club.state()).round == 2


async def seen_by(club: Club, table: Table, people: list[Any]) -> list[object]:
    """All that these people can read where the table plays, and what they have been sent, with
    the pictures letter by letter, and whether it was edited; one thing after the other."""
    found: list[object] = []
    for person in people:
        for message in (*club.place(table).history(viewer=person), *club.dms(person)):
            found += [*texts(message), *ids(message), message.edited_at is None]
            for each in message.attachments:
                found += [each.filename, sha256(await each.read()).hexdigest()]
    return found


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine changes nothing in what comes as an answer and what as an edit of it."""
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 60.0)


@pytest.mark.usefixtures("unhurried")
async def test_what_is_laid_out_and_changed_shows_to_nobody_else(tmp_path: Path) -> None:
    """Neither the card, nor how many influence cards, nor that the choice was changed."""
    seat = 1
    seen, asked_of = [], []
    for number, lines in enumerate((["take 0"], ["gent 3"], ["site 1", "take 0", "site 2"])):
        (folder := tmp_path / str(number)).mkdir()
        async with Club(folder) as club:
            club.services.tables._unit_of_work.clock = StillClock()
            table = await choosing(club, 3)
            others = [each for each in club.people if each != club.person(table, seat)]
            for each in others:
                await each.slash(club.channel, "me set", notices="dm")
            for line in lines:
                await club.play((seat, f"choose {line}"))
            for other in {0, 1, 2} - {seat}:
                await club.open_panel(table, other)
            for person in others:
                await person.slash(club.place(table), "game board", table=1)
                await person.slash(club.place(table), "game board", table=1, form="text")
                await person.slash(club.place(table), "game log", table=1)
                await person.slash(club.place(table), "game status", table=1)
            seen.append(await seen_by(club, table, others))
            asked_of.append(await asked(club))

    assert seen[0] == seen[1] == seen[2]
    assert asked_of[0] == asked_of[1] == asked_of[2]


@pytest.mark.usefixtures("word_by_word")
async def test_a_choice_can_be_changed_until_the_last_has_chosen(club: Club) -> None:
    table = await choosing(club, 3)
    await club.pressed(table, 1, ":choose,gent", ",2")

    changed = await club.pressed(table, 1, ":choose,site", ",0")
    undo = (await club.person(table, 1).slash(club.place(table), "game undo")).response
    await club.play((0, "choose take 0"), (2, "choose take 0"))

    assert "You lay out **Site** without influence cards" in wording(changed)
    assert "simply choose again" in wording(undo)
    assert await asked(club) == [(1, "site")]
    # Such a choice reveals those of all.
    assert not any([await took_back(club, table, seat) for seat in (0, 1, 2)])


async def test_the_golden_card_is_drawn_when_the_first_player_looks(club: Club) -> None:
    """Until then the last player takes back alone what ended the round; nobody waits."""
    table = await choosing(club, 3)
    takes = [(seat, "choose take 0") for seat in range(3)]
    while CARDS[(state := await club.state()).golden_card] in ("influence", "take"):
        await club.play(*takes, ((state.first + 1) % 3, "look"))
    last, first, other = ((state.first + step) % 3 for step in range(3))
    await club.play(*takes)
    ((_, kind),) = await asked(club)
    action = random_action((), partial(GAME.legal, await club.state(), last), Random(1))
    await club.play((last, canonical(action)))

    assert sorted(await asked(club)) == sorted(
        [(last, "choose"), (first, "look"), (other, "choose")]
    )
    assert "draw the golden card of the round" in wording(await club.panel(1))
    assert await took_back(club, table, last)
    assert await asked(club) == [(last, kind)]
    await club.play((last, canonical(action)))
    await club.play((other, "choose site 0"))
    looks = (await done(club)).count("look")
    shown = await club.open_panel(table, first)

    assert (await done(club))[-2:] == ["choose site 0", "look"]
    assert "Your golden card, which comes last" in wording(shown)
    assert any("draws a golden card of deck A" in wording(post) for post in club.posts(table)[-2:])
    assert not await took_back(club, table, last)
    await club.play((first, "choose site 0"), (first, "choose site 1"))
    assert "You lay out **Site**" in wording(await club.open_panel(table, first))
    assert (await done(club)).count("look") == looks + 1
