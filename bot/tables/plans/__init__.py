"""What people try before they play it: plans, kept and played, for their owners alone."""
