"""What people ask for by commands, buttons, selects and forms, a module for each dialogue."""
