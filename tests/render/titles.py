"""Data for tests of pictures, by title."""

from __future__ import annotations

from tests.render.pictured_burgundy import BURGUNDY
from tests.render.pictured_flandern import FLANDERN
from tests.render.pictured_guatemala import GUATEMALA
from tests.render.pictured_kogge import KOGGE

PICTURED = {each.name: each for each in (KOGGE, BURGUNDY, GUATEMALA, FLANDERN)}
