"""How time runs for one seat: weekends, absences, days of 23 and 25 hours."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.tables.core.calendar import Calendar, after_move, at_first

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def at(day: int, hour: int = 12, *, month: int = 5, year: int = 2030) -> datetime:
    """An instant of May 2030, in which the fourth is a Saturday."""
    return datetime(year, month, day, hour, tzinfo=UTC)


ROME = Calendar("Europe/Rome", weekends_off=True)
AWAY = Calendar("UTC", away_from=date(2030, 5, 7), away_until=date(2030, 5, 9))


@pytest.mark.parametrize(
    ("calendar", "start", "left", "up"),
    [
        (Calendar(), at(1), 3 * DAY, at(4)),
        # From Friday noon, ten hours are left of the week in Rome; it goes on at its midnight.
        (ROME, at(3), DAY, at(6, 12)),
        (ROME, at(4), HOUR, at(5, 23)),
        # A reserve that ends with the week ends there, and not after it.
        (ROME, at(3), 10 * HOUR, at(3, 22)),
        # Three days away count for nothing; those before and after do.
        (AWAY, at(6), 2 * DAY, at(11)),
        (AWAY, at(8), HOUR, at(10, 1)),
        # The night of the 31st of March 2030 has 23 hours in Rome, and those are counted.
        (Calendar("Europe/Rome"), at(30, 23, month=3), DAY, at(31, 23, month=3)),
        # Away on that day: its 23 hours do not count, nor do 25 in autumn.
        (
            Calendar("Europe/Rome", away_from=date(2030, 3, 31), away_until=date(2030, 3, 31)),
            at(30, 22, month=3),
            2 * HOUR,
            at(31, 23, month=3),
        ),
        (
            Calendar("Europe/Rome", away_from=date(2030, 10, 27), away_until=date(2030, 10, 27)),
            at(26, 21, month=10),
            2 * HOUR,
            at(28, 0, month=10),
        ),
        # In Santiago the clocks are put on at midnight, which that day does not have.
        (
            Calendar("America/Santiago", away_from=date(2030, 9, 8), away_until=date(2030, 9, 8)),
            datetime(2030, 9, 8, 3, tzinfo=UTC),
            2 * HOUR,
            datetime(2030, 9, 9, 4, tzinfo=UTC),
        ),
    ],
)
def test_time_is_up_when_so_much_of_it_has_run(
    calendar: Calendar, start: datetime, left: timedelta, up: datetime
) -> None:
    assert calendar.runs_out(start, left) == up
    assert calendar.elapsed(start, up) == left
    assert calendar.elapsed(start, up - HOUR) < left


def test_nothing_left_is_up_at_once_even_on_a_weekend() -> None:
    assert ROME.runs_out(at(4), timedelta()) == at(4)
    assert ROME.elapsed(at(4), at(5)) == timedelta()


def test_days_begin_anew_with_each_move_and_a_reserve_grows_up_to_its_most() -> None:
    assert after_move("d3", HOUR) == at_first("d3") == 3 * DAY
    assert after_move("reserve", HOUR) == 5 * HOUR
    assert after_move("reserve", -HOUR) == 4 * HOUR
    assert after_move("reserve", 70 * HOUR) == 72 * HOUR
