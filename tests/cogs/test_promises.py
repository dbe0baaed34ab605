"""Promises in words: made with an offer, shown when it matters, judged by who got them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.tables import Table
from tests.cogs.conftest import Club, ids, wording
from tests.cogs.test_deals import answer, moored

WORDS = "I leave Riga alone"
DEAL = "kogge deal offer"


async def by_panel(club: Club, table: Table, mine: str, yours: str) -> Any:
    person = club.person(table, 0)
    shown = (await person.click(await club.panel(1), custom_id="deal:1")).response
    shown = (await person.select(shown, ["-"], custom_id="pick:1::offer,1")).response
    form = await person.click(shown, custom_id="type:1::offer,1,-")
    shown = (await filled(person, form, "1 ore")).response
    form = await person.click(shown, custom_id="promise:1::offer,1,-,o")
    assert form.modal["components"][0]["label"] == f"{table.names[0]} promises"
    return await filled(person, form, mine, yours)


async def filled(person: Any, form: Any, *typed: str) -> Any:
    lines = [line["component"]["custom_id"] for line in form.modal["components"]]
    return await person.submit_modal(form, dict(zip(lines, typed, strict=True)))


async def by_command(club: Club, table: Table, **terms: str) -> Any:
    person, other = club.person(table, 0), table.players[1].name
    return await person.slash(club.place(table), DEAL, player=other, give="fur", take="-", **terms)


async def accept(club: Club, table: Table) -> None:
    other = club.person(table, 1)
    letter = club.dms(other)[-1]
    await other.user.click(letter, custom_id=answer(letter, "accept"))


@pytest.mark.parametrize("goods", ["open", "hidden"])
async def test_a_promise_is_told_where_the_offer_is(club: Club, goods: str) -> None:
    table = await moored(club, goods=goods)
    empty = await by_panel(club, table, "", " ")
    assert "promise:1::offer,1,-,o" in ids(empty.response)
    await by_panel(club, table, WORDS, "@everyone stays **here**")
    assert (await club.actions(1))[-1] == "offer 1 - o"
    notice = wording(club.dms(club.person(table, 1))[-1])
    one, other = (f"**{name}**" for name in table.names[:2])
    assert f"{one} promises {other}: “{WORDS}”" in notice
    asked = f"If the offer is accepted, {other} promises {one}: "
    assert f"{asked}“@\u200beveryone stays \\*\\*here\\*\\*”" in notice
    assert (WORDS in wording(await club.panel(1))) is (goods == "open")
    spectator = await club.people[3].slash(club.place(table), "game log")
    assert (WORDS in wording(spectator.response)) is (goods == "open")


async def test_promises_are_recalled_and_judged_also_after_a_restart(club: Club) -> None:
    table = await moored(club)
    giver, receiver = club.person(table, 0), club.person(table, 1)
    await by_command(club, table, promise=WORDS, ask="You buy no Raid")
    await accept(club, table)
    await club.restart()

    # Both read the same: what one of them wrote is quoted in no sentence that says "you".
    panel = await club.open_panel(table, 0)
    status = await receiver.slash(club.place(table), "game status")
    for read in (wording(panel), wording(status.response)):
        assert f"**{table.names[0]}** promised **{table.names[1]}**: “{WORDS}”" in read
        assert f"**{table.names[1]}** promised **{table.names[0]}**: “You buy no Raid”" in read
    listed = await receiver.click(status.response, custom_id="promises:1")
    assert ids(listed.response) == ["kept:1::1", "broken:1::1"]
    older = await receiver.slash(club.place(table), "game promises")

    own = await giver.slash(club.place(table), "game promises")
    marked = await giver.click(own.response, custom_id="kept:1::1")
    assert "“You buy no Raid” · kept" in wording(marked.response)
    assert f"“{WORDS}” · open" in wording(marked.response)
    after = await receiver.click(listed.response, custom_id="broken:1::1")

    assert f"“{WORDS}” · broken" in wording(after.response)
    assert ids(after.response) == []
    content = wording(club.posts(table)[-1])
    assert f"says that **{table.names[0]}** broke a promise: “{WORDS}”" in content
    for person in (giver, receiver):
        await club.services.tables.leaving.abandon(1, person.id)
    await club.until(lambda: "promises:1" in ids(club.posts(table)[-1]))
    end = await giver.click(club.posts(table)[-1], custom_id="promises:1")
    assert f"“{WORDS}” · broken" in wording(end.response)
    again = await receiver.click(older.response, custom_id="kept:1::1")
    assert "judged already" in wording(again.response)


async def test_what_cannot_be_promised_is_said_and_nothing_is_done(club: Club) -> None:
    table = await moored(club)
    person, other = club.person(table, 0), table.players[1].name
    before = await club.actions(1)
    half = await person.slash(club.place(table), DEAL, player=other, give="fur", promise=WORDS)
    assert "whole offer" in wording(half.response)
    nobody = await club.people[3].slash(club.place(table), "game promises", table=1)
    assert "Nobody has promised" in wording(nobody.response)
    assert await club.actions(1) == before
