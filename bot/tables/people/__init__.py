"""What is kept of people and servers: settings, names, notes, and how they are notified.

No rules of seats or clocks; those are above.
"""
