"""What the bot's operator relies on: health, metrics, logs, backups."""
