"""The titles whose pictures are tested, by name."""

from __future__ import annotations

from tests.render.burgundy.cases import BURGUNDY
from tests.render.flandern.cases import FLANDERN
from tests.render.guatemala.cases import GUATEMALA
from tests.render.kogge.cases import KOGGE

PICTURED = {each.name: each for each in (KOGGE, BURGUNDY, GUATEMALA, FLANDERN)}
