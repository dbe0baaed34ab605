"""Whispers: two people read them, and nothing that others see changes."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from bot.cogs.posting import work_queue
from bot.cogs.posting.work_queue import JobKind
from bot.tables import Table
from bot.tables.whispers import MAX_WHISPERS, SHOW
from tests.cogs.conftest import (
    Club,
    block_messages,
    fill_in,
    forge_id,
    ids,
    part,
    press,
    refuse,
    verbs,
    wording,
)
from tests.cogs.test_notices import set_quiet_hours
from tests.waiting import until


async def whisper(club: Club, table: Table, seat: int, to: int, text: str) -> Any:
    """Let the player of a seat whisper by the command."""
    other = club.person(table, to).name
    return await club.person(table, seat).slash(
        club.place(table), "table whisper", player=other, text=text
    )


async def shown(club: Club, table: Table, person: Any) -> Any:
    """Open a person's whispers."""
    return (await person.slash(club.place(table), "table whispers", table=table.id)).response


async def everything(club: Club, table: Table, spectator: Any) -> list[str]:
    """Return all that a spectator can get about a table, without times."""
    found = [f"{m.id} {m.edited_at} {wording(m)}" for m in club.seen(club.place(table))]
    found += [f"{m.id} {m.edited_at} {wording(m)}" for m in club.seen(club.channel)]
    for command in ("game log", "game status", "table options", "game board"):
        answer = await spectator.slash(club.place(table), command, table=table.id)
        found.append(wording(answer.response))
    for command in ("game export", "game report"):
        answer = await spectator.slash(club.place(table), command, table=table.id)
        (file,) = answer.response.attachments
        found.append(club.bytes_of(file).decode())
    return found


async def test_a_whisper_is_sent_to_its_receiver_and_answered_by_a_form(club: Club) -> None:
    table = await club.game(*club.people[1:3])
    anna, bert, clara = (club.person(table, seat) for seat in range(3))

    said = await whisper(club, table, 0, 1, "Give me **ore**, @everyone")

    assert said.is_private
    assert f"**{anna.name}** to **{bert.name}**: Give me \\*\\*ore\\*\\*" in wording(said.response)
    dm = club.dms(bert)[-1]
    assert wording(dm).startswith(f"**Kogge · table {table.id}**\n💬 **{anna.name}** to ")
    assert "@everyone" not in wording(dm)
    assert verbs(dm) == {"whisper"}

    form = await bert.click(dm, custom_id=ids(dm)[0])
    answered = await fill_in(bert, form, "Gladly")
    assert "Gladly" in wording(answered.response)
    assert f"**{bert.name}** to **{anna.name}**: Gladly" in wording(club.dms(anna)[-1])
    assert "Give me" in wording(club.dms(bert)[-1])

    await club.restart()
    for person in (anna, bert):
        talk = wording(await shown(club, table, person))
        assert talk.index("Give me") < talk.index("Gladly")
    assert "no whispers" in wording(await shown(club, table, clara))
    assert not any("Gladly" in wording(each) for each in club.dms(clara))
    forged = club.dms(clara)[-1]
    for word, why in (("nonsense", "no longer works"), ("7", "They've left this game")):
        custom_id = f"whisper:{table.id}::{word}"
        forge_id(club, forged, custom_id)
        assert why in wording((await clara.click(forged, custom_id=custom_id)).response)


async def test_each_reads_whispers_in_their_own_language(club: Club) -> None:
    table = await club.game()
    anna, bert = (club.person(table, seat) for seat in (0, 1))
    await bert.slash(club.channel, "me set", language="it")

    said = await whisper(club, table, 0, 1, "Ciao")

    assert "Only you two can see this" in wording(said.response)
    dm = club.dms(bert)[-1]
    assert f"**{anna.name}** a **{bert.name}**: Ciao" in wording(dm)
    assert part(dm, ids(dm)[0])["label"] == f"Rispondi ad {anna.name}"
    form = await bert.click(dm, custom_id=ids(dm)[0])
    assert form.modal["title"] == f"Sussurro · tavolo {table.id}"


async def test_a_text_that_discord_refuses_holds_back_no_other_whisper(club: Club) -> None:
    table = await club.game(*club.people[1:3])
    anna, bert, clara = (club.person(table, seat) for seat in range(3))
    refuse(club, "POST", f"/channels/{bert.dm.id}/messages", 400, 240000)

    await whisper(club, table, 0, 1, "A bad link")
    await whisper(club, table, 0, 2, "A good word")

    assert "A good word" in wording(club.dms(clara)[-1])
    assert f"**{bert.name}**" in wording(club.dms(anna)[-1])
    assert "/table whispers" in wording(club.dms(anna)[-1])
    assert "A bad link" in wording(await shown(club, table, bert))
    assert not await club.tables.outbox.items(table.id)


async def test_no_one_learns_how_many_whispers_others_send(club: Club) -> None:
    table = await club.game(*club.people[1:3])
    anna, clara = club.person(table, 0), club.person(table, 2)

    async def seen_by_clara() -> list[Any]:
        """Whisper to and fro, and return all that has reached Clara, without texts and ids."""
        sent = len(club.requests)
        await whisper(club, table, 2, 0, "Hi")
        await whisper(club, table, 0, 2, "Hi")
        return [(ids(m), re.sub("[0-9]+$", "", m.nonce or "")) for m in club.dms(clara)[-1:]] + [
            entry.path for entry in club.requests[sent:] if f"/{clara.dm.id}/" in entry.path
        ]

    before = await seen_by_clara()
    for _ in range(3):
        await whisper(club, table, 0, 1, "Clara must not know")
        await whisper(club, table, 1, 0, "that we speak")
    assert await seen_by_clara() == before
    assert ids(await shown(club, table, clara)) == [f"whisper:{table.id}::{anna.id}"]
    assert [each.nonce for each in club.dms(clara)[-2:]] == ["1.whisper2.1", "1.whisper2.2"]


async def test_a_spectator_of_everything_notices_no_whisper(club: Club) -> None:
    table = await club.game()
    spectator = club.people[2]
    before = await everything(club, table, spectator)
    sent = len(club.requests)

    await whisper(club, table, 0, 1, "Meet me in Riga")
    await whisper(club, table, 1, 0, "At noon")

    inboxes = {f"/channels/{club.person(table, seat).dm.id}/messages" for seat in (0, 1)}
    posted = {entry.path for entry in club.requests[sent:] if entry.path.startswith("/channels")}
    assert posted <= inboxes
    assert await everything(club, table, spectator) == before
    assert [each.kind for each in await club.tables.outbox.items(table.id)] == []


async def test_whispers_wait_for_the_end_of_quiet_hours(club: Club) -> None:
    table = await club.game()
    anna, bert = (club.person(table, seat) for seat in (0, 1))
    await set_quiet_hours(club, bert, 2)
    count = len(club.dms(bert))

    for text in ("One", "Two"):
        await whisper(club, table, 0, 1, text)
    # His answer need not wait.
    await whisper(club, table, 1, 0, "Three")
    assert "Three" in wording(club.dms(anna)[-1])
    await club.restart()
    assert len(club.dms(bert)) == count

    await club.later(timedelta(hours=3))
    mail = [wording(each).partition("**: ")[2] for each in club.dms(bert)[count:]]
    assert [each for each in mail if each] == ["One", "Two"]
    assert await club.tables.outbox.items(table.id) == []


async def test_a_whisper_that_was_sent_before_a_crash_is_not_sent_twice(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    bert = club.person(table, 1)
    acknowledge = type(club.tables.outbox).acknowledge

    async def fail(*_: Any, **__: Any) -> None:
        raise OSError("killed")

    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 3600.0)
    monkeypatch.setattr(type(club.tables.outbox), "acknowledge", fail)
    await whisper(club, table, 0, 1, "One")
    monkeypatch.setattr(type(club.tables.outbox), "acknowledge", acknowledge)
    await club.restart()
    await whisper(club, table, 0, 1, "Two")

    texts = [wording(each).partition("**: ")[2] for each in club.dms(bert)]
    assert [each for each in texts if each] == ["One", "Two"]


async def test_only_the_sender_learns_that_a_whisper_could_not_be_sent(club: Club) -> None:
    table = await club.game()
    anna, bert = (club.person(table, seat) for seat in (0, 1))
    before = await everything(club, table, club.people[2])
    block_messages(club, bert)

    await whisper(club, table, 0, 1, "Psst")

    await until(lambda: "couldn't send **Bert** your whisper" in wording(club.dms(anna)[-1]))
    await club.restart()
    assert "Psst" in wording(await shown(club, table, bert))
    assert await everything(club, table, club.people[2]) == before


async def test_whispers_are_refused_with_the_reason(club: Club) -> None:
    table = await club.game()
    oneself = await whisper(club, table, 0, 0, "Hi")
    assert "That's you" in wording(oneself.response)
    empty = await whisper(club, table, 0, 1, "\u200b")
    assert "needs some text" in wording(empty.response)
    stranger = await club.people[2].slash(
        club.place(table), "table whisper", player="Bert", text="Hi"
    )
    assert "aren't playing" in wording(stranger.response)
    anna, bert = (club.person(table, seat).id for seat in (0, 1))
    for _ in range(MAX_WHISPERS):
        await club.tables.whispers.send(table.id, anna, bert, "Hi")
    await club.settle()
    too_many = await whisper(club, table, 0, 1, "Hi")
    assert f"limit of {MAX_WHISPERS} whispers" in wording(too_many.response)


async def test_of_a_long_talk_the_newest_whispers_are_shown(club: Club) -> None:
    table = await club.game()
    anna, bert = (club.person(table, seat) for seat in (0, 1))
    for number in range(20):
        await club.tables.whispers.send(table.id, anna.id, bert.id, f"{number} {'*_' * 200}")
    for person in (anna, bert):
        await person.slash(club.place(table), "game abandon")

    for person in (anna, bert):
        answer = await shown(club, table, person)
        assert "to **Bert**: 19 " in wording(answer)
        assert "to **Bert**: 0 " not in wording(answer)
        await press(person, answer, "showtalk")

    post = wording(club.seen(club.place(table))[-1])
    assert "have published their whispers" in post
    assert "to **Bert**: 19 " in post


async def test_one_delivery_is_one_whisper(club: Club) -> None:
    table = await club.game()
    anna, bert = (club.person(table, seat).id for seat in (0, 1))
    for _ in range(2):
        await club.tables.whispers.send(table.id, anna, bert, "Once", delivery="same")
    assert [each.text for each in await club.tables.whispers.at_table(table.id)] == ["Once"]


async def test_a_later_player_of_the_seat_sees_no_whisper(club: Club) -> None:
    table = await club.game()
    anna, bert, clara = (*(club.person(table, seat) for seat in (0, 1)), club.people[2])
    await set_quiet_hours(club, bert, 2)
    await whisper(club, table, 0, 1, "For Bert alone")
    unsent = await club.tables.outbox.items(table.id)
    await club.tables.leaving.resign(table.id, bert.id)
    after = await club.tables.seats.claim(table.id, clara.id, clara.name, 1)
    await club.settle()
    # A job that read the items before the seat was taken over.
    post: Any = club.bot.get_cog("post")
    await post._at_table[JobKind.WHISPERS](club.services.words_for(None), after, unsent)
    await club.later(timedelta(hours=3))

    assert not any("For Bert" in wording(each) for each in club.dms(clara))
    assert "no whispers" in wording(await shown(club, table, clara))
    assert "For Bert alone" in wording(await shown(club, table, bert))
    assert not await club.tables.outbox.items(table.id)
    # Nor can Anna answer him at his former seat.
    refused = await press(anna, await shown(club, table, anna), "whisper:")
    assert "They've left this game" in wording(refused)


async def test_after_the_end_a_talk_is_posted_once_if_both_agree(club: Club) -> None:
    table = await club.game()
    anna, bert = (club.person(table, seat) for seat in (0, 1))
    await whisper(club, table, 0, 1, "A deal?")
    (stored,) = await club.tables.whispers.at_table(table.id)
    early = await shown(club, table, anna)
    assert "showtalk" not in verbs(early)
    for person in (anna, bert):
        await person.slash(club.place(table), "game abandon")
    late = await whisper(club, table, 0, 1, "Too late")
    assert "game is over" in wording(late.response)

    def posts() -> list[str]:
        found = [wording(each) for each in club.seen(club.place(table))]
        return [each for each in found if "A deal?" in each]

    for _ in range(2):
        asked = await press(anna, await shown(club, table, anna), "showtalk")
        assert "once you both agree" in wording(asked)
    assert posts() == []
    await club.restart()
    for _ in range(2):
        await press(bert, await shown(club, table, bert), "showtalk")
    await press(anna, await shown(club, table, anna), "showtalk")
    (post,) = posts()
    assert f"**{anna.name}** to **{bert.name}**: A deal?" in post
    assert not await club.tables.outbox.items(table.id)

    asked = await anna.slash(club.channel, "me forget")
    await anna.click(asked.response, custom_id="forgetme:0")
    await club.later(timedelta(minutes=1))
    assert await club.tables.whispers.at_table(table.id) == []
    store = club.tables._unit_of_work.store
    assert await store.votes(table.id, SHOW, stored.at.isoformat()) == {bert.id}
