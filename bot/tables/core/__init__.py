"""What every change of a table needs: model, log, cache, unit of work, outbox, scheduler.

Nothing here knows of one feature alone; whatever does lies in a package above.
"""
