"""What every change of a table needs: model, log, cache, unit of work, outbox, scheduler. What
belongs to a single feature is in the packages above."""
