"""What the moves, their parts and the table's options are called."""

from __future__ import annotations

from bot.text.words import msg

DOINGS = {
    "board": msg("choose your board"),
    "castle": msg("choose the place of your castle"),
    "take": msg("take a tile"),
    "place": msg("place a tile"),
    "sell": msg("sell goods"),
    "workers": msg("take workers"),
    "buy": msg("buy a tile"),
    "load": msg("load goods"),
    "decline": msg("decline an effect"),
    "end": msg("end your turn"),
}
"""Each move, after "you may"."""

PARAMS = {
    "kind": msg("an action"),
    "board": msg("a board"),
    "space": msg("a space"),
    "die": msg("a die"),
    "depot": msg("a depot"),
    "tile": msg("a tile"),
    "discard": msg("a stored tile to discard"),
    "good": msg("a type of goods"),
    "goods": msg("the types of goods"),
}
"""Each part of a move, after "choose"."""

ASKED = {
    "board": msg("the boards are being chosen"),
    "castle": msg("the castles are being placed"),
    "turn": msg("it is your turn"),
    "extra": msg("your castle gives you an action"),
    "warehouse": msg("your Warehouse sells goods"),
    "carpenter": msg("your Carpenter takes a building"),
    "church": msg("your Church takes a tile"),
    "market": msg("your Market takes a tile"),
    "city_hall": msg("your City hall places a tile"),
    "load": msg("your ship loads goods"),
}
"""What a seat is asked, after "just now"."""

AWAITED = {
    "board": msg("{seat} to choose a board"),
    "castle": msg("{seat} to place a castle"),
    "turn": msg("{seat} to play a turn"),
    "extra": msg("{seat} to use a castle's action"),
    "warehouse": msg("{seat} to sell goods from a Warehouse"),
    "carpenter": msg("{seat} to take a building"),
    "church": msg("{seat} to take a mine, knowledge or castle tile"),
    "market": msg("{seat} to take a ship or animals"),
    "city_hall": msg("{seat} to place a tile by a City hall"),
    "load": msg("{seat} to load goods"),
}

OPTIONS = {
    "boards": msg("Boards"),
    "ties": msg("Equal points"),
    "sold_goods": msg("Sold goods"),
}

ONE_BOARD = msg("board {board} for all, castles placed in secret")

OPTION_VALUES = {
    ("boards", "beginner"): msg("board 1 for all, castle in the middle"),
    ("boards", "random"): msg("a different one for each, dealt out"),
    ("boards", "choose"): msg("chosen in turn order"),
    ("ties", "fullest"): msg("the fuller estate wins"),
    ("ties", "emptiest"): msg("the emptier estate wins"),
    ("sold_goods", "open"): msg("open to all"),
    ("sold_goods", "hidden"): msg("hidden from the others"),
}

SCORE_LINES = {
    "regions": msg("Regions"),
    "phases": msg("Phases"),
    "colours": msg("Colours"),
    "animals": msg("Animals"),
    "goods": msg("Goods sold"),
    "watchtowers": msg("Watchtowers"),
    "left_goods": msg("Goods left"),
    "silverlings": msg("Silverlings"),
    "workers": msg("Workers"),
    "knowledge": msg("Knowledge"),
}
