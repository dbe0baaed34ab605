"""What has been: reading a table and its past, import, export, reports. No turn is played here."""
