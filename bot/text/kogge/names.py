"""What the moves, their parts and the table's options are called."""

from __future__ import annotations

from bot.text.words import msg

DOINGS = {
    "found": msg("choose your first city"),
    "bid": msg("bid"),
    "advance": msg("move the guild master"),
    "tax": msg("pay a tax"),
    "sail": msg("sail"),
    "load": msg("load goods"),
    "peek": msg("look at the routes"),
    "stop": msg("end your movement"),
    "build": msg("build an office"),
    "buy_raid": msg("buy a second Raid"),
    "sell_six": msg("sell goods for a bonus chit"),
    "swap_good": msg("swap a good for a marker"),
    "swap_marker": msg("swap a marker for a good"),
    "buy": msg("buy a pair of markers"),
    "trade": msg("trade with the city"),
    "reroute": msg("change a route"),
    "raid_ship": msg("raid a ship"),
    "raid_city": msg("raid the city"),
    "end": msg("end your turn"),
    "split": msg("divide your cargo"),
    "choose": msg("choose your loot"),
    "push": msg("send a ship away"),
    "challenge": msg("challenge a ship"),
    "demand": msg("demand goods"),
    "pass": msg("leave it at that"),
    "offer": msg("offer a deal"),
    "counter": msg("make a counter-offer"),
    "accept": msg("accept an offer"),
    "decline": msg("decline an offer"),
    "withdraw": msg("take an offer back"),
    # The four dealings with the guild master count as one action of a turn.
    "guild": msg("deal with the guild master"),
}
"""Each move, and each group of moves allowed once a turn, after "you may"."""

PARAMS = {
    "marker": msg("a marker"),
    "markers": msg("markers"),
    "steps": msg("the number of cities"),
    "route": msg("a route"),
    "fee": msg("the fee"),
    "pieces": msg("goods"),
    "goods": msg("goods"),
    "price": msg("the price"),
    "good": msg("a good"),
    "chit": msg("a bonus chit"),
    "pair": msg("a pair"),
    "give": msg("what you give"),
    "take": msg("what you get"),
    "seat": msg("a player"),
    "group": msg("a half of the cargo"),
    "offer": msg("an offer"),
    "kind": msg("an action"),
}
"""Each part of a move, after "choose"."""

OPTIONS = {
    "edition": msg("Edition"),
    "office_price": msg("Price of an office"),
    "failed_route": msg("Hidden route that fails"),
    "goods": msg("Goods and markers"),
    "taxes": msg("Taxes"),
    "offices": msg("Deals with offices"),
    "conflicts": msg("Conflicts"),
    "memory": msg("Memory"),
    "memory_fur": msg("Fur at the start, with Memory"),
}

OPTION_VALUES = {
    ("edition", "english"): msg("English rules"),
    ("edition", "italian"): msg("Italian rules"),
    ("office_price", "edition"): msg("as in the edition"),
    ("office_price", "both"): msg("goods and markers"),
    ("office_price", "either"): msg("goods or markers"),
    ("failed_route", "edition"): msg("as in the edition"),
    ("failed_route", "uses_step"): msg("costs the step"),
    ("failed_route", "keeps_step"): msg("costs only the fee"),
    ("goods", "markers"): msg("open, but the numbers of markers are secret"),
    ("goods", "open"): msg("open to all"),
    ("goods", "hidden"): msg("hidden from the others"),
    ("taxes", "off"): msg("none"),
    ("taxes", "on"): msg("taken where the guild master stops"),
    ("offices", "off"): msg("none"),
    ("offices", "on"): msg("ships may deal with the offices of others"),
    ("conflicts", "off"): msg("none"),
    ("conflicts", "on"): msg("ships may fight; goods and markers are hidden then"),
    ("memory", "off"): msg("none"),
    ("memory", "on"): msg("all route markers lie face down"),
    ("memory_fur", "edition"): msg("as in the edition"),
    ("memory_fur", "two"): msg("two fur"),
    ("memory_fur", "three"): msg("three fur"),
}

AWAITED = {
    "found": msg("{seat} to choose a first city"),
    "bid": msg("{seat} to bid"),
    "advance": msg("{seat} to move the guild master"),
    "exchange": msg("{seat} to change a route of the first city or not"),
    "tax": msg("{seat} to pay a tax"),
    "move": msg("{seat} to sail"),
    "act": msg("{seat} to act"),
    "split": msg("{seat} to divide the cargo"),
    "choose": msg("{seat} to choose a half of the cargo"),
    "push": msg("{seat} to send a ship away"),
    "challenge": msg("{seat} to start a conflict or not"),
    "conflict": msg("{seat} to bid in the conflict"),
    "demand": msg("{seat} to demand goods"),
    "answer": msg("{seat} to answer an offer"),
}

SCORE_LINES = {
    "offices": msg("Offices"),
    "chits": msg("Bonus chits"),
    "raids": msg("Unused Raids"),
    "ore": msg("Ore"),
    "fur": msg("Fur"),
    "amber": msg("Amber"),
    "salt": msg("Salt"),
}
