"""The measurements of `bench --database`: how the bot grows on a server's database, and with
processes that share it.

Loaded only when they are asked for: every start of the program loads the other tools.
"""
