"""Devices, and arrays of other packages."""
