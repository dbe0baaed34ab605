"""The kinds of event in a game of Burgundy, and the facts each carries.

`tile`, `colour`, `depot`, `space`, `good` and `die` are words of the notation (a die used freely
is ``any``), `goods` a word of goods or a list of such words. `spent` are workers paid for a die.
"""

from __future__ import annotations

EVENTS: dict[str, tuple[str, ...]] = {
    # Set-up; a castle is chosen in secret, and placed when all are revealed
    "board_chosen": ("seat", "board"),
    "castle_chosen": ("seat", "space"),
    "castle_placed": ("seat", "space"),
    # Phases and rounds; the good of a round goes to the depot of the white die
    "phase_began": ("phase", "goods"),
    "depot_filled": ("depot", "tiles"),
    "round_began": ("phase", "round", "seats"),
    "rolled": ("seat", "dice"),
    "goods_placed": ("depot", "good"),
    "mines_paid": ("seat", "silverlings", "workers"),
    "depots_cleared": ("count",),
    # Actions
    "taken": ("seat", "tile", "depot", "die", "spent"),
    "bought": ("seat", "tile", "depot", "price"),
    "discarded": ("seat", "tile"),
    "placed": ("seat", "tile", "space", "die", "spent"),
    "sold": ("seat", "good", "count", "points", "silverlings", "workers", "die", "spent"),
    "workers_taken": ("seat", "die", "workers", "silverlings"),
    "turn_ended": ("seat",),
    # What placing a tile brings; `bonus` are the points for the phase, `rank` 1 and 2 get a tile
    "region_completed": ("seat", "colour", "count", "points", "bonus"),
    "colour_completed": ("seat", "colour", "rank", "points"),
    "animals_scored": ("seat", "tile", "space", "points"),
    "watchtower_scored": ("seat", "points"),
    "workers_given": ("seat", "workers"),
    "silverlings_given": ("seat", "silverlings"),
    "moved_ahead": ("seat", "count"),
    "loaded": ("seat", "depot", "goods"),
    # An effect that its owner did not want, and one of which nobody can make any use: of a
    # building, or the load of a ship (declined: the second one, of knowledge tile 5)
    "declined": ("seat", "tile"),
    "lapsed": ("seat", "tile"),
    # The end: points by item (see POINTS in state.py, from the seventh on)
    "scored": ("seat", "item", "points"),
    "game_ended": ("ending",),
}
