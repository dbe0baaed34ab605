"""Error messages about tables, seats, buttons and commands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.game.contract import Fact
from bot.text.markup import moment
from bot.text.user_text import escape_typed
from bot.text.words import Forms, Message, Words, msg

ERRORS: Mapping[str, Message] = {
    # Codes of bot.tables.core.errors
    "unknown_table": msg(
        "That table or lesson no longer exists. Open a new table with `/game new`, or choose a "
        "lesson with `/learn`."
    ),
    "not_started": msg(
        "This game hasn't started. Once everyone is there, any player at the table can "
        "press **Start**."
    ),
    "already_started": msg(
        "This game has started, so its players and options can't change. Open another table "
        "with `/game new`."
    ),
    "table_paused": msg("The game is paused. `/game resume` asks the others to continue."),
    "table_asleep": msg(
        "This table is asleep. Press **Resume** or use `/game resume` to wake it up."
    ),
    "seat_taken": msg(
        "There's no free seat there. `/game status` shows which seats you can take over."
    ),
    "not_late": msg(
        "{name} hasn't kept you waiting long enough. You can propose that after {hours} hours."
    ),
    "already_autopiloted": msg(
        "A computer player already plays for {name}. `/seat replace` asks the others to free the "
        "seat."
    ),
    "bad_day": msg(
        "“{typed}” isn't a date I can use. Type one like 24.12. or 2026-12-24, up to 90 "
        "days ahead, or “off”."
    ),
    "table_over": msg("This game is over. Open another table with `/game new`."),
    "table_damaged": msg(
        "This table's log doesn't match the rules, so the game is stopped here. Please tell "
        "whoever runs this bot. Other tables aren't affected."
    ),
    "rules_changed": msg(
        "This game needs rules version {version}, but I only have {now}. `/game export` "
        "still gives you its file; the complete one only after `/game abandon`."
    ),
    "title_gone": msg(
        "I don't have the rules of this game ({game}). `/game export` still gives you its "
        "file; the complete one only after `/game abandon`."
    ),
    "other_rules": msg(
        "The game in this file needs rules version {version}, but I only have {now}."
    ),
    "not_seated": msg(
        "You aren't playing at this table, but you can watch. Open your own with `/game new`."
    ),
    "not_your_seat": msg(
        "That's someone else's seat. Your own moves are under **Take your turn**."
    ),
    "not_autopiloted": msg(
        "No computer player is playing for you here. Only a seat's own player can take it back."
    ),
    "not_to_act": msg("It isn't {name}'s turn, so there's nothing to play for them now."),
    "no_clock": msg("No clock is running for {name}, so there's nothing to extend."),
    "own_clock": msg(
        "You can't extend your own time. Ask a moderator, or the host if that isn't you."
    ),
    "not_referee": msg("Only the host of this table or a moderator can do that. Please ask them."),
    "computer_host": msg("{name} is a computer player. Choose a person at this table."),
    "no_record": msg(
        "This table looks at your results here, but your statistics are off. `/me set "
        "statistics:` turns them on."
    ),
    "unreliable": msg(
        "This table is for players who finish at least {least}% of their games. You've finished "
        "{finished}% of your last games here. Join another table, or open one with `/game new`."
    ),
    "too_many_unfinished": msg(
        "Here you need to finish games before you open more: at most {most} more open tables than "
        "finished games in this server. You already have {open} open and {finished} finished. "
        "Finish one first."
    ),
    "already_seated": msg("You're already at this table."),
    "table_full": msg("This table is full. Open another one with `/game new`."),
    "too_few_seats": msg(
        "You need at least {needed} players, but only {seats} are here. Wait for more or "
        "add a computer player."
    ),
    "no_computer": msg("There's no computer player in that seat."),
    "unknown_game": msg("I don't know that game. Choose one from the list."),
    "unknown_option": msg("This game has no such option or value. Choose from the list."),
    "unknown_policy": msg("There's no such computer player. Choose one from the list."),
    "not_host": msg("Only the host of this table can do that. Please ask them."),
    "stale_decision": msg("The game has moved on in the meantime. Here's the current state."),
    "nothing_offered": msg("Promises belong to an offer. Make an offer and add the promise there."),
    "promise_with_computer": msg(
        "{name} is a computer player and can't read promises. Make the offer without one."
    ),
    "promise_too_long": msg("A promise can have at most {most} characters. Please shorten it."),
    "promise_unfinished": msg(
        "To add a promise, give the whole offer in the same command: what you give and what "
        "you get, or - for nothing."
    ),
    "promise_closed": msg(
        "That promise has already been judged. `/game promises` shows all of them."
    ),
    "not_your_promise": msg(
        "Only the player who received the promise can say whether it was kept. `/game "
        "promises` shows yours."
    ),
    "nothing_to_undo": msg("There's nothing to undo."),
    "not_yours_to_undo": msg("Someone else has moved since. `/game undo` asks everyone."),
    "barrier": msg(
        "You can't undo that alone, because something was drawn or revealed. `/game undo` "
        "asks everyone."
    ),
    "another_proposal": msg("There's already a vote about this. Wait until it ends."),
    "no_proposal": msg("That vote is over."),
    "unknown_zone": msg(
        "I don't know the time zone “{zone}”. Type a city such as Rome or Chicago and "
        "choose from the list."
    ),
    "bad_setting": msg("There's no such setting. Choose from the list."),
    "bad_time": msg("“{typed}” isn't a time I can use. Type one like 22:30, or “off”."),
    "nothing_to_set": msg("Nothing to set. Choose at least one of the command's options."),
    "not_over": msg("This game isn't over yet. You can ask for a rematch afterwards."),
    "rematch_open": msg("There's already a rematch: table {table}. Join it there."),
    "no_plan": msg("That plan is gone or has changed. Press **Plan** to see what you have."),
    "own_table": msg(
        "You play at this table yourself: `/game mine` lists it. Choose another one under `table`."
    ),
    "wrong_seats": msg("Possible numbers of players: {seats}. Choose one of these."),
    "watches_already": msg(
        "You already have a game to watch. End it with `/game abandon`, or wait until it's over."
    ),
    "too_many_watched": msg(
        "This server already has {most} games to watch. Wait until one is over."
    ),
    "has_played": msg(
        "You have or had a seat in this game, so you can't predict its result. Choose a table "
        "where you only watch."
    ),
    "no_predictions": msg(
        "This game began from a file or a position, so it has no predictions. Choose another table."
    ),
    "predictions_closed": msg(
        "A third of the game is over, so predictions are closed. `/table predict` without options "
        "shows them."
    ),
    "incomplete_prediction": msg(
        "A prediction needs a winner and a margin. Please fill in both `winner` and `by`."
    ),
    "too_many_predictions": msg("This table already has {most} predictions. Choose another table."),
    "too_many_followed": msg(
        "You already follow {most} tables. Press **Unfollow** at one in `/game mine` first."
    ),
    "too_many_pinged": msg(
        "I already message {most} people about this table. Leave out `pings` to follow it without "
        "messages."
    ),
    "too_many_plans": msg("You can save {most} plans at a table. Delete one first."),
    "not_yet_armed": msg("It's already your turn: press **Play it**."),
    "note_too_long": msg(
        "Your notes at a table can have at most {most} characters. Shorten them under **My notes**."
    ),
    "whisper_to_computer": msg("That's a computer player. You can whisper only to people."),
    "whisper_to_oneself": msg("That's you. For notes to yourself, use `/table note`."),
    "whisper_to_absent": msg("They've left this game, so you can't answer them here."),
    "bad_whisper": msg("A whisper needs some text, at most {most} characters."),
    "too_many_whispers": msg("You've reached the limit of {most} whispers at this table."),
    "no_whisper": msg("That whisper is gone. `/table whispers` shows yours."),
    "whispers_not_over": msg("You can publish your whispers once the game is over."),
    "bad_webhook": msg(
        "I can't use that address. Type one that begins with https://, without a user name or "
        "password, like https://example.org/path."
    ),
    "webhook_not_found": msg("I can't find that address. Check its spelling, or try again later."),
    "webhook_not_public": msg(
        "That address belongs to a private network. Use one that the public internet can reach."
    ),
    "bad_server_setting": msg(
        "That value isn't allowed: limits go up to 1000 and lists up to 50 channels."
    ),
    "no_position": msg(
        "That only works from a turn before the last, in a finished game or an abandoned one you "
        "played in. Choose an earlier turn in `/game replay`."
    ),
    "not_a_game": msg(
        "I can't read a game from that file. Use the file from `/game export` or **Save "
        "position**, unchanged and under 2 MB."
    ),
    "not_whole": msg(
        "That file holds only part of its game. `/game export` gives the complete file once "
        "the game is over or everyone has agreed to `/game abandon`."
    ),
    "does_not_fit": msg(
        "Entry {seq} of that file doesn't match the rules or the key of its draws, so "
        "nothing was imported. Export the game again and use the file unchanged."
    ),
    "no_lessons": msg(
        "I have no lessons for {game}. `/learn` lists the games that have some; `/rules` explains "
        "them all."
    ),
    "in_lesson": msg("You can't do that in a lesson. `/game new` opens a table for a whole game."),
    "channel_closed": msg("This server allows tables only in these channels: {channels}."),
    "too_many_tables": msg(
        "This server has reached its limit of {most} open tables. Wait until one ends. The "
        "server's owners can change the limit with `/server set`."
    ),
    "too_many_own": msg(
        "You've reached the limit of {most} open tables here. Finish one or end it with "
        "`/game abandon` first. `/game mine` lists them."
    ),
    "too_many_in_all": msg(
        "You've reached the limit of {most} open tables across all servers. Finish one or "
        "end it with `/game abandon` first."
    ),
    "limit_too_high": msg(
        "This bot allows at most {most}. Choose a lower number, or 0 for the default of {usual}."
    ),
    # Cups
    "no_cup": msg("There's no such cup here. `/cup show` lists this server's cups."),
    "not_in_text_channel": msg(
        "That only works in a text channel of a server, as each table gets a thread there."
    ),
    "not_cup_manager": msg(
        "Only the organiser of a cup, or someone who can manage this server or its events, can do "
        "that."
    ),
    "too_many_cups": msg(
        "This server has {most} open cups, the most it can have. Wait until one ends, or end one "
        "with `/cup cancel`."
    ),
    "cup_seats": msg("This game has tables of up to {seats} players. Choose a smaller number."),
    "cup_open": msg("The options can't change any more: someone has joined the cup."),
    "cup_over": msg("This cup is over. `/cup show` lists this server's cups."),
    "cup_started": msg("This cup has started. `/cup show` lists this server's cups."),
    "cup_not_over": msg("This cup isn't over yet. Its file comes with the key at the end."),
    "cup_full": msg("The waiting list of this cup is full. Try again when someone has left."),
    "cup_too_small": msg("A cup needs at least {needed} players to start. Wait for more to join."),
    "in_cup": msg("You're already in this cup."),
    "not_in_cup": msg("That only works for people who are in this cup."),
    "not_in_round": msg("That table isn't part of the cup's current round, or its game is over."),
    "not_at_table": msg("Name different people of this cup who play at that table."),
    # Budgets of bot.cogs.ui.budgets
    "many_pictures": msg(
        "You've asked for too many pictures. Try again {when}; you can still play your turns."
    ),
    "many_pictures_here": msg(
        "Too many pictures were requested on this server. Try again {when}; you can still "
        "play your turns."
    ),
    "many_tables": msg("You've opened too many tables. You can open another {when}."),
    "many_tables_here": msg(
        "Too many tables were opened on this server. You can open another {when}."
    ),
    "many_imports": msg("You've uploaded too many files. Try again {when}."),
    "many_imports_here": msg("Too many files were uploaded on this server. Try again {when}."),
    "many_exports": msg("You've asked for too many files. Try again {when}."),
    "many_exports_here": msg("Too many files were requested on this server. Try again {when}."),
    "many_reports": msg("You've asked for too many reports. Try again {when}."),
    "many_reports_here": msg("Too many reports were requested on this server. Try again {when}."),
    "many_searches": msg(
        "You've looked up too many rules. Try again {when}, or use the chapter buttons."
    ),
    "many_searches_here": msg(
        "Too many rules were looked up on this server. Try again {when}, or use the chapter "
        "buttons."
    ),
    "many_hints": msg(
        "You've asked for too many hints. Try again {when}; you can still play your turns."
    ),
    "many_hints_here": msg(
        "Too many hints were requested on this server. Try again {when}; you can still play "
        "your turns."
    ),
    "many_reviews": msg("You've asked for too many reviews. Try again {when}."),
    "many_reviews_here": msg("Too many reviews were requested on this server. Try again {when}."),
    "many_films": msg("You've asked for too many films. Try again {when}."),
    "many_films_here": msg("Too many films were requested on this server. Try again {when}."),
    "many_pages": msg("You've saved too many replays. Try again {when}."),
    "many_pages_here": msg("Too many replays were saved on this server. Try again {when}."),
    "many_webhooks": msg("You've set too many web addresses. Try again {when}."),
    "many_webhooks_here": msg("Too many web addresses were set on this server. Try again {when}."),
    "many_lessons": msg("You've started too many lessons. You can start another {when}."),
    "many_lessons_here": msg(
        "Too many lessons were started on this server. You can start another {when}."
    ),
    "film_rounds": msg(
        "There are no turns in those rounds. Set `first` and `last` between 1 and {last}, the "
        "lower one first."
    ),
    "film_too_large": msg("This film would be too large for Discord. Choose fewer rounds."),
    "page_too_large": msg(
        "This game is too long for one file. `/game replay` shows it turn by turn."
    ),
    "moments_not_over": msg(
        "I can only make this picture of a game that was played to its end. `/game replay` shows "
        "this one turn by turn."
    ),
    "review_not_over": msg("This game isn't over yet. `/game review` works after it ends."),
    "review_of_players": msg("This game was abandoned. Only its players can review it."),
    "review_no_mind": msg("I can't review games of {game} yet: I have no strong player for it."),
    "nobody_thinks": msg(
        "I can't review games right now: the strong computer player is off. Whoever runs "
        "this bot can turn it on."
    ),
    "not_owner": msg("Only people who can manage this server can see or change that."),
    "store_unavailable": msg(
        "I can't reach the database right now, so nothing has changed. Please try again in "
        "a moment."
    ),
    "saved": msg(
        "It's saved, but I can't show you the result right now. Please look again in a moment."
    ),
    "maybe_saved": msg(
        "I can't reach the database right now, so I don't know whether everything was "
        "saved. Check again in a moment before you repeat it."
    ),
    "conflict": msg(
        "Someone else moved at the same moment, so nothing has changed. Please try again."
    ),
    # Buttons, commands and places
    "stale": msg("That button is out of date. Here's what you can do now."),
    "plan_changed": msg(
        "That button belongs to an older version of your plan. Press **Plan** to see the "
        "current one."
    ),
    "foreign": msg("That button is for someone else. Yours are under **Take your turn**."),
    "nothing_asked": msg("It's not your turn. `/game status` shows whose turn it is."),
    "no_hints": msg(
        "Hints are off at this table. You can turn them on under **Options** before the "
        "game starts."
    ),
    "no_hints_game": msg("There are no hints for {game}: I have no strong player for it."),
    "search_unavailable": msg("I can't give you a hint right now. Please try again in a moment."),
    "old_command": msg("That command has been updated. Restart Discord and try again."),
    "unforeseen": msg(
        "Something went wrong on my side. `/game status` shows the current state; please "
        "continue from there."
    ),
    "old_button": msg("That button no longer works. `/game status` shows where it's your turn."),
    "no_close_up": msg(
        "In {game}, the board already shows everything about each player. Leave out the "
        "seat to see it."
    ),
    "no_such_seat": msg("No one at this table has that name. The players are {names}."),
    "other_game": msg("That table plays {game}. Use that game's commands."),
    "too_long": msg("That's too long for a button. Please use the command instead."),
    "typed_too_long": msg("That's too long. Use at most {most} characters."),
    "too_slow": msg("That took too long, so nothing has changed. Please try again."),
    "unfinished": msg(
        "This is taking too long, so I've stopped waiting. It may still go through: check "
        "`/game status` before you try again."
    ),
    "no_table_here": msg("There's no table in this channel. Open one with `/game new`."),
    "which_table": msg("Which table? Choose one in the option `table`: {tables}."),
    "no_permission": msg(
        "I can't post there. Please allow me to view the channel, send messages and attach files."
    ),
    "dm_blocked": msg(
        "I can't send you direct messages, so find your secrets under **My hand**. To get "
        "them as messages, allow direct messages from members of this server."
    ),
    "not_in_server": msg("That only works in a server channel."),
    "against_oneself": msg(
        "You can't compare someone with themselves. Choose two different people."
    ),
    "seat_in_lobby": msg(
        "You're already at table {table}, which hasn't started. Start the game there or leave it "
        "first."
    ),
    "find_private": msg(
        "Not everyone in this server can see this channel, so I can't open a table for people who "
        "look for players. Use `/find` in another channel, or ask a manager of the server to "
        "choose one with `/server find`."
    ),
    "search_over": msg("They aren't looking anymore. `/find` shows who is looking now."),
    # Codes that a game's own texts explain better
    "not_a_choice": msg("That isn't one of the choices. Choose from the list."),
    "unreadable": msg("I don't understand that. Choose from the list."),
}

REFUSALS: Mapping[str, Message | Forms] = {
    "not_your_turn": msg("It's {other}'s turn. I'll ping you when it's yours."),
    "not_now": msg("You can't {kind} now: {asked}. **Take your turn** shows what you can do."),
    "nothing_asked": msg("You've already chosen. The others are still choosing."),
    "game_over": msg("The game is over, so you can't play any more moves."),
    "unknown_kind": msg("There's no action “{kind}”. **Take your turn** shows your actions."),
    "incomplete": msg("To {kind}, you also need {param}."),
    "too_many_words": msg("That's more than you need to {kind}. Leave out the rest."),
    "unreadable": msg("I don't understand “{word}” as {param}. Try, for example: {examples}."),
    "not_a_choice": msg("“{word}” isn't possible here. Choose {param} from the list."),
    "out_of_range": msg("“{word}” isn't possible here. Choose {param} from {least} to {most}."),
    "not_in_stock": msg("There aren't enough for “{pieces}”. Choose {param} from the list."),
    "too_few": msg("That's too few. Choose at least {count}."),
    "too_many": msg("That's too many. Choose at most {count}."),
    "ambiguous": msg("“{word}” could mean several things: {examples}. Type a bit more."),
}
"""Refusals by code. A game's data can replace them."""

FAULTS = frozenset(
    {
        "table_damaged",
        "rules_changed",
        "title_gone",
        "store_unavailable",
        "conflict",
        "old_command",
        "search_unavailable",
        "unforeseen",
        "too_slow",
        "unfinished",
        "saved",
        "maybe_saved",
    }
)
"""Codes of failures of the bot, as opposed to refusals."""
DENIALS = frozenset({"store_unavailable", "conflict", "unforeseen", "too_slow"})
"""Codes of failures after which nothing, or perhaps nothing, was done."""


def error(words: Words, code: str, facts: Mapping[str, Fact] | None = None) -> str:
    """Return the message of a code, filled with facts. An unknown code gets a generic message.

    Facts may be typed by users, so all are escaped. ``channels`` are channel ids, ``when`` is a
    time in seconds since 1970.
    """
    message = ERRORS.get(code)
    if message is None:
        return words("That isn't possible now ({code}).", code=code)
    return words(
        message, **{name: _fact(words, name, value) for name, value in (facts or {}).items()}
    )


def _fact(words: Words, name: str, value: Fact) -> str:
    match value:
        case tuple() if name == "channels":
            return words.listing([f"<#{channel}>" for channel in value])
        case tuple():
            return words.listing([_fact(words, name, item) for item in value])
        case int() if name == "when":
            return moment(datetime.fromtimestamp(value, UTC))["relative"]
        case str():
            return escape_typed(value)
    return str(value)
