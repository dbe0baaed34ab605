"""The pictures of Burgundy: the table, each estate large, and the depots large."""

from bot.render.burgundy.close_up import PICTURES

__all__ = ["PICTURES"]
