"""Why something is not allowed: what is wrong, the rule in a clause, what can be done instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.game.contract import Fact, Refusal
from bot.text.burgundy.names import ASKED, DOINGS, PARAMS
from bot.text.burgundy.speech import Speech
from bot.text.markup import code
from bot.text.words import Forms, Message, forms, msg

MESSAGES: Mapping[str, Message | Forms] = {
    # Whose turn, and what for
    "not_your_turn": msg("It is not your turn: {other} is asked now. You will be called."),
    "nothing_asked": msg("Nothing is asked of you just now. The others are still choosing."),
    "unknown_kind": msg("There is no action “{kind}”. **Take your turn** shows what there is."),
    "not_now": msg(
        "You cannot {kind} just now, for {asked}. **Take your turn** shows what is possible."
    ),
    "game_over": msg("The game is over; nothing can be played any more."),
    # The words of an action
    "incomplete": msg("To {kind}, say all of it: {param} is missing."),
    "too_many_words": msg("That is more than it takes to {kind}. Leave the rest away."),
    "not_a_choice": msg("“{word}” is not possible here. Choose {param} from what is offered."),
    "too_few": forms(
        "That is too few: your ship has room for {count} type, and loads all that fit.",
        "That is too few: your ship has room for {count} types, and loads all that fit.",
    ),
    "too_many": forms(
        "That is too many: only {count} more type fits, for you can store three types.",
        "That is too many: only {count} more types fit, for you can store three types.",
    ),
    "not_in_stock": msg(
        "You ask for {goods}: of new types each is named once, and must lie in that depot. "
        "Choose from what is offered."
    ),
    "unreadable": msg("“{word}” is not clear as {param}. You can write, for example: {examples}."),
    "ambiguous": msg("“{word}” can mean several things: {examples}. Write a bit more."),
    # Set-up
    "board_taken": msg(
        "Board {board} is taken, and each but board 1 is there only once. Choose another one."
    ),
    "no_castle_space": msg(
        "{space} is no castle space of your board, and a first castle stands on one of those. "
        "Choose from what is offered."
    ),
    # Dice and workers
    "dice_used": msg("You have used both dice. You may still buy a tile, or end your turn."),
    "no_such_die": msg("You have no {die} to use now. Choose one of your dice."),
    "die_useless": msg("{die} can do nothing of the kind now. Use it for something else."),
    "needs_workers": forms(
        "{die} would have to show {number}: that costs {count} worker, and you have {workers}. "
        "Choose what is nearer, or take workers with a die.",
        "{die} would have to show {number}: that costs {count} workers, and you have {workers}. "
        "Choose what is nearer, or take workers with a die.",
    ),
    # Taking and buying
    "nothing_to_take": msg(
        "None of your dice reaches a depot with tiles. Use them for something else."
    ),
    "not_from_black": msg(
        "Tiles of the black depot are not taken with a die: they are bought for 2 silverlings. "
        "Buy one, or take from depots 1 to 6."
    ),
    "depot_empty": msg("No tile is left in {depot}; it is filled again in the next phase."),
    "not_in_depot": msg("There is no {tile} in {depot}. Choose from what lies there."),
    "wrong_colour": msg(
        "Your {tile} can take nothing of that kind from {depot}. Choose from what is offered, "
        "or decline."
    ),
    "storage_full": msg(
        "Your storage is full: it holds three tiles. Name one of them to discard, "
        "or place one first."
    ),
    "room_left": msg("Your storage has room, so nothing is discarded. Leave that away."),
    "not_in_storage": msg("You have no {tile} in your storage. Choose from what lies there."),
    "already_bought": msg("You have bought a tile in this turn already, and may buy only one."),
    "needs_silverlings": forms(
        "A tile costs {count} silverling, and you have {silverlings}. "
        "Goods sold and mines bring some.",
        "A tile costs {count} silverlings, and you have {silverlings}. "
        "Goods sold and mines bring some.",
    ),
    "nothing_to_buy": msg("Nothing is left to buy; the depots are filled in the next phase."),
    "only_from_black": msg(
        "Only tiles of the black depot are for sale, unless Knowledge 6 lies in your estate. "
        "Buy one of those, or take this one with a die."
    ),
    # Placing
    "storage_empty": msg("You have no tile in your storage to place. Take one first."),
    "nothing_to_place": msg(
        "None of your dice places a stored tile: it needs a free space of its colour and number "
        "beside your tiles. Take a tile or workers instead."
    ),
    "nowhere_to_place": msg(
        "With that die no space takes {tile}: it needs a free one of its colour and number "
        "beside your tiles. Choose another tile or die."
    ),
    "space_covered": msg("{space} is covered already. Choose an empty space."),
    "other_colour": msg(
        "{space} is for {colour}, so {tile} cannot go there. Choose a space of its colour."
    ),
    "not_beside": msg(
        "{space} touches none of your tiles, and an estate grows from what is covered. "
        "Choose a space beside a tile."
    ),
    "building_twice": msg(
        "That city has {tile} already, and each building stands only once in a city. "
        "Choose a space in another city, or another tile."
    ),
    # Selling and loading
    "no_goods": msg("You have no goods to sell. Ships bring some."),
    "nothing_to_sell": msg(
        "None of your dice shows the number of your goods, and your workers do not reach so far. "
        "Use the dice for something else."
    ),
    "no_such_goods": msg("You have no goods of {good}. Choose a type that you have."),
    "no_goods_there": msg("No goods come to {depot}. Choose one of depots 1 to 6."),
    "nothing_fits": msg(
        "{depot} has no goods that fit. Choose the other neighbour, or load no more."
    ),
    "must_load": msg("A ship loads from one depot if it can; only a second load may be declined."),
    "not_neighbours": msg(
        "{depot} is not beside {other}, from which you have loaded. Choose one next to it."
    ),
    # The turn
    "dice_left": forms(
        "You have {count} die left, and both must be used. It is good for workers at least.",
        "You have {count} dice left, and both must be used. They are good for workers at least.",
    ),
}


def refusal_text(speech: Speech, refusal: Refusal) -> str:
    """The refusal in words. Raises KeyError for a code that has no message."""
    facts = dict(refusal.facts)
    if "pieces" in facts:
        facts["goods"] = facts.pop("pieces")
    said = speech.facts(facts) | _names(speech, facts)
    count = facts.get("count", 1)
    number = count if isinstance(count, int) else 1
    text = speech.words.phrase(MESSAGES[refusal.code], number, **said)
    return text[:1].upper() + text[1:]


def _names(speech: Speech, facts: Mapping[str, Fact]) -> dict[str, str]:
    words = speech.words
    names: dict[str, str] = {}
    for name, table in (("kind", DOINGS), ("param", PARAMS), ("asked", ASKED)):
        value = facts.get(name)
        if isinstance(value, str) and value in table:
            names[name] = words(table[value])
    examples = facts.get("examples")
    if isinstance(examples, tuple):
        said = [_example(speech, str(facts.get("param")), str(word)) for word in examples]
        names["examples"] = words.either([code(example) for example in said])
    return names


def _example(speech: Speech, param: str, word: str) -> str:
    """A word of the notation as a person would write it."""
    if param in ("die", "goods", "board"):
        return " ".join(word) if param == "goods" else word
    return replace(speech, rich=False).fact("tile" if param == "discard" else param, word) or "-"
