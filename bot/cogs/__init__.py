"""Slash commands, buttons, selects and forms: what people do, turned into actions at tables."""
