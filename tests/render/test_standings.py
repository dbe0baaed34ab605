"""The picture of a cup's standings."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import ImageColor

from bot.render.palettes import NAMES
from bot.render.sides import TONES
from bot.render.standings import COLOURS, Mark, StandingsRow, StandingsSection, draw_standings
from tests.render.compare import TOLERATED, assert_golden, different, read, two_tones

NAMES_SHOWN = ("Anna", "Maximilian Alexander von Hohenstein", "田中 🦊", "🦊", "Eva", "Олена")
MARKS: tuple[Sequence[int | Mark | None], ...] = (
    (1, 1, Mark.RUNNING),
    (1, 2, Mark.RUNNING),
    (2, 1, Mark.VOID),
    (3, 4, Mark.BYE),
    (4, None, None),
    (None, 3, Mark.RUNNING),
)
COLUMNS = ("Played", "Wins", "Points")


def section(heading: str = "Tier 1", **zones: int) -> StandingsSection:
    rows = (
        StandingsRow(place, name, marks, (2, 2 - place // 3, 24 - 4 * place), name == "Eva")
        for place, (name, marks) in enumerate(zip(NAMES_SHOWN, MARKS, strict=True), 1)
    )
    return StandingsSection(heading, tuple(rows), **zones)


def drawn(*sections: StandingsSection, title: str = "Kogge League") -> bytes:
    legend = {Mark.UP: "up", Mark.DOWN: "down", Mark.RUNNING: "running", Mark.BYE: "bye"}
    return draw_standings(title, "Season 3", COLUMNS, sections, legend | {Mark.VOID: "void"})


def test_tiers_have_zones_by_arrow_and_line_and_games_have_marks() -> None:
    picture = drawn(section(down=1), section("Tier 2", up=1))
    assert picture == drawn(section(down=1), section("Tier 2", up=1))
    assert_golden("standings", picture)


def test_zones_and_results_are_visible_without_colours() -> None:
    plain = two_tones(drawn(section()))
    assert different(plain, two_tones(drawn(section(up=1)))) > TOLERATED
    other = section()._replace(rows=[row._replace(marks=(Mark.BYE,)) for row in section().rows])
    assert different(plain, two_tones(drawn(other))) > TOLERATED


def test_a_long_title_and_64_rows_fit_and_every_palette_recolours_them() -> None:
    rows = [section().rows[at % 6]._replace(place=at + 1, marks=(1,) * 10) for at in range(64)]
    picture = drawn(StandingsSection("64", rows), title="A cup with a very long name " * 4)
    image = read(picture)
    assert image.width == 900
    # Nothing is drawn over the edge, and names end before the marks.
    edge = {image.getpixel((899, y)) for y in range(140, image.height - 60)}
    assert edge == {ImageColor.getrgb(TONES.paper), ImageColor.getrgb(TONES.shade)}
    assert {len(COLOURS.of(picture, name)) for name in NAMES} == {len(picture)}
