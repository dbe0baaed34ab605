"""What takes back an earlier step stands below what is asked, and answers nothing."""

from __future__ import annotations

from tests.cogs.conftest import Club, ids
from tests.cogs.test_burgundy import begun, done


async def test_the_panel_offers_to_take_the_last_step_back_below_what_is_asked(
    club: Club,
) -> None:
    table, seat = await begun(club)
    person = club.person(table, seat)
    fresh = await club.open_panel(table, seat)
    assert not any(each.endswith(":back") for each in ids(fresh))

    die = (await club.words(1, seat, "workers"))[0]
    result = await person.slash(club.place(table), "burgundy workers", die=die)
    (undo,) = [each for each in ids(result.response) if each.endswith(":back")]
    assert ids(result.response)[-1] == undo
    again = await person.click(result.response, custom_id=undo)

    assert (await done(club))[-1] == "back"
    assert await club.asked(1) == [seat]
    assert not any(each.endswith(":back") for each in ids(again.response))
