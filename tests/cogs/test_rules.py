"""`/rules`, the rule behind every refusal, and explanations in a first turn."""

from __future__ import annotations

from typing import Any

from bot.tables import Table
from bot.text import general
from bot.text.words import words_for
from bot.titles import TITLES
from tests.cogs.conftest import Club, choose_kind, ids, part, parts, wording

TEXT = TITLES.texts["kogge"](words_for("en"))
SEPARATOR = 14
"""Discord's component type of a separator."""
EXPLAIN, NO_MORE = "explain:1::on", "explain:1::off"


def rule(topic: str) -> str:
    return f"rules:0:kogge:{topic}"


async def slash(club: Club, **options: str) -> Any:
    result = await club.people[0].slash(club.channel, "rules", **options)
    assert result.is_private
    return result.response


# The command


async def test_chapters_link_to_each_other_and_can_be_searched(club: Club) -> None:
    answer = await slash(club, game="kogge")
    assert TEXT.rules("overview") in wording(answer)
    assert len(wording(answer)) <= 2000
    anna = club.people[0]
    everything = await anna.suggestions(club.channel, "rules", "topic", "", game="kogge")
    found = await anna.suggestions(club.channel, "rules", "topic", "kopenhagen", game="kogge")
    assert len(everything) == min(len(TEXT.topics()) + 1, 25)
    assert [each["value"] for each in found] == ["cities"]
    assert "8 Kopenhagen" in found[0]["name"]

    first = await slash(club, game="kogge", topic="Setting up")
    place = TEXT.topics().index("setup")
    before, after = (f"chapter:0:kogge:{TEXT.topics()[place + step]}" for step in (-1, 1))
    assert {before, after} <= set(ids(first))
    turned = await anna.click(first, custom_id=after)
    assert turned.response.id == first.id
    assert TEXT.rules(TEXT.topics()[place + 1]) in wording(turned.response)
    chosen = await anna.choose(turned.response, ["ending"], custom_id="chapter1:0:kogge:")
    assert TEXT.rules("ending") in wording(chosen.response)

    found = await slash(club, game="kogge", topic="SECRET route")
    picker = part(found, "chapter1:0:kogge:")
    topics = [option["value"] for option in picker["options"]]
    assert "chits" in topics
    assert "Secret route\\: from any city" in wording(found)
    opened = await club.people[0].choose(found, ["chits"], custom_id="chapter1:0:kogge:")
    assert TEXT.rules("chits") in wording(opened.response)
    one = await slash(club, game="kogge", topic="kopenhagen")
    none = await slash(club, game="kogge", topic="cattle")
    assert TEXT.rules("cities") in wording(one)
    assert "don't mention “cattle”" in wording(none)
    assert ids(none)


async def test_an_ambiguous_search_asks_for_the_game_and_keeps_the_words(
    club: Club,
) -> None:
    asked = await slash(club, topic="raid")
    named = await slash(club, topic="raid", game="kogge")
    assert wording(asked) == "Which game?"
    assert ids(asked) == [f"rules:0:{game}:raid" for game in TITLES.texts]
    assert TEXT.rules("raid") in wording(named)
    long = await slash(club, topic=f"SECRET: Route, *please* {76 * 'x'}")
    assert all(len(each) <= 100 for each in ids(long))
    found = await slash(club, topic="secret, ROUTE")
    answer = await club.people[0].click(found, custom_id="rules:0:kogge:secret route")
    assert "Secret route\\: from any city" in wording(answer.response)
    # A table's channel implies its game; its thread does even after the end.
    table = await club.game()
    assert TEXT.rules("raid") in wording(await slash(club, topic="raid"))
    await club.give_up(table)
    assert (await club.tables.reader.get(table.id)).is_over
    result = await club.people[2].slash(club.place(table), "rules", topic="raid")
    assert TEXT.rules("raid") in wording(result.response)


# The rule behind a refusal


async def test_a_refusal_links_to_its_rule_even_after_a_restart(club: Club) -> None:
    refused = await club.people[0].slash(club.channel, "game join")
    (link,) = ids(refused.response)
    answer = await club.people[0].click(refused.response, custom_id=link)
    assert "no table" in wording(refused.response)
    assert general.help_text(words_for("en")) in wording(answer.response)
    table = await club.game()
    person = club.person(table, 0)
    refused = await person.slash(club.place(table), "kogge build")
    assert part(refused.response, rule("office"))["label"] == "Rules: Building an office"
    await club.restart()
    answer = await person.click(refused.response, custom_id=rule("office"))
    assert answer.is_private
    assert answer.response.id != refused.response.id
    assert TEXT.rules("office") in wording(answer.response)


# A first turn


async def explained(club: Club, table: Table, seat: int) -> Any:
    panel = await club.open_panel(table, seat)
    custom_id = f"explain:{table.id}::on"
    return (await club.person(table, seat).click(panel, custom_id=custom_id)).response


def hint(kind: str) -> str:
    found = TEXT.hint(kind)
    assert found is not None
    return "\n".join(f"> {line}" for line in found.text.splitlines())


async def test_a_newcomer_can_have_each_question_explained(club: Club) -> None:
    table = await club.game()
    assert "> " not in wording(await club.open_panel(table, 0))

    panel = await explained(club, table, 0)
    # Once, although the question and its action have the same name.
    assert wording(panel).count(hint("found")) == 1
    assert rule("setup") in ids(panel)
    # It is below the choices, next to the button that switches it.
    *_, line = (n for n, each in enumerate(parts(panel)) if each["type"] == SEPARATOR)
    explanation, *foot = parts(panel)[line + 1 :]
    assert explanation["content"] == hint("found")
    assert not [each for each in foot if "content" in each]
    off = (await club.person(table, 0).click(panel, custom_id=NO_MORE)).response
    assert "> " not in wording(off)
    assert EXPLAIN in ids(off)
    assert NO_MORE not in ids(off)
    await explained(club, table, 0)

    await club.restart()
    assert hint("found") in wording(await club.open_panel(table, 0))
    seat = await club.play_until(1, "sail")
    person = club.person(table, seat)
    if seat:
        await explained(club, table, seat)
    moving = await club.open_panel(table, seat)
    assert hint("move") in wording(moving)
    # The only kind of action with several choices is explained with the question.
    assert hint("sail") in wording(moving)
    await club.play_until(1, "end")
    acting = await club.open_panel(table, seat)
    assert hint("act") in wording(acting)
    trading = await choose_kind(person, acting, "trade")
    assert hint("trade") in wording(trading)
    assert NO_MORE not in ids(trading)


async def test_explanations_end_with_the_first_turn_and_are_not_offered_again(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    # A lobby doesn't count as a game played.
    await club.lobby(host=clara)
    table = await club.game(bert, host=anna)
    for seat in (0, 1):
        await explained(club, table, seat)
    first = await club.play_until(table.id, "end")
    person = club.person(table, first)
    assert f"explain:{table.id}::off" in ids(await club.open_panel(table, first))
    await club.tables.play.act(table.id, first, ("end",), user=person.id)
    await club.settle()
    assert await club.play_until(table.id, "sail") != first
    await club.play_until(table.id, "bid")
    panel = await club.open_panel(table, first)
    assert "> " not in wording(panel)
    assert not [each for each in ids(panel) if each.startswith("explain")]

    second = await club.game(bert, clara, host=anna)
    offered = {
        person.id: any(
            each.startswith("explain")
            for each in ids(await club.open_panel(second, second.seat_of(person.id) or 0))
        )
        for person in (anna, bert, clara)
    }
    assert offered == {anna.id: False, bert.id: False, clara.id: True}
