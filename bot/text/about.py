"""What `/about` says."""

from __future__ import annotations

from bot.text.words import msg

TITLE = msg("**Kontor {version}** – a Discord bot for heavy board games.")
STORED = msg(
    "I store the games you play, your settings and your results. `/me export` gives you a copy, "
    "`/me forget` deletes your settings and results, and `/server forget` deletes everything "
    "about a server."
)
NO_LINKS = msg(
    "`docs/privacy.md` and `docs/terms.md` in my source code have the details. Ask whoever "
    "runs this bot where to find them."
)
SOURCE = msg("Source code")
PRIVACY = msg("Privacy")
TERMS = msg("Terms")
