"""Names of the reference that are not here, or elsewhere."""
