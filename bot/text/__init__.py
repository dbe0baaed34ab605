"""Every word the bot says: views, events and refusals become sentences of some language."""
