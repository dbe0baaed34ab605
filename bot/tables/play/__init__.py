"""What people do at a table: open it, sit down, play, resign, stop."""
