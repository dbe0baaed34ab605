"""All that knows Discord and nothing of a game's course.

Custom ids and who hears them, answers, errors in words, channels, pictures, access and budgets.
"""
