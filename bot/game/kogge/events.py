"""The kinds of event in a game of Kogge, and the facts each carries.

Kinds that end in ``_secretly`` are the public twins of what only those concerned hear in full.
"""

from __future__ import annotations

EVENTS: dict[str, tuple[str, ...]] = {
    # Founding
    "founding_chosen": ("seat", "city"),
    "founded": ("seat", "city"),
    "crowded": ("seats", "city"),
    # A new round
    "round_began": ("count",),
    "order_set": ("seats",),
    "extra_marker": ("seat", "marker"),
    "extra_marker_secretly": ("seat",),
    "pairs_laid_out": ("pairs",),
    # Auction and supply; `seats` are the owners whose offices received one each
    "bid": ("seat", "pieces"),
    "no_bid": ("seat",),
    "supplied": ("city", "good", "count", "seats"),
    "supply_short": ("city", "good", "count"),
    # Guild master
    "guild_master_moved": ("seat", "city", "count"),
    "guild_master_brought": ("city", "good", "count"),
    "lap_completed": ("count",),
    # Taxes; of hidden ones everybody hears who paid, and what came in altogether
    "confiscated": ("city", "pieces"),
    "tax_chosen": ("seat", "pieces"),
    "tax_paid": ("seat", "pieces"),
    "tax_paid_secretly": ("seats", "pieces"),
    # Movement
    "sailed": ("seat", "city", "to", "route", "fee"),
    "route_failed": ("seat", "city", "marker", "route", "fee"),
    "loaded": ("seat", "city", "pieces"),
    "stopped": ("seat", "city"),
    # Actions
    "built": ("seat", "city", "pieces", "points"),
    "raid_marker_bought": ("seat", "pieces"),
    "chit_bought": ("seat", "chit", "pieces", "points"),
    "good_exchanged": ("seat", "good", "marker"),
    "marker_exchanged": ("seat", "marker", "good"),
    "pair_bought": ("seat", "pieces", "good"),
    "traded": ("seat", "city", "give", "take"),
    "rerouted": ("seat", "city", "route", "marker"),
    "rerouted_with": ("city", "route", "marker"),
    "city_raided": ("seat", "city", "pieces"),
    "ship_raided": ("seat", "other", "city"),
    "cargo_split": ("seat", "other", "groups"),
    "cargo_split_secretly": ("seat", "other"),
    "looted": ("seat", "other", "pieces"),
    "looted_secretly": ("seat", "other"),
    "pushed": ("seat", "other", "city", "to", "route"),
    "push_failed": ("seat", "other", "city", "marker", "route"),
    "push_impossible": ("other", "city"),
    "turn_ended": ("seat",),
    # Memory; `left` and `right` are the numbers of the two routes
    "rerouted_secretly": ("seat", "city", "route"),
    "routes_kept": ("seat", "city"),
    "looked": ("seat", "city", "fee"),
    "saw": ("city", "left", "right"),
    # Conflicts; of a bid `give` is what the seat laid, `take` what the other laid
    "challenged": ("seat", "other", "city"),
    "conflict_declined": ("seat",),
    "conflict_bid": ("seat", "pieces"),
    "conflict_bids": ("seat", "other", "give", "take"),
    "conflict_won": ("seat", "other"),
    "conflict_tied": ("seat", "other"),
    "demanded": ("seat", "other", "pieces", "take"),
    "demanded_secretly": ("seat", "other"),
    "push_declined": ("seat", "other"),
    # Deals
    "offered": ("id", "seat", "other", "give", "take"),
    "offered_secretly": ("seat", "other"),
    "accepted": ("seat", "other", "give", "take"),
    "accepted_secretly": ("seat", "other"),
    # A deal with the office in the city, where it stands for its owner's ship. Once it is made
    # everybody sees which goods went into the office and which came out.
    "office_offered": ("id", "seat", "other", "city", "give", "take"),
    "office_offered_secretly": ("seat", "other", "city"),
    "office_accepted": ("seat", "other", "city", "give", "take"),
    "office_accepted_secretly": ("seat", "other", "city", "give", "take"),
    "declined": ("seat", "other"),
    "withdrawn": ("seat", "other"),
    "lapsed": ("seat", "other"),
    # The end
    "game_ended": ("ending",),
}
