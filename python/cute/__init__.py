"""An open compiler for CuTe programs."""
