"""Traced functions: their arguments, the code made of them, and calls."""
