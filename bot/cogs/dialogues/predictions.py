"""`/table predict`, and a server's ranking of predictors."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

from bot.cogs.ui import (
    STARTED,
    Control,
    CustomId,
    Dialogue,
    Press,
    Reply,
    TableOption,
    button,
    command,
    names_of,
    route,
    seat_for,
    seats_offered,
    stored_name,
)
from bot.cogs.ui.access import server_of
from bot.tables import PredictionRow, Table
from bot.tables.predictions import MAX_MARGIN, PredictorPlace
from bot.text import Name, Words, Written, bold, forms

POINTS = forms("{count} point", "{count} points")
MAX_LISTED = 20
"""Predictions and predictors listed."""
BEST = 5
"""Predictions in the last post of a game."""


class PredictionDialogue(Dialogue):
    """Predictions, shown in private."""

    @command("table predict", among=STARTED, winner=seats_offered)
    async def predict(
        self,
        reply: Reply,
        winner: str | None = None,
        by: app_commands.Range[int, 0, MAX_MARGIN] | None = None,
        *,
        table: TableOption,
    ) -> None:
        """Store what the user predicts; show it, and once they have closed those of others."""
        words, predictions = reply.words, self._tables.predictions
        if winner is not None or by is not None:
            seat = None if winner is None else seat_for(words, table, winner)
            name = stored_name(reply.interaction.user)
            await predictions.predict(table.id, reply.user, name, seat, by)
        are_open = await predictions.are_open(table.id)
        rows, names = await predictions.at(table.id), names_of(words, table)
        own = next((row for row in rows if row.user == reply.user), None)
        if own is not None:
            lines = [words("🔮 Your prediction: {what}.", what=_what(words, names, own))]
        elif table.seat_of(reply.user) is None:
            lines = [words("🔮 You haven't predicted who wins at table {table}.", table=table.id)]
        else:
            lines = [words("🔮 Spectators can predict who wins.")]
        if are_open:
            lines.append(
                words(
                    "Spectators can make or change a prediction with `/table predict` until a "
                    "third of the game is over. Then everyone who asks can see them."
                )
            )
        else:
            lines.append(words("Predictions are closed."))
            counted = await predictions.at(table.id, counted=True)
            lines += [_line(words, names, row) for row in counted[:MAX_LISTED]]
        rule = words(
            "-# You get 3 points if your winner wins, plus 2 if your margin is at most 1 point "
            "off, or 1 if it's at most 5 off."
        )
        await reply.say("\n".join([*lines, rule]))

    @route("predictors", at_table=False)
    async def show_ranking(self, press: Press) -> None:
        """Show the people of this server with the most points for predictions."""
        words, reply = press.reply.words, press.reply
        ranking = await self._tables.predictions.ranking(server_of(press.interaction))
        lines = [words("**Predictions**"), *(_place(words, each) for each in ranking[:MAX_LISTED])]
        if not ranking:
            lines.append(
                words(
                    "None yet. If you're watching a game, predict who wins with `/table predict`."
                )
            )
        own = next((each for each in ranking[MAX_LISTED:] if each.user == reply.user), None)
        if own is not None:
            lines.append(words("You: {standing}", standing=_place(words, own)))
        await reply.say("\n".join(lines))


def ranking_button(words: Words) -> Control:
    """Return the button that shows the ranking of predictors."""
    return button(CustomId("predictors", 0), words("Predictions"))


def best_line(words: Words, table: Table, rows: Sequence[PredictionRow]) -> str:
    """Return a line with the best predictions at a finished game; empty without any."""
    names, rated = names_of(words, table), [row for row in rows if row.points is not None]
    best = [_line(words, names, row) for row in rated[:BEST] if row.points]
    if best:
        return words("🔮 Best predictions: {best}.", best=words.listing(best))
    return words("🔮 No prediction was right.") if rated else ""


def _what(words: Words, names: Sequence[Name], row: PredictionRow) -> str:
    margin = words.phrase(POINTS, row.margin)
    return words("{winner} wins by {margin}", winner=bold(names[row.seat]), margin=margin)


def _line(words: Words, names: Sequence[Name], row: PredictionRow) -> str:
    name, what = bold(Written(row.name)), _what(words, names, row)
    if row.points is None:
        return words("{name} ({prediction})", name=name, prediction=what)
    points = words.phrase(POINTS, row.points)
    return words("{name}: {points} ({prediction})", name=name, points=points, prediction=what)


def _place(words: Words, each: PredictorPlace) -> str:
    return words(
        "{place}. {name} · {points} · {games}, {hits}",
        place=each.place,
        name=bold(Written(each.name)),
        points=words.phrase(POINTS, each.points),
        games=words.plural("{count} game", "{count} games", each.games),
        hits=words.plural("{count} winner right", "{count} winners right", each.hits),
    )
