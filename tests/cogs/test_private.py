"""Private information: its owner gets it, and no one else."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cogs.posting import work_queue
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import TableView
from bot.tools import replay
from tests.cogs.conftest import Club, ids, is_silent, parts, wording
from tests.cogs.test_deals import start_moored
from tests.waiting import until


async def test_hands_and_secret_choices_are_sent_only_to_their_owner(
    club: Club,
) -> None:
    table = await club.game()
    person, other = club.person(table, 0), club.person(table, 1)
    for each in (person, other):
        hand = club.dms(each)[-1]
        assert "Markers" in wording(hand)
        (link,) = [item["url"] for item in parts(hand) if item.get("url")]
        assert link == f"https://discord.com/channels/{club.guild.id}/{table.thread}"
        assert ids(hand) == ["hand:1"]
        result = await each.click(hand, custom_id="hand:1")
        assert "Markers" in wording(result.response)

    panel = await club.open_panel(table, 0)
    done = await person.click(panel, custom_id="act:1:0:found,4")
    assert "Riga" in wording(done.response)
    assert "Riga" in wording(club.dms(person)[-1])
    # Changing the choice edits its confirmation.
    await person.slash(club.place(table), "kogge found", marker="5")
    *_, choice = club.dms(person)
    assert "Danzig" in wording(choice)
    assert "Riga" not in wording(choice)
    for each in (*club.posts(table), *club.dms(other)):
        assert not {"Riga", "Danzig"} & set(re.findall(r"\w+", wording(each)))
    assert len(club.posts(table)) == 1


async def test_the_edit_of_a_confirmation_is_retried(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 0.01)
    table = await club.game()
    person = club.person(table, 0)
    await club.play((0, "found 4"))
    before = [each.id for each in club.dms(person)]
    club.fail("PATCH", "/channels/*/messages/*", status=503, code=0)

    await club.play((0, "found 5"))

    await until(lambda: "Danzig" in wording(club.dms(person)[-1]))
    assert [each.id for each in club.dms(person)] == before


async def test_a_hand_changed_by_others_is_sent_again_with_its_table(
    club: Club,
) -> None:
    table = await start_moored(club, "4", "5")
    before = [len(club.dms(club.person(table, seat))) for seat in (0, 1)]
    for _ in (0, 1):
        (seat,) = await club.asked(1)
        await club.tables.play.act(1, seat, ("bid", "4" if seat else "3"))
    await club.settle()
    changed, unchanged = (club.dms(club.person(table, seat))[n:] for seat, n in enumerate(before))
    (dm,) = changed
    assert wording(dm).startswith(f"**Kogge · table {table.id}**\n")
    assert "New goods" in wording(dm)
    assert "**Office** in **Riga (4)**: 1 🦊 fur" in wording(dm)
    assert is_silent(dm)
    assert unchanged == []


async def test_both_sides_of_a_conflict_are_sent_the_loot(club: Club) -> None:
    table = await start_moored(club, "4", "4", conflicts="on")
    tables = club.tables
    for line in ("bid 3", "bid 2", "advance 1", "stop", "end"):
        (seat,) = await club.asked(1)
        await tables.play.act(1, seat, tuple(line.split()))
    await tables.play.act(1, seat, ("challenge", str(1 - seat)))
    await club.play((1 - seat, "bid 0"))
    before = [len(club.dms(club.person(table, seat))) for seat in (0, 1)]
    await club.play((seat, "bid 8"))
    await club.play((seat, "demand oof"))

    for side in (0, 1):
        bids, loot = club.dms(club.person(table, side))[before[side] :]
        assert "Conflict bids" in wording(bids)
        assert "8️⃣" in wording(bids)
        assert "**Markers:**" in wording(bids)
        assert "gets 2 🪨 ore and 1 🦊 fur" in wording(loot)
        assert ("**Goods:**" in wording(loot)) is (side != seat)
        # The player who has just chosen it gets a silent message.
        assert is_silent(loot) is (side == seat)


async def test_a_player_who_resigns_gets_no_pending_private_message(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    person, table_view = club.person(table, 0), Services.table_view
    before = len(club.dms(person))

    async def resigned_first(self: Services, table_id: int, observer: int, words: Any) -> TableView:
        if observer == 0 and (await self.tables.reader.get(table_id)).seat_of(person.id) == 0:
            await self.tables.leaving.resign(table_id, person.id)
        return await table_view(self, table_id, observer, words)

    monkeypatch.setattr(Services, "table_view", resigned_first)
    await club.play((0, "found 4"))
    assert (await club.tables.reader.get(1)).seat_of(person.id) is None
    assert len(club.dms(person)) == before
    assert await club.tables.outbox.items(1) == []


# A report shows a problem, without secrets or names


@pytest.mark.slow
async def test_a_report_of_a_running_game_has_no_secrets_and_can_be_drawn(
    club: Club, tmp_path: Path
) -> None:
    table = await club.game()
    reporting = club.tables.exports
    owner = club.person(table, 0)
    files = []
    for city in ("4", "5"):
        await owner.slash(club.place(table), "kogge found", marker=city)
        files.append(await reporting.report(table.id, rng=Random(1)))
    assert files[0] == files[1]
    await club.play_until(table.id, "sail")
    await owner.slash(club.place(table), "kogge push", route="left")

    result = await owner.slash(club.place(table), "game report")

    assert result.is_private
    (file,) = result.response.attachments
    data = club.bytes_of(file)
    for private in (*table.names, *(str(person.id) for person in club.people), table.key_hash):
        assert private.encode() not in data
    report = json.loads(data)
    assert report["seats"] == ["person", "person"]
    assert len(report["refused"]) == 1
    assert report["program"]["python"]
    assert len(report["lines"]) > 3
    (tmp_path / "report.json").write_bytes(data)
    assert replay.run(Namespace(file=tmp_path / "report.json", out=tmp_path, html=None)) == 0
    assert (tmp_path / "0000.png").stat().st_size > 1000
    assert "asked: " in (tmp_path / "index.txt").read_text()


async def test_private_messages_of_a_finished_game_have_no_buttons(
    club: Club,
) -> None:
    table = await start_moored(club, "4", "5")
    await club.finish(table.id)
    await club.settle()
    for seat in (0, 1):
        *older, newest = club.dms(club.person(table, seat))
        assert "The game is over" in wording(newest)
        assert not any(ids(each) for each in (*older, newest))


async def test_all_moves_of_the_autopilot_are_in_one_message(club: Club) -> None:
    table = await club.game()
    person = club.people[0]
    before = len(club.dms(person))
    await person.slash(club.place(table), "seat autopilot")
    await club.play_until(table.id, "sail")
    assert len(club.dms(person)) - before == 1


async def test_a_public_hand_is_not_sent_in_private(club: Club) -> None:
    table, seat = await club.burgundy()
    before = [club.dms(club.person(table, each)) for each in (0, 1)]
    for _ in range(12):
        await club.tables.play.act(table.id, *await one_action(club, table.id))
    last = club.person(table, (await club.asked(table.id))[0])
    back = await club.tables.undo.preview(table.id, last.id)
    await club.tables.undo.propose(table.id, last.id, back.step)
    other = next(each for each in (club.person(table, seat) for seat in (0, 1)) if each != last)
    await club.tables.votes.answer(table.id, other.id, "undo", agree=True)
    await club.settle()
    assert [club.dms(club.person(table, each)) for each in (0, 1)] == before
    assert not any("Storage" in wording(each) for private in before for each in private)
    person = club.person(table, seat)
    shown = await person.slash(club.place(table), "game hand", table=table.id)
    assert "Storage" in wording(shown.response)


async def one_action(club: Club, table: int) -> tuple[int, tuple[str, ...]]:
    """Return the first legal action of the seat to act."""
    (seat,) = await club.asked(table)
    action: tuple[str, ...] = ()
    while words := await club.words(table, seat, *action):
        action = (*action, words[0])
    return seat, action
