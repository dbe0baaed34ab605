"""Every word the bot says: turns views, events and refusals into sentences of a language."""
