"""Commands, buttons, selects and forms, with one module for each dialogue."""
