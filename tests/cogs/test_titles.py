"""Each title's own behaviour: its moves as commands, and what stays secret."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.cogs.ui import reply
from bot.game.contract import canonical, parse_action
from bot.game.flandern.data import CARDS
from bot.policy.random import random_action
from bot.tables import Status, Table
from bot.titles import TITLES
from tests.cogs.conftest import Club, ids, part, press, wording
from tests.cogs.test_languages import texts
from tests.cogs.test_plans import forge_press
from tests.tables.world import StillClock

FLANDERN, GUATEMALA = TITLES.games["flandern"], TITLES.games["guatemala"]
GUILDS = ("guild red", "guild green", "guild blue")
ENDS = "Stay put and skip your turn (ends the game)"


async def asked(club: Club) -> list[tuple[int, str]]:
    """Return the seats that must act, and what each is asked."""
    decisions = await club.tables.reader.pending(1)
    return [(each.seat, each.kind) for each in decisions if not each.optional]


# Kogge


async def test_a_command_suggests_legal_words_and_acts_at_once(club: Club) -> None:
    table = await club.game()
    anna, place = club.person(table, 0), club.place(table)

    everything = await anna.suggestions(place, "kogge found", "marker", "")
    riga = await anna.suggestions(place, "kogge found", "marker", "rig")
    assert [each["value"] for each in everything] == await club.words(1, 0, "found")
    assert [each["value"] for each in riga] == ["4"]
    assert await club.people[3].suggestions(place, "kogge found", "marker", "") == []

    unknown = await anna.slash(place, "kogge found", marker="Paris")
    assert unknown.is_private
    assert "Paris" in wording(unknown.response)
    result = await anna.slash(place, "kogge found", marker="Riga")
    assert result.is_private
    assert (await club.actions(1))[-1] == "found 4"


async def test_illegal_commands_are_refused_and_suggestions_are_accepted(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    person, place, before = club.person(table, seat), club.place(table), await club.actions(1)

    early = await club.person(table, 1 - seat).slash(place, "kogge bid", markers="5")
    many = await person.slash(place, "kogge bid", markers="8 8 8 8 8 8 8")
    assert early.is_private
    assert table.names[seat] in wording(early.response)
    assert many.is_private
    assert wording(many.response)
    assert await club.actions(1) == before

    word = next(word for word in await club.words(1, seat, "bid") if len(word) == 2)
    offered = await person.suggestions(place, "kogge bid", "markers", " ".join(word))
    await person.slash(place, "kogge bid", markers=offered[0]["value"])
    assert (await club.actions(1))[-1] == f"bid {word}"


async def test_a_panel_asks_for_options_left_out_of_a_command(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "trade")
    person, place = club.person(table, seat), club.place(table)
    for give in await club.words(1, seat, "trade"):
        if len(await club.words(1, seat, "trade", give)) > 1:
            break
    gives = await person.suggestions(place, "kogge trade", "give", "")
    takes = await person.suggestions(place, "kogge trade", "take", "", give=give)
    assert give in {each["value"] for each in gives}
    assert takes
    assert {each["value"] for each in takes} <= set(await club.words(1, seat, "trade", give))

    before = await club.actions(1)
    result = await person.slash(place, "kogge trade", give=give)

    assert result.is_private
    assert any(f"trade,{give}" in each for each in ids(result.response))
    assert await club.actions(1) == before


# The Castles of Burgundy


async def test_a_turn_of_burgundy_can_be_played_by_commands(club: Club) -> None:
    table, seat = await club.burgundy()
    person, place = club.person(table, seat), club.place(table)
    die, depot, tile = "", "", ""
    for die in await club.words(1, seat, "take"):
        depot = (await club.words(1, seat, "take", die))[0]
        tile = (await club.words(1, seat, "take", die, depot))[0]

    await person.slash(place, "burgundy take", die=die, depot=f"depot {depot}", tile=tile)
    early = await person.slash(place, "burgundy end")
    await person.slash(place, "burgundy workers")
    await person.slash(place, "burgundy end")

    kinds = [parse_action(line)[0] for line in await club.done()]
    assert (await club.done())[0] == f"take {die} {depot} {tile} -"
    assert kinds == ["take", "workers", "end"]
    assert early.is_private
    assert "1 die to use" in wording(early.response)
    assert await club.asked(1) == [1 - seat]


async def undo_alone(club: Club, table: Table, seat: int) -> bool:
    """Undo the seat's last action by its panel. Returns whether the panel allowed that."""
    await club.settle()
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    found = [each for each in ids(panel) if each.startswith("backstep:")]
    before = await club.tables.reader.seq(table.id)
    for each in found:
        await person.click(panel, custom_id=each)
    return await club.tables.reader.seq(table.id) > before


async def test_one_estate_is_shown_large_and_buttons_lead_to_the_others(club: Club) -> None:
    table, _ = await club.burgundy()
    watcher, place = club.people[3], club.place(table)

    offered = await watcher.suggestions(place, "game board", "seat", "")
    shown = await watcher.slash(place, "game board", seat=table.names[1])
    title, picture = wording(shown.response), shown.response.attachments[0]
    other = await watcher.click(shown.response, custom_id="seat:1::0")
    other_title = wording(other.response)
    whole = await watcher.click(other.response, custom_id="seat:1")
    buttons = ids(whole.response)
    depots = await watcher.click(whole.response, custom_id="seat:1::depots")
    text = await watcher.slash(place, "game board", seat="0", form="text")
    unknown = await watcher.slash(place, "game board", seat="Zoe")

    assert [each["name"] for each in offered] == list(table.names)
    assert f"Estate of {table.names[1]}" in title
    assert "Storage: nothing" in picture.description
    assert other.response.id == whole.response.id == shown.response.id
    assert f"Estate of {table.names[0]}" in other_title
    assert buttons == ["seat:1::0", "seat:1::1", "seat:1::depots", "seat:1::legend", "text:1"]
    assert "Depots" in wording(depots.response)
    assert "Depot 6: " in depots.response.attachments[0].description
    assert "**Storage:** nothing" in wording(text.response)
    assert "The players are" in wording(unknown.response)


async def test_the_next_round_is_rolled_when_its_first_player_looks(club: Club) -> None:
    """Until then the last player can undo the end of the round alone."""
    table, start = await club.burgundy()
    tables, last = club.tables, 1 - start
    for seat, dice in ((start, 2), (last, 1)):
        for _ in range(dice):
            die = (await club.words(1, seat, "workers"))[0]
            await tables.play.act(1, seat, ("workers", die))
        if seat == start:
            await tables.play.act(1, seat, ("end",))
            assert await undo_alone(club, table, seat)
            await tables.play.act(1, seat, ("end",))
    await club.settle()

    async def end_the_round() -> None:
        panel = await club.open_panel(table, last)
        await press(club.person(table, last), panel, ",+,end")
        assert (await club.done())[-1] == "end"
        assert await club.asked(1) == [start]

    await end_the_round()
    assert club.person(table, start).mention in wording(await club.panel(1))
    for _ in ("end", "last die"):
        assert await undo_alone(club, table, last)
        assert await club.asked(1) == [last]
    await end_the_round()

    shown = await club.open_panel(table, start)
    assert (await club.done())[-1] == "roll"
    assert "Round A2" in wording(shown)
    assert await club.asked(1) == [start]
    assert not await undo_alone(club, table, last)


# Flandern 1302


async def start_choosing(club: Club, seats: int) -> Table:
    """Start Flandern with guilds chosen and the golden card drawn: all must play a card."""
    table = await club.start_game("flandern", ("first_player", "first_seat"), seats=seats)
    await club.play(*enumerate(GUILDS), (0, "look"))
    return table


async def test_three_players_play_cards_by_commands_and_build(club: Club) -> None:
    table = await start_choosing(club, 3)
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
    adjacent = await anna.slash(place, "flandern build", place="t2", quarter="red")
    await anna.slash(place, "flandern build", place="t2", quarter="grey")

    assert "Leuven is out of play" in wording(wrong.response)
    assert "You don't have that many influence cards." in wording(many.response)
    assert "everyone is still choosing a card" in wording(early.response)
    assert "equal emblems can't touch" in wording(adjacent.response)
    assert (await club.done())[4:] == [
        *("choose gent 0", "choose site 2", "choose take 0"),
        *("site gent-t1 green", "build gent-t2 grey"),
    ]
    assert (await club.state()).round == 2


async def visible_to(club: Club, table: Table, people: list[Any]) -> list[object]:
    """Return everything these people see of the table, in order: texts, ids, hashes of pictures,
    and whether messages were edited."""
    found: list[object] = []
    for person in people:
        for message in (*club.seen(club.place(table), person), *club.dms(person)):
            found += [club.with_names(each) for each in (*texts(message), *ids(message))]
            found.append(message.edited_at is None)
            for each in message.attachments:
                found += [each.filename, sha256(club.bytes_of(each)).hexdigest()]
    return found


@pytest.fixture
def no_deferring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never defer answers, so that a busy machine doesn't change results."""
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 60.0)


@pytest.mark.usefixtures("no_deferring")
async def test_no_one_else_can_notice_a_secret_card_or_its_change(tmp_path: Path) -> None:
    """Neither the card, nor the number of influence cards, nor a changed choice."""
    seat = 1
    seen, questions = [], []
    for number, lines in enumerate((["take 0"], ["gent 3"], ["site 1", "take 0", "site 2"])):
        (folder := tmp_path / str(number)).mkdir()
        async with Club(folder) as club:
            club.tables._unit_of_work.clock = StillClock()
            table = await start_choosing(club, 3)
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
            seen.append(await visible_to(club, table, others))
            questions.append(await asked(club))

    assert seen[0] == seen[1] == seen[2]
    assert questions[0] == questions[1] == questions[2]


@pytest.mark.usefixtures("word_by_word")
async def test_a_choice_can_be_changed_until_the_last_has_chosen(club: Club) -> None:
    table = await start_choosing(club, 3)
    await club.press_path(table, 1, ":choose,gent", ",2")

    changed = await club.press_path(table, 1, ":choose,site", ",0")
    undo = (await club.person(table, 1).slash(club.place(table), "game undo")).response
    await club.play((0, "choose take 0"), (2, "choose take 0"))

    assert "You play **Site** without influence cards" in wording(changed)
    assert "just choose again" in wording(undo)
    assert await asked(club) == [(1, "site")]
    # The last choice has revealed all cards.
    assert not any([await undo_alone(club, table, seat) for seat in (0, 1, 2)])


async def test_the_golden_card_is_drawn_when_the_first_player_looks(club: Club) -> None:
    """Until then the last player can undo the end of the round alone, and no one has to wait."""
    table = await start_choosing(club, 3)
    takes = [(seat, "choose take 0") for seat in range(3)]
    while CARDS[(state := await club.state()).golden_card] in ("influence", "take"):
        await club.play(*takes, ((state.first + 1) % 3, "look"))
    last, first, other = ((state.first + step) % 3 for step in range(3))
    await club.play(*takes)
    ((_, kind),) = await asked(club)
    action = random_action((), partial(FLANDERN.legal, await club.state(), last), Random(1))
    await club.play((last, canonical(action)))

    assert sorted(await asked(club)) == sorted(
        [(last, "choose"), (first, "look"), (other, "choose")]
    )
    assert "draw this round's golden card" in wording(await club.panel(1))
    assert await undo_alone(club, table, last)
    assert await asked(club) == [(last, kind)]
    await club.play((last, canonical(action)))
    await club.play((other, "choose site 0"))
    looks = (await club.done()).count("look")
    shown = await club.open_panel(table, first)

    assert (await club.done())[-2:] == ["choose site 0", "look"]
    assert "Your secret golden card, played last" in wording(shown)
    assert any("a golden card from deck A" in wording(post) for post in club.posts(table)[-2:])
    assert not await undo_alone(club, table, last)
    await club.play((first, "choose site 0"), (first, "choose site 1"))
    assert "You play **Site**" in wording(await club.open_panel(table, first))
    assert (await club.done()).count("look") == looks + 1


# Guatemala Café


async def test_a_turn_of_guatemala_can_be_played_by_commands(club: Club) -> None:
    table = await club.start_game("guatemala")
    place = club.place(table)
    (placer,) = await club.asked(1)
    seat = 1 - placer
    person = club.person(table, seat)

    await club.person(table, placer).slash(place, "guatemala place", position="column 3, top")
    early = await person.slash(place, "guatemala end")
    await person.slash(place, "guatemala move", steps="1")
    wrong = await person.slash(place, "guatemala buy", piece="red hut", place="a1")
    await person.slash(place, "guatemala buy", piece="red worker", place="a1")
    late = await person.slash(place, "guatemala take")
    await person.slash(place, "guatemala end")

    assert await club.done() == ["place t3", "move 1", "buy 24 a1", "end"]
    assert "the buyer hasn't moved yet" in wording(early.response)
    assert "red hut" in wording(wrong.response)
    assert "You've already bought this turn" in wording(late.response)
    assert all(each.is_private for each in (early, wrong, late))
    assert await asked(club) == [(placer, "step")]


async def test_players_who_can_block_and_who_cannot_are_asked_alike(tmp_path: Path) -> None:
    seen, choices, labels = [], [], []
    for sacks in (0, 3):
        (folder := tmp_path / str(sacks)).mkdir()
        async with Club(folder) as club:
            club.tables._unit_of_work.clock = StillClock()
            table = await club.start_game("guatemala", seats=4)
            (placer,) = await club.asked(1)
            seat, other = ((placer + step) % 4 for step in (1, 3))
            # The buyer reaches a red sack.
            await club.play((placer, "place t2"), (seat, "move 1"))
            await exchange_hand(club, other, red=sacks)
            people = [each for each in club.people if each != club.person(table, other)]
            for each in people:
                await each.slash(club.channel, "me set", notices="dm")
            await club.play((seat, "take"))
            views = [await visible_to(club, table, people)]
            choices.append(await club.words(1, other, "block"))
            panel = await club.open_panel(table, other)
            # "yes" if it is offered.
            answer = max(each for each in ids(panel) if "block" in each)
            labels.append(part(panel, answer)["label"])
            await club.person(table, other).click(panel, custom_id=answer)
            views.append(await visible_to(club, table, people))
            seen.append((views, await club.asked(1)))

    assert seen[0] == seen[1]
    assert choices == [["no"], ["yes", "no"]]
    assert labels == ["Don't block: no one scores", "Block, even though no one would score"]


async def exchange_hand(club: Club, seat: int, *, red: int) -> None:
    """Give a seat a hand of `red` red sacks and white ones otherwise."""
    cache = club.tables._unit_of_work.cache
    loaded = await cache.read(1)
    now = loaded.position()
    state = GUATEMALA.decode(GUATEMALA.encode(now.state))
    hand = state.players[seat].hand
    hand[:] = [0, 0, red, 0, sum(hand) - red]
    cache.put(replace(loaded, now=replace(now, state=state, blob=GUATEMALA.encode(state))))


# An action that ends the game says so on its button and must be confirmed


async def test_a_pass_that_ends_the_game_must_always_be_confirmed(club: Club) -> None:
    table = await club.start_game("guatemala")
    (placer,) = await club.asked(1)
    await club.play((placer, "place t3"), (1 - placer, "pass"))
    (seat,) = await club.asked(1)
    person, place = club.person(table, seat), club.place(table)
    shared = f"You would share the win with **{club.person(table, 1 - seat).name}**, 0–0."

    panel = await club.open_panel(table, seat)
    assert ENDS in texts(panel)
    confirm = (await person.click(panel, label=ENDS)).response
    assert f"This ends the game. {shared}" in wording(confirm)
    back = (await person.click(confirm, label="Back")).response
    assert ENDS in texts(back)
    plan = await press(person, back, "plan:")
    plan = (await person.click(plan, label=ENDS)).response
    assert f"This ends the game. {shared}" in wording(plan)
    stopped = await press(person, plan, "planplay:")
    assert "The next action ends the game, so you have to play it yourself." in wording(stopped)
    assert f"This ends the game. {shared}" in wording(stopped)
    typed = (await person.slash(place, "guatemala pass")).response
    assert f"This ends the game. {shared}" in wording(typed)
    assert (await club.tables.reader.get(1)).status is Status.PLAYING

    await person.click(typed, label="End the game")
    assert (await club.tables.reader.get(1)).status is Status.FINISHED


async def test_joined_actions_that_end_the_game_are_listed_for_confirmation(club: Club) -> None:
    table = await club.start_game("guatemala")
    (placer,) = await club.asked(1)
    await club.play((placer, "place t3"))
    for _ in range(11):
        (seat,) = await club.asked(1)
        await club.play((seat, "move 1"), (seat, "end"))
    (seat,) = await club.asked(1)
    step = (await club.tables.reader.pending(table.id))[0].id

    text = await forge_press(club, table, club.person(table, seat), f"act:1:{step}:move,1,+,end")

    assert text.startswith("Move the buyer 1 step, then end turn?\n🏁 This ends the game.")
    assert (await club.tables.reader.get(1)).status is Status.PLAYING
