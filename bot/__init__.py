"""Board games played by chat, on Discord or on a laptop without it."""

__version__ = "0.3.0"
"""The version of the program."""
