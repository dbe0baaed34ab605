"""Slash commands, buttons, selects and modals: what people do, turned into what tables do.

`common` holds what the cogs share; the cogs themselves never import one another.
"""
