"""Messages for what cannot be done around the game: tables, seats, presses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.game.contract import Fact
from bot.text.markup import moment
from bot.text.user_text import said_again
from bot.text.words import Message, Words, msg

ERRORS: Mapping[str, Message] = {
    # The codes of bot.tables.core.errors
    "unknown_table": msg("That table no longer exists. `/game new` opens one."),
    "not_started": msg(
        "This game has not started. Anybody at the table can press **Start** once "
        "everyone is there."
    ),
    "already_started": msg(
        "This game has started, so its players and options are fixed. `/game new` "
        "opens another table."
    ),
    "table_paused": msg(
        "The game is paused, so nobody can act. `/game resume` asks the others to go on."
    ),
    "table_asleep": msg(
        "This table is asleep. Press **Go on**, or use `/game resume`, to wake it."
    ),
    "seat_taken": msg("No seat is free there. `/game status` tells which ones can be taken over."),
    "not_late": msg(
        "{name} has not kept you waiting for long. You can propose that after {hours} hours."
    ),
    "already_autopiloted": msg(
        "A computer player already plays for {name}. `/seat replace` asks the others to free the "
        "seat."
    ),
    "bad_day": msg(
        "I cannot use “{typed}” as a day. Type one like 24.12. or 2026-12-24, from "
        "today to 90 days ahead, or off."
    ),
    "table_over": msg(
        "This game is over, so nothing more can be done at its table. `/game new` opens another."
    ),
    "table_damaged": msg(
        "The log of this table does not match the rules, so I leave it as it is. "
        "Please tell whoever runs this bot. Other tables go on."
    ),
    "rules_changed": msg(
        "This game began under rules version {version}, which I do not have: mine is {now}. "
        "`/game export` still gives you its record, all of it after `/game abandon`."
    ),
    "title_gone": msg(
        "I do not have the rules of this game ({game}). "
        "`/game export` still gives you its record, all of it after `/game abandon`."
    ),
    "other_rules": msg(
        "The game in this file is of rules version {version}, which I do not have: mine is {now}."
    ),
    "not_seated": msg(
        "You are not playing at this table. You can watch; `/game new` opens your own."
    ),
    "not_your_seat": msg(
        "That is somebody else's seat. Your own moves are under **Take your turn**."
    ),
    "not_autopiloted": msg(
        "No computer player is playing for you here. Only a seat's own player can take it over "
        "again."
    ),
    "already_seated": msg("You already sit at this table."),
    "table_full": msg("This table is full. `/game new` opens another one."),
    "too_few_seats": msg(
        "The game needs at least {needed} players, and {seats} are here. "
        "Wait for more, or add a computer player."
    ),
    "no_computer": msg("There is no computer player in that seat."),
    "unknown_game": msg("I do not know that game. Choose one from the list."),
    "unknown_option": msg("This game has no such option or value. Choose from the list."),
    "unknown_policy": msg("There is no such computer player. Choose one from the list."),
    "not_host": msg("Only whoever opened the table may do that. Please ask them."),
    "stale_decision": msg("The table has moved on meanwhile. Here is where it stands now."),
    "nothing_offered": msg("A promise goes with an offer. Make an offer, and add it there."),
    "promise_with_computer": msg(
        "{name} is a computer player and cannot read a promise. Make the offer without it."
    ),
    "promise_too_long": msg("A promise has at most {most} characters. Please shorten it."),
    "promise_unfinished": msg(
        "A promise goes with a whole offer: say in the same command what you give and what you "
        "get, with - for nothing."
    ),
    "promise_closed": msg(
        "That promise has been judged already. `/game promises` shows how they all stand."
    ),
    "not_your_promise": msg(
        "Only the player who was promised something can say whether it was kept. "
        "`/game promises` shows yours."
    ),
    "nothing_to_undo": msg("There is nothing to take back."),
    "not_yours_to_undo": msg("Somebody else has moved since. Use `/game undo` to ask everybody."),
    "barrier": msg(
        "You cannot take that back alone: something was drawn or revealed. Use "
        "`/game undo` to ask everybody."
    ),
    "another_proposal": msg("Another vote about this is still open. It has to end first."),
    "no_proposal": msg("That vote is over: it was decided, or its time ran out."),
    "unknown_zone": msg(
        "I do not know the time zone “{zone}”. Type a city of yours, such as Rome or Chicago, and "
        "choose from the list."
    ),
    "bad_setting": msg("There is no such setting. Choose from the list."),
    "bad_time": msg("I cannot use “{typed}” as a time. Type one like 22:30, or off."),
    "nothing_to_set": msg("Say what to set: choose one of the options of the command."),
    "not_over": msg("This game is not over yet. A rematch comes after it."),
    "rematch_open": msg("There is a rematch already: table {table}. Take a seat there."),
    "no_plan": msg("That plan is gone, or has changed since. Press **Plan** to see what there is."),
    "too_many_plans": msg("You can save {most} plans at a table. Delete one first."),
    "not_yet_armed": msg("It is your turn already: press **Play it**."),
    "note_too_long": msg(
        "Your notes at a table have at most {most} characters. Shorten them under **My notes**."
    ),
    "bad_server_setting": msg("That cannot be set: a limit goes to 1000, a list to 50 channels."),
    "not_a_game": msg(
        "I cannot read that file as a game. Give me the file from `/game export`, "
        "unchanged; it is smaller than 2 MB."
    ),
    "not_whole": msg(
        "That file holds only part of its game. Once a game is over, or all have "
        "agreed to `/game abandon`, `/game export` gives all of it."
    ),
    "does_not_fit": msg(
        "Entry {seq} of that file matches neither the rules nor the key of its "
        "draws, so I have imported nothing. Export the game again and give me the "
        "file unchanged."
    ),
    "channel_closed": msg("The owners of this server want tables in other channels: {channels}."),
    "too_many_tables": msg(
        "This server has as many open tables as it may have: {most}. When one ends "
        "there is room for another. Its owners set the number with `/server set`."
    ),
    "too_many_own": msg(
        "You have as many open tables here as one person may have: {most}. When one "
        "ends, or you end it with `/game abandon`, you can open another. `/game "
        "mine` lists them."
    ),
    "too_many_in_all": msg(
        "You have {most} open tables in all servers together, and one person may not "
        "have more. When one ends, or you end it with `/game abandon`, you can open "
        "another."
    ),
    "limit_too_high": msg(
        "Whoever runs this bot allows {most} at most. Choose a number up to that, or 0 for the "
        "usual {usual}."
    ),
    # Budgets: see bot.cogs.ui.budgets
    "many_pictures": msg(
        "You have asked for too many pictures in a short time. Please try again "
        "{when}; you can still play your turns."
    ),
    "many_pictures_here": msg(
        "Too many pictures have been asked for in this server. Please try again "
        "{when}; all games go on meanwhile."
    ),
    "many_tables": msg(
        "You have opened too many tables in a short time. You can open another {when}."
    ),
    "many_tables_here": msg(
        "Too many tables have been opened in this server in a short time. You can "
        "open another {when}."
    ),
    "many_imports": msg("You have given me too many files in a short time. Try again {when}."),
    "many_imports_here": msg(
        "I have been given too many files in this server in a short time. Try again {when}."
    ),
    "many_exports": msg("You have asked for too many files in a short time. Try again {when}."),
    "many_exports_here": msg(
        "Too many files have been asked for in this server in a short time. Try again {when}."
    ),
    "many_reports": msg("You have asked for too many reports in a short time. Try again {when}."),
    "many_reports_here": msg(
        "Too many reports have been asked for in this server in a short time. Try again {when}."
    ),
    "many_searches": msg(
        "You have looked up too many rules in a short time. Try again {when}, or use "
        "the buttons that lead from chapter to chapter."
    ),
    "many_searches_here": msg(
        "Too many rules have been looked up in this server in a short time. Try "
        "again {when}, or use the buttons that lead from chapter to chapter."
    ),
    "many_hints": msg(
        "You have asked for too many hints in a short time. Try again {when}; you can still play "
        "your turns."
    ),
    "many_hints_here": msg(
        "Too many hints have been asked for in this server in a short time. Try again {when}; all "
        "games go on meanwhile."
    ),
    "many_reviews": msg("You have had too many games reviewed in a short time. Try again {when}."),
    "many_reviews_here": msg(
        "Too many games have been reviewed in this server in a short time. Try again {when}."
    ),
    "review_not_over": msg(
        "This game is not over yet. `/game review` looks back on it after its end."
    ),
    "review_of_players": msg("This game was given up. Only its players can review it."),
    "review_no_mind": msg(
        "I cannot review games of {game} yet: none of my computer players thinks ahead in it."
    ),
    "nobody_thinks": msg(
        "I cannot review games at the moment: my computer players do not think ahead here. Whoever "
        "runs this bot can change that."
    ),
    "not_owner": msg("Only people who may manage this server can see or set that."),
    "store_unavailable": msg(
        "I cannot reach my records right now, so nothing has changed. Please try again in a moment."
    ),
    "saved": msg(
        "Done, it's saved. I can't show you the result right now, so please look again in a moment."
    ),
    "maybe_saved": msg(
        "I can't reach my records right now, so I don't know whether everything was saved. "
        "Please look again in a moment before you repeat it."
    ),
    "conflict": msg("Somebody moved at the same moment, so nothing has changed. Please try again."),
    # Presses, commands and places
    "stale": msg("That button is from an earlier moment of the game. Here is what you can do now."),
    "plan_changed": msg(
        "That button belongs to an earlier version of your plan. Press **Plan** to see it as it is."
    ),
    "foreign": msg("That button is for somebody else. Yours are under **Take your turn**."),
    "nothing_asked": msg(
        "You have nothing to do right now. `/game status` tells whose turn it is."
    ),
    "no_hints": msg(
        "This table plays without hints. **Options** in the lobby allows them before a game begins."
    ),
    "no_hints_game": msg("I cannot give hints in {game}: I have no strong player for it."),
    "no_thinkers": msg("I cannot think that through right now, so I have no hint for you."),
    "old_command": msg(
        "That command has changed since your app last looked. Restart the app, then try again."
    ),
    "unforeseen": msg(
        "Something went wrong on my side. `/game status` shows where the table "
        "stands; please go on from there."
    ),
    "old_button": msg("That button no longer works. `/game status` shows where it is your turn."),
    "no_close_up": msg(
        "In {game} the board shows everything about each player. Leave out the seat to see it."
    ),
    "no_such_seat": msg("Nobody at this table has that name. Its players are {names}."),
    "other_game": msg("That table plays another game, {game}. Use its own commands."),
    "too_long": msg("That is too much for a button. Please use the command instead."),
    "typed_too_long": msg("That is too long. Please use at most {most} characters."),
    "too_slow": msg("That took too long, so nothing has changed. Please try again."),
    "unfinished": msg(
        "This is taking too long, so I have stopped waiting. It may still go through: "
        "`/game status` shows where the table stands. Look there before you try again."
    ),
    "no_table_here": msg("There is no table in this channel. `/game new` opens one."),
    "which_table": msg("Which table do you mean? Choose one in the option `table`: {tables}."),
    "no_permission": msg(
        "I cannot post there. Please allow me to view the channel, send messages and attach files."
    ),
    "dm_blocked": msg(
        "I cannot send you direct messages, so find your secrets under **My hand**. "
        "To get them as messages, allow direct messages from members of this server."
    ),
    "not_in_server": msg("That works only in a server's channel."),
    "against_oneself": msg("Nobody plays against themselves. Choose two different people."),
    # What only a game's own texts can explain better
    "not_a_choice": msg("That is not one of the choices. Choose from the list."),
    "unreadable": msg("I cannot read that. Choose from the list."),
}

FAULTS = frozenset(
    {
        "table_damaged",
        "rules_changed",
        "title_gone",
        "store_unavailable",
        "conflict",
        "old_command",
        "no_thinkers",
        "unforeseen",
        "too_slow",
        "unfinished",
        "saved",
        "maybe_saved",
    }
)
"""Codes of the bot's own failures, which are not refusals."""
DENIALS = frozenset({"store_unavailable", "conflict", "unforeseen", "too_slow"})
"""Those that say, or leave open, that nothing was done."""


def error(words: Words, code: str, facts: Mapping[str, Fact] | None = None) -> str:
    """The message of a code, with its facts. An unknown code has a message saying so.

    A fact may be what somebody typed, so all are escaped; ``channels`` are numbers of channels,
    ``when`` is a time in seconds since 1970.
    """
    message = ERRORS.get(code)
    if message is None:
        return words("That is not possible now ({code}).", code=code)
    return words(
        message, **{name: _said(words, name, value) for name, value in (facts or {}).items()}
    )


def _said(words: Words, name: str, value: Fact) -> str:
    match value:
        case tuple() if name == "channels":
            return words.listing([f"<#{channel}>" for channel in value])
        case tuple():
            return words.listing([_said(words, name, item) for item in value])
        case int() if name == "when":
            return moment(datetime.fromtimestamp(value, UTC))["relative"]
        case str():
            return said_again(value)
    return str(value)
