"""Which revisions of the database this version knows: told without Alembic, which takes as long to
load as much of the program and is needed only where there is something to upgrade.
"""

from __future__ import annotations

import re
from functools import cache
from pkgutil import iter_modules

import sqlalchemy as sa

from bot.store.migrations import versions

NOTED_IN = "alembic_version"
"""The table in which Alembic keeps the revision of a database."""
_FILE = re.compile(r"r(\d{4})_\w+")
"""What the module of a revision is called, by the revision in it."""


@cache
def known() -> tuple[str, ...]:
    """All revisions, the oldest first."""
    names = (_FILE.fullmatch(module.name) for module in iter_modules(versions.__path__))
    return tuple(sorted(name[1] for name in names if name))


def newest() -> str:
    """The revision that the program works on."""
    return known()[-1]


def is_known(revision: str) -> bool:
    """Whether this version of the program knows that revision of a database."""
    return revision in known()


def revision_of(connection: sa.Connection) -> str | None:
    """The revision of a database; None for one that is empty."""
    if not sa.inspect(connection).has_table(NOTED_IN):
        return None
    noted: str | None = connection.scalar(sa.text(f"SELECT version_num FROM {NOTED_IN}"))
    return noted
