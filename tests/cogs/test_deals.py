"""Deals between players whose ships are in one city: offers, messages, answers and promises."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.posting.panel_following import PanelFollowing
from bot.game.contract import parse_action
from bot.tables import Table
from bot.text import general
from bot.text.words import words_for
from tests.cogs.conftest import (
    Club,
    block_messages,
    fill_in,
    forge_id,
    id_with,
    ids,
    is_silent,
    part,
    press,
    refuse,
    wording,
)
from tests.cogs.test_pictures import marked_choices

ANSWER = re.compile(r"act:1:o[0-9]+[.][0-9a-f]{6}:[a-z]+,[0-9]+")
"""The id of a button that answers an offer, with the offer's number and a hash of its terms."""


async def start_moored(club: Club, *cities: str, **options: str) -> Table:
    """Start a game of two whose ships are in these cities, or else both in Riga."""
    table = await club.start_game("kogge", *options.items())
    await club.play(*((seat, f"found {city}") for seat, city in enumerate(cities or ("4", "4"))))
    while (decision := (await club.tables.reader.pending(1))[0]).kind == "exchange":
        await club.play((decision.seat, "pass"))
    return table


async def offer(club: Club, table: Table) -> None:
    """Let seat 0 offer a fur for an ore."""
    other = table.names[1]
    await club.person(table, 0).slash(
        club.place(table), "kogge deal offer", player=other, give="fur", take="ore"
    )
    assert (await club.actions(1))[-1] == "offer 1 f o"


def answers(message: Any) -> list[str]:
    return [each for each in ids(message) if ANSWER.fullmatch(each)]


def answer(message: Any, kind: str, number: int = 1) -> str:
    """Return the id of the button with that answer."""
    (found,) = (each for each in answers(message) if each.endswith(f":{kind},{number}"))
    return found


@pytest.mark.parametrize("goods", ["open", "hidden"])
async def test_an_offer_is_sent_once_despite_a_restart_and_accepted_in_the_message(
    club: Club, goods: str
) -> None:
    table = await start_moored(club, goods=goods)
    await offer(club, table)
    other = club.person(table, 1)
    dm = club.dms(other)[-1]
    before = len(club.dms(other))
    assert "fur" in wording(dm)
    kinds = {"accept", "counter", "decline"}
    assert {*answers(dm)} == {*ids(dm)} & {answer(dm, kind) for kind in kinds}
    assert len(answers(dm)) == len(kinds)

    await club.restart()
    asked = next(d for d in await club.tables.reader.pending(1) if not d.optional)
    await club.play((asked.seat, "bid 8"))
    assert len(club.dms(other)) == before
    assert await club.tables.outbox.items(1) == []

    if goods == "hidden":
        # With hidden goods a bid ends the bidder's offers.
        return
    result = await other.click(dm, custom_id=answer(dm, "accept"))
    assert (await club.actions(1))[-1] == "accept 1"
    assert answers(result.response) == []


@pytest.mark.parametrize("goods", ["open", "hidden"])
async def test_a_usual_offer_is_made_without_typing(club: Club, goods: str) -> None:
    table = await start_moored(club, goods=goods)
    person = club.person(table, 0)
    for number, (give, take) in enumerate((("", "o"), ("8", "f"), ("f", "8")), start=1):
        shown = (await person.click(await club.panel(1), custom_id="deal:1")).response
        for word in (give, take):
            shown = await choose(person, shown, word)
        await press(person, shown, "do:")
        assert (await club.actions(1))[-1] == f"offer 1 {give or '-'} {take}"
        await club.play((0, f"withdraw {number}"))


async def choose(person: Any, shown: Any, word: str) -> Any:
    """Choose a word in a panel, by its button or in a select."""
    for custom_id in ids(shown):
        if custom_id.startswith("act") and custom_id.split(",")[-1] == word:
            return (await person.click(shown, custom_id=custom_id)).response
        listed = part(shown, custom_id).get("options", [])
        if custom_id.startswith("pick") and (word or "-") in {each["value"] for each in listed}:
            return (await person.choose(shown, [word or "-"], custom_id=custom_id)).response
    raise AssertionError(f"no {word!r} among {ids(shown)}")


def asks_for_the_gift(panel: Any) -> bool:
    """Check whether a panel asks what the new offer gives."""
    return any(each.startswith("pieces:1::offer,0") for each in ids(panel))


async def while_making_an_offer(club: Club, table: Table) -> Any:
    """Let seat 0 make seat 1 an offer while seat 1 makes its own. Returns seat 1's panel."""
    person = club.person(table, 1)
    shown = (await person.click(await club.panel(1), custom_id="deal:1")).response
    assert asks_for_the_gift(shown)
    gift = id_with(shown, "pieces:")
    await offer(club, table)
    # Choose and go back: the panel is shown again, now with the offer.
    shown = (await person.choose(shown, ["f1"], custom_id=gift)).response
    return await press(person, shown, "back:")


async def test_an_incoming_offer_does_not_interrupt_a_choice(club: Club) -> None:
    table = await start_moored(club)
    panel = await while_making_an_offer(club, table)
    assert asks_for_the_gift(panel)
    assert "offers you" in wording(panel)

    await close(club, table, "withdraw")
    (panel,) = club.private(table, club.person(table, 1))
    assert asks_for_the_gift(panel)
    assert answers(panel) == []

    panel = await while_making_an_offer(club, table)
    pressed = answer(panel, "accept", 2)
    shown = (await club.person(table, 1).click(panel, custom_id=pressed)).response
    assert (await club.actions(1))[-1] == "accept 2"
    assert asks_for_the_gift(shown)
    assert answers(shown) == []


async def replace_offer(club: Club, table: Table) -> None:
    """Let seat 0 undo its offer and make another, which gets the same number."""
    await undo(club, table)
    await club.tables.play.act(1, 0, ("offer", "1", "f", "oo"))
    assert [each.id for each in await club.tables.reader.pending(1)][-1] == "o1"


async def test_a_button_answers_only_its_own_offer(club: Club) -> None:
    """Neither a closed offer nor a new one with the same number."""
    table = await start_moored(club)
    await offer(club, table)
    other = club.person(table, 1)
    notice = club.dms(other)[-1]
    pressed = answer(notice, "accept")
    # The edit that removes the buttons fails.
    refuse(club, "PATCH", f"/channels/*/messages/{notice.id}", 404, 10008)
    await replace_offer(club, table)
    for is_open in (True, False):
        if not is_open:
            await close(club, table, "withdraw")
        before = await club.actions(1)
        result = await other.click(notice, custom_id=pressed)
        assert await club.actions(1) == before
        assert "out of date" in wording(result.response)
        assert ("for 2 🪨 ore" in wording(result.response)) is is_open
        assert pressed not in answers(result.response)
        assert bool(answers(result.response)) is is_open
        pressed = answer(result.response, "accept") if is_open else pressed


async def test_a_panel_shows_the_offer_its_buttons_answer(club: Club) -> None:
    table = await start_moored(club)
    await offer(club, table)
    person = club.person(table, 1)
    panel = await club.open_panel(table, 1)
    # While making an offer, the player can still answer the one they got.
    shown = (await person.click(panel, custom_id="deal:1")).response
    assert asks_for_the_gift(shown)
    assert answer(shown, "accept")

    # Old buttons that don't identify the offer show it before it is answered.
    for pressed in ("act:1:o1:accept,1", "act:1::accept"):
        await club.open_panel(table, 1)
        (panel,) = club.private(table, person)
        forge_id(club, panel, pressed)
        before = await club.actions(1)
        shown = (await person.click(panel, custom_id=pressed)).response
        assert await club.actions(1) == before
        assert "for 1 🪨 ore" in wording(shown)
        assert answer(shown, "accept")

    await replace_offer(club, table)
    await club.settle()
    (panel,) = club.private(table, person)
    assert "for 2 🪨 ore" in wording(panel)
    await person.click(panel, custom_id=answer(panel, "decline"))
    assert (await club.actions(1))[-1] == "decline 1"


async def test_an_offer_names_its_receiver_and_is_countered_by_command(club: Club) -> None:
    table = await start_moored(club)
    person, other = club.person(table, 0), table.players[1].name
    assert part(await club.panel(1), "deal:1")["label"] == "Make an offer"
    apart = await club.game(club.people[3], host=club.people[2])
    assert f"deal:{apart.id}" not in ids(await club.panel(apart.id))

    shown = (await person.click(await club.panel(1), custom_id="deal:1")).response
    assert f"Make an offer to {other}" in wording(shown)
    gift = id_with(shown, "pieces:")
    shown = (await person.choose(shown, ["f1"], custom_id=gift)).response
    assert f"Offer 1 fur to {other}" in wording(shown)

    await offer(club, table)
    await club.person(table, 1).slash(
        club.place(table), "kogge deal counter", offer="1", give="ore", take="2 ore"
    )
    assert (await club.actions(1))[-1] == "counter 1 o oo"
    assert answer(club.dms(person)[-1], "accept", 2)


async def undo(club: Club, table: Table, seat: int = 0) -> None:
    votes, user = club.tables.undo, club.person(table, seat).id
    back = await votes.preview(table.id, user)
    await votes.alone(table.id, user, back.step, back.last)


async def close(club: Club, table: Table, way: str) -> None:
    """Close seat 0's offer in that way."""
    leaving, person = club.tables.leaving, club.person(table, int(way != "withdraw"))
    if way == "undo":
        await undo(club, table)
    elif way == "dissolve":
        await leaving.dissolve(table.id)
    elif way == "resign":
        # A computer player answers for them.
        await leaving.resign(table.id, person.id)
    else:
        await person.slash(club.place(table), f"kogge deal {way}", offer="1")
    await club.settle()


def closed(message: Any) -> bool:
    """Check whether a message that asked for an answer has a disabled button "Closed"."""
    (asked,) = [each for each in ids(message) if each.startswith(("act:", "offer:"))]
    found = part(message, asked)
    return bool(found["disabled"]) and found["label"] == "Closed"


@pytest.mark.parametrize(
    ("way", "restarted"),
    [
        *((way, False) for way in ("withdraw", "undo", "dissolve")),
        *((way, True) for way in ("accept", "decline", "resign")),
    ],
)
async def test_a_message_and_a_panel_lose_their_answers_when_the_offer_is_closed(
    club: Club, way: str, restarted: bool
) -> None:
    table = await start_moored(club)
    await offer(club, table)
    person = club.person(table, 1)
    (dm,) = [m for m in club.dms(person) if answers(m)]
    await club.open_panel(table, 1)
    (panel,) = club.private(table, person)
    assert answer(panel, "accept")
    if restarted:
        await club.restart()

    await close(club, table, way)

    (dm,) = [m for m in club.dms(person) if m.id == dm.id]
    assert closed(dm)
    assert "hand:1" in ids(dm)
    assert await club.tables.outbox.asking(1) == []
    assert await club.tables.outbox.items(1) == []
    # A restart forgets open panels.
    if not restarted:
        (panel,) = club.private(table, person)
        assert answers(panel) == []


async def test_a_player_who_blocks_messages_is_pinged_at_the_table_without_the_secret(
    club: Club,
) -> None:
    block_messages(club, club.people[0])
    block_messages(club, club.people[1])
    table = await start_moored(club, goods="hidden")

    await offer(club, table)

    other = club.person(table, 1)
    call = next(post for post in club.posts(table) if "offer:1:o1:" in ids(post))
    assert call.mentions == [other.id]
    assert "fur" not in wording(call)
    shown = await other.click(call, custom_id="offer:1:o1:")
    assert shown.is_private
    assert "fur" in wording(shown.response)
    stranger = await club.person(table, 0).click(call, custom_id="offer:1:o1:")
    assert stranger.is_private
    assert "someone else" in wording(stranger.response)

    await close(club, table, "withdraw")
    (call,) = [m for m in club.posts(table) if m.id == call.id]
    assert closed(call)


@pytest.mark.usefixtures("word_by_word", "idle_panels")
async def test_an_updated_panel_shows_the_picture_of_its_new_question(club: Club) -> None:
    table = await start_moored(club)
    assert await club.asked(1) == [0]
    await offer(club, table)
    person = club.person(table, 1)
    await club.open_panel(table, 1)
    (panel,) = club.private(table, person)
    assert panel.attachments == []
    await club.play((0, "bid 8"))

    await close(club, table, "withdraw")

    (panel,) = club.private(table, person)
    assert "pieces:1:2:bid" in ids(panel)
    # They have every marker except Riga's, where they founded.
    assert marked_choices(panel) == [f"marker {number}" for number in (8, 7, 6, 5, 3, 2, 1, 0)]


# Written promises: made with an offer, shown when they matter, judged by their receiver


WORDS = "I leave Riga alone"
DEAL = "kogge deal offer"


async def by_panel(club: Club, table: Table, mine: str, yours: str) -> Any:
    person = club.person(table, 0)
    shown = (await person.click(await club.panel(1), custom_id="deal:1")).response
    shown = (await person.choose(shown, ["-"], custom_id="pick:1::offer,1")).response
    form = await person.click(shown, custom_id="type:1::offer,1,-")
    shown = (await fill_in(person, form, "1 ore")).response
    form = await person.click(shown, custom_id="promise:1::offer,1,-,o")
    assert form.modal["components"][0]["label"] == f"{table.names[0]} promises"
    return await fill_in(person, form, mine, yours)


async def by_command(club: Club, table: Table, **terms: str) -> Any:
    person, other = club.person(table, 0), table.players[1].name
    return await person.slash(club.place(table), DEAL, player=other, give="fur", take="-", **terms)


async def accept(club: Club, table: Table) -> None:
    other = club.person(table, 1)
    dm = club.dms(other)[-1]
    await other.click(dm, custom_id=answer(dm, "accept"))


@pytest.mark.parametrize("goods", ["open", "hidden"])
async def test_a_promise_is_shown_with_its_offer(club: Club, goods: str) -> None:
    table = await start_moored(club, goods=goods)
    empty = await by_panel(club, table, "", " ")
    assert "promise:1::offer,1,-,o" in ids(empty.response)
    await by_panel(club, table, WORDS, "@everyone stays **here**")
    assert (await club.actions(1))[-1] == "offer 1 - o"
    notice = wording(club.dms(club.person(table, 1))[-1])
    one, other = (f"**{name}**" for name in table.names[:2])
    assert f"{one} promises {other}: “{WORDS}”" in notice
    asked = f"If accepted, {other} promises {one}: "
    assert f"{asked}“@\u200beveryone stays \\*\\*here\\*\\*”" in notice
    assert (WORDS in wording(await club.panel(1))) is (goods == "open")
    spectator = await club.people[3].slash(club.place(table), "game log")
    assert (WORDS in wording(spectator.response)) is (goods == "open")


async def test_promises_are_shown_and_judged_after_a_restart(club: Club) -> None:
    table = await start_moored(club)
    giver, receiver = club.person(table, 0), club.person(table, 1)
    await by_command(club, table, promise=WORDS, ask="You buy no Raid")
    await accept(club, table)
    await club.settle()
    await club.restart()

    # Both read the same text: quotes are never put into a sentence with "you".
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
    await club.settle()
    content = wording(club.posts(table)[-1])
    assert f"says that **{table.names[0]}** broke a promise: “{WORDS}”" in content
    for person in (giver, receiver):
        await club.tables.leaving.abandon(1, person.id)
    # The outcome of the vote may be posted after the last post.
    await club.settle()
    (post,) = [each for each in club.posts(table) if "promises:1" in ids(each)]
    end = await giver.click(post, custom_id="promises:1")
    assert f"“{WORDS}” · broken" in wording(end.response)
    again = await receiver.click(older.response, custom_id="kept:1::1")
    assert "already been judged" in wording(again.response)


async def test_an_impossible_promise_is_refused_and_nothing_changes(club: Club) -> None:
    table = await start_moored(club)
    person, other = club.person(table, 0), table.players[1].name
    before = await club.actions(1)
    half = await person.slash(club.place(table), DEAL, player=other, give="fur", promise=WORDS)
    assert "whole offer" in wording(half.response)
    spectator = await club.people[3].slash(club.place(table), "game promises", table=1)
    assert "No promises yet" in wording(spectator.response)
    assert await club.actions(1) == before


async def test_an_offer_pings_its_receiver_in_the_thread_and_comes_first_in_their_panel(
    club: Club,
) -> None:
    table = await start_moored(club)
    other = club.person(table, 1)
    await offer(club, table)
    call = club.seen(club.place(table), club.people[3])[-1]
    assert other.mention in wording(call)
    # Its button shows the offer; the direct message is silent.
    assert "fur" not in wording(call)
    assert is_silent(club.dms(other)[-1])
    shown = await press(other, call, "offer:")
    assert answer(shown, "accept") in answers(shown)
    panel = await club.open_panel(table, 1)
    first = next(each for each in ids(panel) if each.startswith(("act:", "play:")))
    assert first in answers(panel)
    assert general.NOT_YOUR_TURN not in wording(panel)


async def test_a_waiting_players_panel_follows_the_other_turns_and_shows_an_offer(
    club: Club,
) -> None:
    table = await start_moored(club)
    while (decision := (await club.tables.reader.pending(1))[0]).kind == "bid":
        await club.play((decision.seat, f"bid {8 - decision.seat}"))
    assert (decision.seat, decision.kind) == (0, "advance")
    assert "to move the guild master" in wording(await club.open_panel(table, 1))
    await club.play((0, "advance 1"))
    (panel,) = club.private(table, club.person(table, 1))
    assert "to sail" in wording(panel)
    assert not answers(panel)
    await club.open_panel(table, 0)
    await offer(club, table)
    await club.settle()
    (panel,) = club.private(table, club.person(table, 1))
    await press(club.person(table, 1), panel, answer(panel, "decline"))
    await club.person(table, 1).slash(
        club.place(table), "kogge deal offer", player=table.names[0], give="ore", take="fur"
    )
    (panel,) = club.private(table, club.person(table, 0))
    assert answers(panel)


async def test_two_updates_at_once_edit_a_waiting_players_panel_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_moored(club)
    while (decision := (await club.tables.reader.pending(1))[0]).kind == "bid":
        await club.play((decision.seat, f"bid {8 - decision.seat}"))
    assert "to move the guild master" in wording(await club.open_panel(table, 1))
    follow, following = PanelFollowing.follow, list[Any]()

    async def later(*update: Any) -> None:
        following.append(update)

    monkeypatch.setattr(PanelFollowing, "follow", later)
    await club.play((0, "advance 1"))
    before = len(club.requests)
    await asyncio.gather(*(follow(*following[-1]) for _ in range(2)))
    (panel,) = club.private(table, club.person(table, 1))
    assert "to sail" in wording(panel)
    assert [each.method for each in club.requests[before:]] == ["PATCH"]


async def test_only_offers_to_people_can_have_promises(club: Club) -> None:
    table = await club.start_game("kogge", seats=3)
    await club.play(*((seat, f"found {city}") for seat, city in enumerate("443")))
    table_view = await club.services.table_view(table.id, 0, words_for("en"))
    to_other = parse_action("offer 1 f o")
    assert OpenMoves(club.services, table_view, 0).may_promise(to_other)
    first, second, third = table_view.table.players
    computer = structs.replace(second, user=None, policy="normal")
    with_computer = structs.replace(table_view.table, players=(first, computer, third))
    alone = replace(table_view, table=with_computer)
    assert not OpenMoves(club.services, alone, 0).may_promise(to_other)
