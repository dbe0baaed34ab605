"""What the operator of the bot looks at and relies on: health, metrics, logs, backups."""
