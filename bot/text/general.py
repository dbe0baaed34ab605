"""Texts for all games that are used in several places: lobby, turns, status and help.

Constants are messages for a `Words` (``words(general.STARTED, game=...)``); functions combine
several. A text with one use is defined where it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.text.game_words import AnyGameWords
from bot.text.markup import bold
from bot.text.matching import fold
from bot.text.user_text import Name, Written
from bot.text.words import Words, all_words, msg

# Buttons of the lobby
JOIN = msg("Join")
ADD_COMPUTER = msg("Add a computer player")

BASIC_OPTIONS = msg("Basic options")
ADVANCED_OPTIONS = msg("Advanced options")

# Buttons of a table
TAKE_TURN = msg("Take your turn")
MY_HAND = msg("My hand")
BOARD = msg("Board")
RULES = msg("Rules")
CONFIRM = msg("Confirm")
BACK = msg("Back")
FORWARD = msg("Forward")
REPLAY = msg("Replay")
MAKE_OFFER = msg("Make an offer")
PLAN = msg("Plan")
LEARN = msg("Learn")

# The lobby
UNREACHABLE = msg(
    "I can't send direct messages to {name}. Secrets are under **My hand**. To get them as "
    "messages, allow direct messages from members of this server."
)
GO_TO_TABLE = msg("Go to table")
STARTED = msg("The game begins: {players} are playing {game}.")

# Turns
NOT_YOUR_TURN = msg("It's not your turn.")
NO_PICTURE = msg("I couldn't draw the board this time. **Board** shows it as text.")
GAME_OVER = msg("The game is over.")
RESIGNED = msg("{name} resigns. A computer player takes the seat.")
REMATCH_OF = msg("🔁 This is a rematch of table {table}, {place}.")
ABANDONED = msg("The table is closed and the game stays unfinished.")
COMPUTER_NAMES = {
    "random": msg("Computer {number}"),
    "easy": msg("Easy {number}"),
    "normal": msg("Normal {number}"),
    "strong": msg("Strong {number}"),
}
"""The names of computer players by level."""

RESTS = msg(
    "💤 Only computers are playing now, so the game has stopped. To play again, press "
    "**Resume** or make a move."
)
IDLE = msg(
    "💤 No one has moved here for three weeks. Without a move, this table falls asleep on "
    "{at}. One press wakes it up again."
)

# The rules
AROUND_TITLE = msg("Around the table")
WHICH_GAME = msg("Which game?")

# Status
NO_ONE_TO_ACT = msg("It's no one's turn.")

POLICIES = {
    "random": msg("plays any legal move"),
    "easy": msg("easy"),
    "normal": msg("normal"),
    "strong": msg("strong, thinks ahead"),
}
"""The levels of computer players by policy."""

POLICY_NOTES = POLICIES | {
    "easy": msg("makes mistakes"),
    "normal": msg("computer player"),
    "strong": msg("thinks ahead"),
}
"""The notes on computer players in the lobby; some names already include the level."""

UNRATED = msg("unrated")
"""The mark of tables that don't count for ratings."""

STATUSES = {
    "lobby": msg("waiting for players"),
    "playing": msg("being played"),
    "paused": msg("paused"),
    "sleeping": msg("asleep"),
    "finished": msg("finished"),
    "abandoned": msg("closed, unfinished"),
}
"""The states of a table."""


ORDERS = {
    "decline": msg("Decline all offers"),
    "end": msg("End my turn when there's nothing left to do"),
}
"""Standing orders of all games."""


class LobbySeat(NamedTuple):
    """A taken seat in the lobby. `policy` is None for people.

    `record` is the person's reliability in words, if the table shows it.
    """

    name: Name
    policy: str | None = None
    reachable: bool = True
    host: bool = False
    record: str = ""


def lobby(
    words: Words,
    *,
    tagline: str,
    seated: Sequence[LobbySeat],
    seats: tuple[int, ...],
    options: str,
) -> str:
    """Return the body of a lobby message, in markdown.

    `seats` has the possible numbers of players; `options` is a line of text.
    """
    lines = [f"*{tagline}*", ""]
    lines += [f"{number}. {_seat_line(words, seat)}" for number, seat in enumerate(seated, 1)]
    if not seated:
        lines.append(words("No one has joined yet."))
    lines.append("")
    missing, free = min(seats) - len(seated), max(seats) - len(seated)
    if missing > 0:
        lines.append(
            words.plural(
                "You need {count} more player to start.",
                "You need {count} more players to start.",
                missing,
            )
        )
    elif free > 0:
        free_seats = words.plural(
            "{count} more player can join.", "{count} more players can join.", free
        )
        lines.append(free_seats + " " + words("Any player at the table can start."))
    else:
        lines.append(words("The table is full. Any player at it can start."))
    lines.append(options)
    return "\n".join(lines)


def _seat_line(words: Words, seat: LobbySeat) -> str:
    notes = []
    if seat.host:
        notes.append(words("host"))
    if seat.policy in POLICY_NOTES:
        notes.append(words(POLICY_NOTES[seat.policy]))
    if seat.record:
        notes.append(seat.record)
    if not seat.reachable:
        notes.append(words("direct messages off"))
    return bold(seat.name) + (f" ({', '.join(notes)})" if notes else "")


def card(text: AnyGameWords, seats: tuple[int, ...]) -> str:
    """Return the description of a game for choosing one, in markdown."""
    players = text.words("{least}–{most} players", least=min(seats), most=max(seats))
    title = bold(text.words(text.title))
    return "\n".join([title, text.tagline, f"-# {players} · {text.effort}"])


def level_of(typed: str) -> str:
    """Return the level with a typed name in any language, also after the option's name
    ("level:easy"). Return the typed text if there is none."""
    wanted = fold(typed.rpartition(":")[2]).strip()
    for words in all_words():
        for policy, label in POLICIES.items():
            name = fold(words(label))
            if wanted in (policy, name, name.partition(",")[0]):
                return policy
    return typed


def changed(words: Words, option: str, before: str, after: str) -> str:
    """Return a sentence on the change of a setting; plain."""
    message = (
        msg("Nothing changed. {option}: {after}.")
        if before == after
        else msg("{option}: {before} → {after}.")
    )
    return words(message, option=option, before=before, after=after)


def computer_name(words: Words, policy: str, number: int) -> str:
    """Return the name of a table's `number`-th computer player of a level, from 1; plain."""
    return words(COMPUTER_NAMES.get(policy, COMPUTER_NAMES["random"]), number=number)


def policy_label(words: Words, policy: str) -> str:
    """Return the level of computer player for a select or an option; plain."""
    known = POLICIES.get(policy)
    return words(known) if known else policy


def to_act_line(words: Words, to_act: Sequence[str]) -> str:
    """Return a line with the players to act, each in the game's words ("Anna to bid")."""
    if not to_act:
        return words(NO_ONE_TO_ACT)
    return words("Waiting for {who}.", who=words.listing(to_act))


def table_line(
    words: Words,
    *,
    table: int,
    game: str,
    status: str,
    unrated: bool = False,
    place: str | None,
    to_act: Sequence[str],
) -> str:
    """Return the entry of a table in a list; `place` is a mention of its channel or thread."""
    line = words(
        "**Table {table}** · {game}, {status}",
        table=table,
        game=game,
        status=words(STATUSES[status]),
    )
    if unrated:
        line += f" · {words(UNRATED)}"
    if place:
        line += f" · {place}"
    if to_act:
        line += "\n" + to_act_line(words, to_act)
    return line


def noted(words: Words, notes: str) -> str:
    """Return a player's notes as a quotation below a title."""
    lines = [f"> {line}" for line in Written(notes).lines.splitlines()]
    return "\n".join([words("📝 **Your notes** – only you can see them"), *lines])


def invited(words: Words, name: Name, table: int, place: str, others: Sequence[str] = ()) -> str:
    """Return the invitation to a rematch; `others` are mentions or names."""
    facts = {"name": bold(name), "table": table, "place": place}
    if not others:
        return words("🔁 {name} wants a rematch. Table {table} is open in {place}.", **facts)
    return words(
        "🔁 {name} wants a rematch. Table {table} in {place} is waiting for {others}.",
        **facts,
        others=words.listing(others),
    )


def help_text(words: Words) -> str:
    """Return an introduction for newcomers, in markdown."""
    return "\n".join(
        (
            words(
                "`/game new` opens a table. Others press **Join**, then anyone presses **Start**."
            ),
            words("**Options** changes the rules of the game until it starts."),
            words("When it's your turn, press **Take your turn** and follow the buttons."),
            words("`/game hand` shows your hand, only to you."),
            words("`/game board` shows the board, as a picture or as text."),
            words("You can also type moves: `/` and the name of the game."),
            words("`/game undo` undoes your last action, or asks everyone to go back further."),
            words("`/game hint` shows what a strong player would do."),
            words("`/game status` shows whose turn it is and since when."),
            words(
                "`/learn` teaches a game in short lessons. `/rules` explains it: choose a chapter "
                "or search for any word."
            ),
            words(
                "`/game log` and `/game replay` show what happened. `/game review` finds "
                "the turning points."
            ),
            words(
                "`/game promises` lists the promises made with offers and whether they were kept."
            ),
            words("`/game mine` lists your tables. Commands accept a table number."),
            words(
                "`/find` finds people to play with. `/cup show` lists this server's cups and "
                "leagues."
            ),
            words("`/me show` lists your settings: notifications, quiet hours, language and more."),
            words("`/table note` keeps private notes. `/table rematch` starts another game."),
            words("`/me away` tells your tables that you're away and stops your clocks."),
            words("`/seat autopilot` lets a computer player play for you until you're back."),
            words("`/seat orders` answers simple questions for you."),
            words("`/game pause` asks everyone for a break. `/game resume` continues the game."),
            words("`/game resign` gives your seat to a computer player. Anyone may take it over."),
            words("`/seat claim` takes over a free seat. `/seat replace` asks to free one."),
            words("`/game abandon` ends a game unfinished. `/game export` gives it as a file."),
            words(
                "`/stats` and `/leaderboard` show who wins. `/table options` shows a "
                "table's options."
            ),
            words("Anyone who can read the channel can watch."),
        )
    )
