"""The Discord front end: commands, buttons, selects, forms and posts."""
