"""Layouts as pictures in TikZ, with colours of one's choice; ``cute.show`` draws more."""

from .utils.latex import (
    PALETTES,
    Band,
    print_latex,
    print_latex_tv,
    tikz_color_bwx8,
    tikz_color_rainbow,
    tikz_color_tv,
    tikz_escape,
)

__all__ = [
    "Band",
    "PALETTES",
    "print_latex",
    "print_latex_tv",
    "tikz_color_bwx8",
    "tikz_color_rainbow",
    "tikz_color_tv",
    "tikz_escape",
]
