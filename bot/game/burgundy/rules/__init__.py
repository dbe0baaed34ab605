"""The rules of Burgundy, a module a chapter. Numbers of sections are those of the fact sheet."""
