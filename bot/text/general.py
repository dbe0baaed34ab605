"""What the bot says in any game: the lobby, the panels, the turn, status and help.

Constants are messages for a `Words` (``words(general.JOINED, name=...)``); the functions put
several of them together. Buttons are plain text of at most 80 characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.text.folding import fold
from bot.text.game_words import AnyGameWords
from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Words, all_words, forms, msg

# Buttons of the lobby
JOIN = msg("Join")
LEAVE = msg("Leave")
ADD_COMPUTER = msg("Add a computer player")
REMOVE_COMPUTER = msg("Remove a computer player")
OPTIONS = msg("Options")
START = msg("Start")

KEEP_OPEN = msg("Keep this table open")
BASIC_OPTIONS = msg("Basic options")
ADVANCED_OPTIONS = msg("Advanced options")

# The choice of a game
NEW_GAME = msg("New game")
PLAY_GAME = msg("Play {game}")
COVER = msg("Part of the board of {game}")
PLAYERS = msg("{least}–{most} players")

# Buttons of a table
TAKE_TURN = msg("Take your turn")
MY_HAND = msg("My hand")
BOARD = msg("Board")
STATUS = msg("Whose turn is it?")
TEXT_BOARD = msg("Board as text")
LOG = msg("Log")
RULES = msg("Rules")
RULES_ON = msg("Rules: {topic}")
CHAPTERS = msg("Another chapter…")
EXPLAIN = msg("Explain my first turn")
EXPLAIN_NO_MORE = msg("Stop explaining")
CONFIRM = msg("Confirm")
BACK = msg("Back")
ALL_ACTIONS = forms("All {count} action…", "All {count} actions…")
TYPE_IT = msg("Type it")
ANSWER_OFFER = msg("Answer the offer")
MAKE_OFFER = msg("Make an offer")
UNTOLD = forms("Show {count} more event", "Show {count} more events")
CHOOSE = msg("Choose…")
CHOOSE_PIECES = msg("Choose one by one…")

# Forms
TYPE_TITLE = msg("Type your choice")
TYPE_HINT = msg("e.g. {example}")

# The lobby
OPENED = msg("You've opened table {table} ({game}).")
JOINED = msg("You've joined table {table}.")
LEFT = msg("You've left the table.")
COMPUTER_JOINED = msg("{name} (computer player) has joined.")
COMPUTER_LEFT = msg("{name} (computer player) has left.")
_CHANGED = msg("{option}: {before} → {after}.")
_UNCHANGED = msg("Nothing changed. {option}: {after}.")
LOBBY_CLOSES = msg(
    "⏳ Nothing has happened here for two weeks. This table closes {when}. To keep it, a "
    "player at it can press **Keep this table open** or change anything."
)
LOBBY_CLOSED = msg("Closed: nothing happened here for {days} days.")
OPTIONS_STAY = msg("The game has started, so its options can't change.")
UNREACHABLE = msg(
    "I can't send direct messages to {name}. Secrets are under **My hand**. To get them as "
    "messages, allow direct messages from members of this server."
)
WELCOME_DM = msg("You've joined table {table} ({game}). Your private information will arrive here.")
THREAD_NAME = msg("{game} · table {table}")
THREAD_HERE = msg("The game is in {thread}.")
GO_TO_TABLE = msg("Go to table")
GAME_OVER_THERE = msg("The game is over: {link}")
NO_LONGER_OPEN = msg("Closed")
NO_THREAD = msg("I can't create threads here, so we'll play in this channel.")
COMMITMENT = msg("Fairness check (hash): `{hash}`")
KEY_REVEALED = msg(
    "Fairness check (key): `{key}`. Use the file from `/game export` to verify every draw."
)
KEY_OF_PLAYERS = msg(
    "The players of this game can get the file to verify every draw with `/game export`."
)
STARTED = msg("The game begins: {players} are playing {game}.")

# Turns
NOT_ASKED = msg("It's not your turn.")
ALREADY_DONE = msg("That has already been done.")
CONFIRM_ACTION = msg("{action}?")
STILL_TO_CHOOSE = msg("So far: {action}.")
HAND_TITLE = msg("Your hand · table {table}")
LIT = msg("Marked choices: {names}.")
BOARD_TITLE = msg("{game} · table {table}")
NO_PICTURE = msg("I couldn't draw the board this time. **Board** shows it as text.")
GAME_OVER = msg("The game is over.")
OVER_FOR = msg("🏁 {players}, the game is over.")
RESIGNED = msg("{name} resigns. A computer player takes the seat.")
ABANDONED = msg("The table is closed and the game stays unfinished.")
EXPORTED_WHOLE = msg(
    "Table {table}: the complete game, with the key of its draws. `python -m bot verify "
    "FILE` checks every draw."
)
EXPORTED_OF_PLAYERS = msg(
    "Table {table}: what you know of the game. It was abandoned, so only its players get "
    "the complete file."
)
EXPORTED_SEEN = msg(
    "Table {table}: what you know of the game so far. Once it's over, the same command "
    "gives the complete file."
)
LOG_EMPTY = msg("Nothing has happened yet.")
THINKING = msg("{name} is thinking…")
COMPUTER_NAME = msg("Computer {number}")
COMPUTER_NAMES = {
    "easy": msg("Easy {number}"),
    "normal": msg("Normal {number}"),
    "strong": msg("Strong {number}"),
}
"""What computer players are called, by their level."""

# The rules
AROUND_TITLE = msg("Around the table")
RULINGS_TITLE = msg("Rulings {first}–{last}")
WHICH_GAME = msg("Which game?")
SEARCHED = msg("In the rules of {game}, “{typed}” appears in:")
NOT_IN_THE_RULES = msg(
    "The rules of {game} don't mention “{typed}”. Try another word, or choose a chapter."
)

# Status
NO_TABLES = msg("You aren't playing at any table. `/game new` opens one.")
WAITING_SINCE = msg("{who} · waiting since {date} ({relative})")
NOBODY_AWAITED = msg("It's no one's turn.")

POLICIES = {
    "random": msg("plays any legal move"),
    "easy": msg("easy"),
    "normal": msg("normal"),
    "strong": msg("strong, thinks ahead"),
}
"""The levels of computer player, by the name of their policy."""

POLICY_NOTES = POLICIES | {
    "easy": msg("makes mistakes"),
    "normal": msg("computer player"),
    "strong": msg("thinks ahead"),
}
"""What the lobby says of them beside their names, in which some levels are told already."""

STATUSES = {
    "lobby": msg("waiting for players"),
    "playing": msg("being played"),
    "paused": msg("paused"),
    "sleeping": msg("asleep"),
    "finished": msg("finished"),
    "abandoned": msg("closed, unfinished"),
}
"""The states of a table's life."""

_FREE_SEATS = forms("{count} more player can join.", "{count} more players can join.")
_NEEDED_SEATS = forms(
    "You need {count} more player to start.", "You need {count} more players to start."
)


class LobbySeat(NamedTuple):
    """A taken seat as the lobby shows it; `policy` is a computer player's, None for people."""

    name: Name
    policy: str | None = None
    reachable: bool = True
    host: bool = False


def lobby(
    words: Words,
    *,
    tagline: str,
    seated: Sequence[LobbySeat],
    seats: tuple[int, ...],
    options: str,
) -> str:
    """The body of a lobby message: who is seated, how many may join, what is played. Markdown.

    `seats` lists the possible numbers of players, `options` is the options in one line.
    """
    lines = [f"*{tagline}*", ""]
    lines += [f"{number}. {_seat_line(words, seat)}" for number, seat in enumerate(seated, 1)]
    if not seated:
        lines.append(words("No one has joined yet."))
    lines.append("")
    missing, free = min(seats) - len(seated), max(seats) - len(seated)
    if missing > 0:
        lines.append(words.plural(*_NEEDED_SEATS, missing))
    elif free > 0:
        free_seats = words.plural(*_FREE_SEATS, free)
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
    if not seat.reachable:
        notes.append(words("direct messages off"))
    return bold(seat.name) + (f" ({', '.join(notes)})" if notes else "")


def card(text: AnyGameWords, seats: tuple[int, ...]) -> str:
    """What somebody reads of a game before they choose it. Markdown."""
    players = text.words(PLAYERS, least=min(seats), most=max(seats))
    title = bold(text.words(text.title))
    return "\n".join([title, text.tagline, f"-# {players} · {text.effort}"])


def level_of(typed: str) -> str:
    """The level of computer player that somebody means by its name in any language, also behind
    the name of the option ("level:easy"); what they typed where it is none."""
    wanted = fold(typed.rpartition(":")[2]).strip()
    for words in all_words():
        for policy, label in POLICIES.items():
            name = fold(words(label))
            if wanted in (policy, name, name.partition(",")[0]):
                return policy
    return typed


def changed(words: Words, option: str, before: str, after: str) -> str:
    """What has become of a setting; plain."""
    said = _UNCHANGED if before == after else _CHANGED
    return words(said, option=option, before=before, after=after)


def computer_name(words: Words, policy: str, number: int) -> str:
    """The name of the table's computer player of that level with this number, counted from 1;
    plain."""
    return words(COMPUTER_NAMES.get(policy, COMPUTER_NAME), number=number)


def policy_label(words: Words, policy: str) -> str:
    """A kind of computer player, for a select or an option; plain."""
    known = POLICIES.get(policy)
    return words(known) if known else policy


def awaited_line(words: Words, awaited: Sequence[str]) -> str:
    """Who is awaited, each in the game's words ("Anna to bid"), in one line."""
    if not awaited:
        return words(NOBODY_AWAITED)
    return words("Waiting for {who}.", who=words.listing(awaited))


def table_line(
    words: Words, *, table: int, game: str, status: str, place: str | None, awaited: Sequence[str]
) -> str:
    """One table in a list of tables; `place` is a mention of its channel or thread."""
    line = words(
        "**Table {table}** · {game}, {status}",
        table=table,
        game=game,
        status=words(STATUSES[status]),
    )
    if place:
        line += f" · {place}"
    if awaited:
        line += "\n" + awaited_line(words, awaited)
    return line


def help_text(words: Words) -> str:
    """What a newcomer needs to know, in a few lines. Markdown."""
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
            words("`/rules` explains the game: choose a chapter or search for any word."),
            words(
                "`/game log` and `/game replay` show what happened. `/game review` finds "
                "the turning points."
            ),
            words(
                "`/game promises` lists the promises made with offers and whether they were kept."
            ),
            words("`/game mine` lists your tables. Commands accept a table number."),
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
