"""What knows Discord, and nothing of how a game goes.

Custom ids and their handlers, answers, errors in words, channels, pictures, access and budgets.
"""
