"""Layouts as pictures in TikZ."""

from __future__ import annotations

import colorsys
from typing import Any, Callable, Mapping, NamedTuple

from .._values import algebra as _algebra

_SHADES = [0, 40, 20, 60, 10, 50, 30, 70]
_COLORS = [
    "{rgb,255:red,175;green,175;blue,255}",
    "{rgb,255:red,175;green,255;blue,175}",
    "{rgb,255:red,255;green,255;blue,175}",
    "{rgb,255:red,255;green,175;blue,175}",
    "{rgb,255:red,210;green,210;blue,255}",
    "{rgb,255:red,210;green,255;blue,210}",
    "{rgb,255:red,255;green,255;blue,210}",
    "{rgb,255:red,255;green,210;blue,210}",
]
_BEGIN = (
    "\\documentclass[convert]{standalone}\n"
    "\\usepackage{tikz}\n"
    "\\begin{document}\n"
    "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},"
    "every node/.style={minimum size=1cm, outer sep=0pt}]"
)


def _grid(rows: int, columns: int) -> list[str]:
    lines = ["\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid "
             f"({rows},{columns});\n\n"]
    places = [(f"({i},-1)", i) for i in range(rows)] + [(f"(-1,{j})", j) for j in range(columns)]
    return lines + [f"\\node at {at} {{\\Large{{\\texttt{{{number}}}}}}};\n"
                    for at, number in places]


def _write(
    head: str, lines: list[str], rows: int, columns: int, render: Callable[[str], None] | None
) -> None:
    """Prints a picture as a document, or gives its lines to a function."""
    lines = lines + _grid(rows, columns)
    if render is not None:
        render("\n".join(lines))
        return
    print(head, _BEGIN, *lines, "\\end{tikzpicture}\n\\end{document}", sep="\n")


def tikz_color_bwx8(index: int) -> str:
    """Returns one of eight greys by a number."""
    return _gray(index)


def print_latex(
    x: Any, *, color: Callable[[int], str] = tikz_color_bwx8,
    render_func: Callable[[str], None] | None = None,
) -> None:
    """Prints a picture of a layout of one or two modes, for LaTeX with TikZ.

    :param color: the colour of an index
    :param render_func: gets the picture, without a document around it, instead of print
    """
    if not _algebra.is_static(x) or _algebra.rank(x) > 2:
        raise ValueError(f"a static layout of at most two modes is drawn, not {x}")
    rows = _algebra.size(x, mode=[0])
    columns = _algebra.size(x) // rows
    lines = []
    for i in range(rows):
        for j in range(columns):
            index = x((i, j)) if _algebra.rank(x) == 2 else x(i)
            lines.append(_filled((i, j), color(index), f"{{{index}}}"))
    _write(f"%% Layout: {{}} {x}", lines, rows, columns, render_func)


class Band(NamedTuple):
    """A horizontal band of a cell in a picture, and its colour.

    For example::

        Band(0.0, 0.5, "red")  # the upper half
        # Band(lo=0.0, hi=0.5, color='red')
    """

    lo: float  # where it begins, 0 at the top
    hi: float  # where it ends, 1 at the bottom
    color: str  # as TikZ fills


def tikz_color_rainbow(index: int, count: int, saturation: float = 1.0) -> str:
    """Returns the colour of one of ``count`` places on the wheel of hues.

    :param saturation: 0 to 1; less is paler
    """
    parts = colorsys.hsv_to_rgb(index % max(count, 1) / max(count, 1), saturation, 1.0)
    red, green, blue = (round(255 * x) for x in parts)
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def tikz_color_tv(tid: int, vid: int) -> str:
    """Returns one of eight pale colours by the thread's number."""
    return _COLORS[tid % len(_COLORS)]


def tikz_escape(s: str) -> str:
    r"""Returns a text with what LaTeX takes for commands as plain letters.

    For example::

        print(tikz_escape("a_1 & b"))
        # a\_1 \& b
    """
    special = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    return "".join(special.get(c, f"\\{c}" if c in "_#&%${}" else c) for c in s)


def _gray(index: int, scale: float = 1.0) -> str:
    return f"black!{round(_SHADES[index % len(_SHADES)] * scale):02d}"


def _halves(upper: str, lower: str) -> list[Band]:
    return [Band(0.0, 0.5, upper), Band(0.5, 1.0, lower)]


PALETTES: Mapping[str, Callable[[int, int], Callable[[int, int], Any]]] = {
    "pastel": lambda threads, values: tikz_color_tv,
    "rainbow": lambda threads, values: lambda t, v: tikz_color_rainbow(t, threads),
    "rainbow_dual": lambda threads, values: lambda t, v: _halves(
        tikz_color_rainbow(t, threads), tikz_color_rainbow(v, values, 0.4)),
    "white": lambda threads, values: lambda t, v: "white",
    "bw": lambda threads, values: lambda t, v: _gray(t),
    "bw_dual": lambda threads, values: lambda t, v: _halves(_gray(t), _gray(v, 0.4)),
}
"""Colours of cells by name: a function of the numbers of threads and of values that returns one
of a thread and a value, whose result is a colour or a list of Bands."""


def _filled(place: tuple[int, int], color: Any, text: str) -> str:
    """Returns a cell with its text, filled with a colour or with bands."""
    if isinstance(color, str):
        return f"\\node[fill=\n{color}\n] at ({place[0]},{place[1]}) {text};\n"
    row, column = place
    bands = "".join(
        f"\\fill[fill={band.color}] ({row - 0.5 + band.lo:g},{column - 0.5:g}) rectangle "
        f"({row - 0.5 + band.hi:g},{column + 0.5:g});\n" for band in color)
    return f"{bands}\\node at ({row},{column}) {text};\n"


def print_latex_tv(
    layout_tv: Any, tile_mn: Any, *, color: Callable[[int, int], str] = tikz_color_tv,
    palette: Any = None, title: str | None = None, axis_labels: bool = False,
    render_func: Callable[[str], None] | None = None,
) -> None:
    """Prints which thread holds which value of a tile, for LaTeX with TikZ.

    :param layout_tv: (thread, value) -> colexicographic index in the tile
    :param tile_mn: the extents of the tile
    :param color: the colour of a thread's value
    :param palette: alternatively a name in PALETTES, or a function like its members
    :param title: above the picture
    :param axis_labels: names M and N
    :param render_func: gets the picture, without a document around it, instead of print
    """
    rows, columns = (_algebra.size(x) for x in tile_mn)
    threads, values = (_algebra.size(layout_tv, mode=[i]) for i in (0, 1))
    if palette is not None:
        color = (PALETTES[palette] if isinstance(palette, str) else palette)(threads, values)
    lines, seen = [], set()
    for thread in range(threads):
        for value in range(values):
            index = layout_tv((thread, value))
            place = (index % rows, index // rows)
            if place in seen:
                continue
            seen.add(place)
            text = f"{{\\shortstack{{T{thread} \\\\ V{value}}}}}"
            lines.append(_filled(place, color(thread, value), text))
    if title:
        words = r" \\ ".join(map(tikz_escape, title.split("\n")))
        lines.append(f"\\node[align=center] at (-2,{(columns - 1) / 2:g}) {{{words}}};\n")
    if axis_labels:
        lines.append(f"\\node at ({(rows - 1) / 2:g},-2) {{M}};\n"
                     f"\\node at ({rows:g},{(columns - 1) / 2:g}) {{N}};\n")
    _write(f"%% Layout TV: {layout_tv}", lines, rows, columns, render_func)
