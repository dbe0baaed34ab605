"""The measurements of `bench`, one module for each part of the program."""
