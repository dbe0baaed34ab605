"""The rules of Kogge, one module for each chapter of the rulebook."""
