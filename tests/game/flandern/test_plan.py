"""The plan of a city (sections 2.1, 2.2 and 2.4): both tables of the sheet are worked out again
from the outlines, by what edges the outlines share."""

from __future__ import annotations

from bot.game.flandern.plan import (
    BARS,
    BESIDE,
    CITIES,
    ON,
    PLACE_NAMES,
    PLACE_OF_NAME,
    PLOT_NAMES,
    PLOT_OF_NAME,
    PLOTS,
    PRINTED,
    SHAPE_OF,
    SPECIAL,
    made_by,
)
from tests.game.flandern import naive_city
from tests.game.flandern.positions import named_plots

NEW_NAMES = tuple(name for name in PLOT_NAMES if PLOTS[PLOT_OF_NAME[name]].maker)
PRINTED_NAMES = tuple(name for name in PLOT_NAMES if name not in NEW_NAMES)


# Geometry, apart from the engine's own


# Section 2.1: names and shapes


def test_a_city_has_thirteen_plots_and_room_for_four_bars_and_twelve_triangles() -> None:
    assert CITIES == ("brugge", "gent", "ieper", "leuven", "utrecht", "luik")
    assert " ".join(PRINTED_NAMES) == "c t1 t2 t3 t4 p1 p2 p3 p4 r1 r2 r3 r4"
    assert named_plots(PRINTED).split() == list(PRINTED_NAMES[1:])
    assert set(NEW_NAMES) == {f"r{n}" for n in range(5, 9)} | {f"t{n}" for n in range(5, 17)}
    for name, plot, shape in zip(PLOT_NAMES, PLOTS, SHAPE_OF, strict=True):
        assert (plot.name, plot.shape) == (name, "" if name == "c" else name[0])
        assert shape == (-1 if name == "c" else "tpr".index(name[0]))
    assert PLACE_NAMES[1][1] == "gent-t1"
    assert PLACE_OF_NAME["luik-r8"] == (5, PLOT_OF_NAME["r8"])
    assert len(PLACE_OF_NAME) == sum(map(len, PLACE_NAMES)) == 6 * len(PLOTS)


# Section 2.2: both tables


def test_plots_share_edges_and_lie_on_others_as_the_sheet_says() -> None:
    for name in PLOT_NAMES:
        plot = PLOT_OF_NAME[name]
        assert set(named_plots(BESIDE[plot]).split()) == naive_city.BESIDE[name], name
        assert set(named_plots(ON[plot]).split()) == naive_city.LONG_SIDE.get(name, set()), name


# Section 2.4: special quarters


def test_a_special_quarter_makes_the_plots_beyond_it_and_no_others() -> None:
    for special, key in enumerate(SPECIAL):
        for name in PLOT_NAMES:
            made = naive_city.BEYOND.get((f"church-{key}", name), ())
            assert named_plots(made_by(special, PLOT_OF_NAME[name])) == " ".join(made)
    for plot, bars in (("p1", "r1 r4"), ("p2", "r1 r2"), ("p3", "r2 r3"), ("p4", "r3 r4")):
        assert named_plots(BARS[PLOT_OF_NAME[plot]]) == bars
