"""`/me`: a person's private settings."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from bot import __version__
from bot.cogs.dialogues.me import SETTINGS
from bot.cogs.ui.services import links_of
from bot.titles import TITLES
from kontor import answer
from tests.cogs.conftest import Club, id_with, ids, part, parts, wording


async def test_settings_are_shown_and_each_is_changed_with_two_selects(club: Club) -> None:
    anna = club.people[0]
    answer = await anna.slash(club.channel, "me show")
    shown = answer.response
    assert answer.is_private
    assert "**Notifications**: in the channel" in wording(shown)
    for option in part(shown, "me:0")["options"]:
        name = option["value"]
        values = (await anna.choose(shown, [name], custom_id="me:0")).response
        assert ids(values) == [f"me:0:{name}:", "me:0"]
        *_, last = part(values, f"me:0:{name}:")["options"]
        shown = (await anna.choose(values, [last["value"]], custom_id=f"me:0:{name}:")).response
    # The last language, Italian, was chosen too.
    assert "**Notifiche**: nel canale e per messaggio diretto" in wording(shown)
    person = await club.tables.people.get(anna.id)
    assert (person.notices, person.reminder_h, person.quiet_to) == ("both", 0, 8 * 60)
    assert (person.digest, person.zone, person.text_board) == (23, "Pacific/Auckland", True)
    assert person.snoozed_until is not None
    assert not person.confirm_end
    # The chosen language overrides Discord's after a restart too.
    await club.restart()
    shown = (await anna.slash(club.channel, "me show")).response
    assert "**Notifiche**: nel canale e per messaggio diretto" in wording(shown)


async def test_every_setting_has_a_command_option_and_one_command_sets_several(club: Club) -> None:
    anna = club.people[0]
    me: Any
    (me,) = (each for each in club.bot.tree.get_commands() if each.name == "me")
    options = {option.name for option in me.get_command("set").parameters}
    assert {*SETTINGS} - options == {"quiet", "snooze"}
    assert {"quiet", "snooze"} <= {each.name for each in me.commands}
    settings = {
        "reminder": "6",
        "zone": "Europe/Rome",
        "board": "text",
        "confirm": "off",
        "next": "on",
    }
    answer = await anna.slash(club.channel, "me set", **settings)
    assert answer.is_private
    for line in ("after 6 hours", "Europe/Rome", "as text", "never ask"):
        assert line in wording(answer.response)
    person = await club.tables.people.get(anna.id)
    assert (person.reminder_h, person.zone, person.text_board) == (6, "Europe/Rome", True)
    assert person.told_next


async def test_times_are_read_in_common_formats_and_zones_found_by_city(
    club: Club,
) -> None:
    anna = club.people[0]
    offered = await anna.suggestions(club.channel, "me set", "zone", "new york")
    also = await anna.suggestions(club.channel, "me quiet", "zone", "rome")
    first = await anna.suggestions(club.channel, "me set", "zone", "")
    assert [each["value"] for each in offered] == ["America/New_York"]
    assert [each["value"] for each in also] == ["Europe/Rome"]
    assert len(first) > 20
    answer = await anna.slash(club.channel, "me quiet", **{"from": "22.30", "to": "7"})
    assert "22:30 to 07:00" in wording(answer.response)
    await anna.slash(club.channel, "me quiet", **{"from": "off"})
    assert (await club.tables.people.get(anna.id)).quiet_from is None

    # An unusable value is refused and nothing changes.
    before = await club.tables.people.get(anna.id)
    unusable: list[tuple[str, dict[str, str], str]] = [
        ("me quiet", {"from": "25:00", "to": "7"}, "a time I can use"),
        ("me quiet", {"from": "22:00"}, "a time I can use"),
        ("me quiet", {"from": "7", "to": "7:00"}, "no such setting"),
        ("me set", {"zone": "Mars/Base"}, "Mars/Base"),
        ("me set", {"notices": "pigeon"}, "one of the choices"),
        ("me set", {}, "Nothing to set"),
    ]
    for command, options, answer in unusable:
        reply = await anna.slash(club.channel, command, **options)
        assert answer in wording(reply.response), options
        assert await club.tables.people.get(anna.id) == before


async def test_setting_times_asks_for_a_time_zone_until_one_is_chosen(
    club: Club,
) -> None:
    zones, asked = "me:0:zone:", "You haven't set a time zone"
    until = f"{club.clock.now() + timedelta(days=9):%Y-%m-%d}"
    commands = [
        ("me quiet", {"from": "22", "to": "7"}),
        ("me set", {"digest": "8"}),
        ("me away", {"until": until}),
    ]
    anna = club.people[0]
    unasked = await anna.slash(club.channel, "me set", notices="both")
    assert zones not in ids(unasked.response)
    for command, options in commands:
        answer = (await anna.slash(club.channel, command, **options)).response
        assert asked in wording(answer), command
    assert "(time zone: UTC)" in wording(answer)
    await club.restart()
    shown = wording((await anna.slash(club.channel, "me show")).response)
    assert asked in shown
    assert "**Time zone**: UTC (not set)" in shown
    after = [(await anna.choose(answer, ["UTC"], custom_id=zones)).response]
    assert "**Time zone**: UTC" in wording(after[0])
    after += [
        (await anna.slash(club.channel, name, **options)).response for name, options in commands
    ]
    for message in after:
        assert asked not in wording(message)
        assert zones not in ids(message)
    await anna.slash(club.channel, "me set", zone="Asia/Tokyo")
    away = (await anna.slash(club.channel, "me away", until=until)).response
    assert "(time zone: Asia/Tokyo)" in wording(away)


async def test_a_person_can_export_and_delete_their_own_data(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    for person, city in ((anna, "4"), (bert, "5")):
        await person.slash(club.place(table), "kogge found", marker=city)
        await person.slash(club.place(table), "table note", text=f"noted by {person.id}")
    await anna.slash(club.channel, "me set", reminder="6", language="en")
    await club.restart()

    result = await anna.slash(club.channel, "me export")

    assert result.is_private
    (file,) = result.response.attachments
    text = club.bytes_of(file).decode()
    data = json.loads(text)
    assert data["settings"]["reminder_h"] == 6
    assert data["notes"] == [{"table": table.id, "text": f"noted by {anna.id}"}]
    assert [each["id"] for each in data["tables"]] == [table.id]
    assert data["moves"][-1]["action"] == "found 4"
    assert data["seats"][0]["name"] == "Anna"
    assert not data["tables_left_out"]
    for theirs in ("Bert", str(bert.id), "found 5"):
        assert theirs not in text

    asked = await anna.slash(club.channel, "me forget")
    for limit in ("old posts", "backups", "games still running", "/me export"):
        assert limit in wording(asked.response)
    await anna.click(asked.response, custom_id="forgetme:0")
    for _ in range(2):
        person = await club.tables.people.get(anna.id)
        assert (person.reminder_h, person.language) == (24, None)
        await club.restart()


async def test_about_shows_the_version_and_the_hosts_links(club: Club) -> None:
    anna = club.people[0]
    plain = (await anna.slash(club.channel, "about")).response
    assert __version__ in wording(plain)
    assert "docs/privacy.md" in wording(plain)
    links = links_of("https://source.example/kontor/", None, "https://host.example/terms")
    object.__setattr__(club.services, "links", links)
    shown = (await anna.slash(club.channel, "about")).response
    assert [each["url"] for each in parts(shown) if "url" in each] == [
        "https://source.example/kontor/",
        "https://source.example/kontor/blob/main/docs/privacy.md",
        "https://host.example/terms",
    ]


@pytest.mark.slow
async def test_with_confirmations_off_one_press_ends_a_turn(club: Club) -> None:
    table = await club.game()
    tables, rng = club.tables, Random(1)
    player = TITLES["kogge"].quick_players["normal"]
    while True:
        now = (await tables._unit_of_work.cache.read(table.id)).position()
        decision = now.pending[0]
        seat = decision.seat
        if "build" in await club.legal_kinds(table.id, seat):
            break
        action = answer(TITLES.games["kogge"], now.state, decision, player, rng)
        await tables.play.act(table.id, seat, action)
    await club.settle()
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    end = id_with(panel, ":end")
    asked = (await person.click(panel, custom_id=end)).response
    assert (await club.actions(table.id))[-1] != "end"
    assert any(each.startswith("do:") for each in ids(asked))
    await person.slash(club.channel, "me set", confirm="off")
    await person.click(await club.open_panel(table, seat), custom_id=end)
    assert (await club.actions(table.id))[-1] == "end"
