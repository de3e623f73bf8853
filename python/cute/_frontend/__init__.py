"""Python functions as programs: read, rewritten, and run while they are traced."""

CONTROL = "_cute_control"  # what rewritten functions call the module _control
