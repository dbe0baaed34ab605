"""Slash commands, buttons, selects and modals: what people do, turned into actions at tables.

What the cogs share is in the packages below them: `ui`, `panel`, `flows`, `posting`. The cogs never
import one another.
"""
