"""Services for the operator: health, metrics, logs, backups."""
