"""Records and achievements in the story of a game, in statistics and in the list of records."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cogs.posting.game_over import award_lines
from bot.cogs.ui import access
from bot.game.contract import SPECTATOR
from bot.store import AwardRow, ResultRow, WriteBatch
from bot.tables.awards import Awards, Claim, NewAward
from bot.tables.core.errors import StoreUnavailable
from bot.tables.core.record import fold, until
from bot.text.awards import awards, measured
from bot.text.words import words_for
from tests.cogs.conftest import Club, wording
from tests.tables.world import whole_record

UNDONE = 30
NEW = "🏅 New records on this server: "


async def stored(club: Club) -> dict[str, AwardRow]:
    """Return the holders of the records in Kogge."""
    found = await club.tables.awards.find(guild=club.guild.id, game="kogge")
    return {row.award: row for row in found if awards("kogge")[row.award].better}


async def whole_game(club: Club, seed: int) -> int:
    table = await club.game()
    await club.finish(table.id, seed)
    return table.id


async def stories(club: Club, table_id: int) -> list[str]:
    posts = map(wording, club.posts(await club.tables.reader.get(table_id)))
    return [post for post in posts if post.startswith("### The story of the game")]


async def make_beatable(club: Club) -> None:
    """Lower the records that higher values beat."""
    batch = WriteBatch()
    for name, row in (await stored(club)).items():
        if awards("kogge")[name].better > 0:
            batch.execute("UPDATE awards SET value = 1 WHERE award = :name", name=row.award)
    await club.tables._unit_of_work.store.commit(batch)


@pytest.mark.slow
@pytest.mark.parametrize("is_interrupted", [False, True])
async def test_the_story_tells_once_of_a_record_that_is_beaten(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, is_interrupted: bool
) -> None:
    one = await whole_game(club, 1)
    (first,) = await stories(club, one)
    assert NEW not in first, "the first records of a server are no news"
    before = await stored(club)
    assert {"trade", "voyages"} <= {*before}
    assert {row.table for row in before.values()} == {one}
    await make_beatable(club)

    async def fail(*_: Any) -> None:
        raise StoreUnavailable("store_unavailable")

    with monkeypatch.context() as broken:
        if is_interrupted:
            broken.setattr(Awards, "give", fail)
        two = await whole_game(club, 2)
        assert len(await stories(club, two)) == 1
    if is_interrupted:
        assert (await stored(club))["trade"].table == one
        club.faults.seen.clear()
        await club.restart()
    (second,) = await stories(club, two)
    (news,) = [line for line in second.splitlines() if line.startswith(NEW)]
    after = await stored(club)
    for name in ("trade", "voyages"):
        row, award, words = after[name], awards("kogge")[name], words_for("en")
        assert row.table == two
        shown = f"**{row.name}**: {award.described(words, row.value)}"
        old = f"{words.phrase(award.text, 1)}, by **{before[name].name}**"
        assert f"{shown}; the old record was {old}" in news
    await club.restart()
    assert await stories(club, two) == [second]
    assert await stored(club) == after


@pytest.mark.slow
async def test_undone_actions_count_for_nothing(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "sail")
    user = club.person(table, seat).id
    for _ in range(UNDONE):
        (route, *_) = await club.words(table.id, seat, "sail")
        await club.play((seat, f"sail {route} -"), table=table.id)
        undo = await club.tables.undo.preview(table.id, user)
        await club.tables.undo.alone(table.id, user, undo.step, undo.last)
    await club.finish(table.id)

    record, rules = await whole_record(club.tables, table.id), club.titles.games["kogge"]
    assert sum(line.kind == "@undo" for line in record.entries) == UNDONE
    folded = list(fold(rules, until(record, len(record.entries) - 1)))
    events = [event for entry, _ in folded for event in entry.visible_to(SPECTATOR)]
    state = folded[-1][1]
    outcome = rules.outcome(state)
    assert outcome is not None
    found = await stored(club)
    for name, award in awards("kogge").items():
        values = [value for _, value in measured(award, events, outcome, state.round)]
        if award.better:
            assert ([found[name].value] if name in found else []) == values[:1], name
    assert found["voyages"].value < UNDONE


async def test_statistics_and_the_leaderboard_show_records_and_achievements(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await whole_game(club, 1)
    anna, bert, clara = club.people[:3]
    rows = await stored(club)
    first = WriteBatch()
    result = next(
        each
        for each in await club.tables._unit_of_work.store.results_at(table_id)
        if each.user == anna.id
    )
    first.give_award(result, "pirate", 1, alone=False)
    first.give_award(result, "an award of a later version", 1, alone=True)
    await club.tables._unit_of_work.store.commit(first)

    own = wording((await bert.slash(club.channel, "stats", player=anna)).response)
    assert "🎖️ Achievements: Pirate" in own
    (line,) = [line for line in own.splitlines() if line.startswith("🏅 Records: ")]
    mine = {name for name, row in rows.items() if row.user == anna.id}
    assert mine
    for name, award in awards("kogge").items():
        assert (award.title in line) is (name in mine)
    assert "🏅" not in wording((await anna.slash(anna.dm, "stats")).response)

    board = await bert.slash(club.channel, "leaderboard", game="kogge")
    listed = await bert.click(board.response, custom_id="records:0:kogge:")
    lines = wording(listed.response).splitlines()
    assert lines[0] == "**Records: Kogge**"
    table = await club.tables.reader.get(table_id)
    for line, name in zip(
        lines[1:], [each for each in awards("kogge") if each in rows], strict=True
    ):
        assert line.startswith(f"**{awards('kogge')[name].title}** (")
        assert f"**{rows[name].name}** · [Table {table_id}](" in line
        assert f"/{table.thread}/" in line
    await bert.click(listed.response, custom_id="leaders:0:kogge:0")
    # Someone who is outside the channel of the table gets no link to it.
    monkeypatch.setattr(access, "may_view", lambda *_: False)
    elsewhere = club.new_channel("elsewhere")
    unseen = await clara.slash(elsewhere, "leaderboard", game="kogge")
    unseen = await clara.click(unseen.response, custom_id="records:0:kogge:")
    assert "**Records: Kogge**" in wording(unseen.response)
    assert "Table" not in wording(unseen.response)

    await anna.slash(club.channel, "me set", statistics="off")
    listed = await bert.click(board.response, custom_id="records:0:kogge:")
    assert "**Anna**" not in wording(listed.response)
    await anna.slash(club.channel, "me set", statistics="on")
    asked = await anna.slash(club.channel, "me forget")
    await anna.click(asked.response, custom_id="forgetme:0")
    assert {row.user for row in (await stored(club)).values()} == {bert.id} & {
        row.user for row in rows.values()
    }


def test_a_story_has_one_line_of_records_and_one_of_achievements() -> None:
    result = ResultRow(9, 1, 0, "Anna *", 3, "kogge", 2, 1, 50, 5, 5, None, None, None)  # type: ignore[arg-type]
    before = AwardRow(3, "kogge", "trade", 2, "Bert", 1, 8)
    new: list[NewAward] = [
        (Claim("trade", 0, 7, 1), result, before),
        (Claim("quickest", 0, 3, -1), result, None),
        (Claim("pirate", 0, 1, 0), result, None),
    ]
    assert award_lines(words_for("en"), "kogge", new) == [
        "🏅 New records on this server: **Anna \\***: **Biggest trade with a city** (7 goods"
        " taken); the old record was 1 good taken, by **Bert**",
        "🎖️ Achievements: **Anna \\***: **Pirate** (raid a ship)",
    ]
    assert award_lines(words_for("en"), "kogge", new[1:2]) == []
    for line, number in zip(award_lines(words_for("it"), "kogge", new), ("7", "Pir"), strict=True):
        assert "**Anna \\***" in line
        assert number in line
