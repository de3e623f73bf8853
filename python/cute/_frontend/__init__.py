"""Python functions as programs: read, rewritten, and run while they are traced."""
