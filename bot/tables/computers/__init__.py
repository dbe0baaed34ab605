"""The workers that play for computer players and by standing orders.

How they choose is not here: policies are handed in.
"""
