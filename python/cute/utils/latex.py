"""Layouts as pictures in TikZ."""

from __future__ import annotations

from typing import Any

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


def _end(rows: int, columns: int) -> None:
    print(
        "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid "
        f"({rows},{columns});\n\n"
    )
    for place in [f"({i},-1)" for i in range(rows)] + [f"(-1,{j})" for j in range(columns)]:
        number = max(int(x) for x in place[1:-1].split(","))
        print(f"\\node at {place} {{\\Large{{\\texttt{{{number}}}}}}};\n")
    print("\\end{tikzpicture}\n\\end{document}")


def print_latex(layout: Any) -> None:
    """Prints a picture of a layout of one or two modes, for LaTeX with TikZ."""
    if not _algebra.is_static(layout) or _algebra.rank(layout) > 2:
        raise ValueError(f"a static layout of at most two modes is drawn, not {layout}")
    rows = _algebra.size(layout, mode=[0])
    columns = _algebra.size(layout) // rows
    print(f"%% Layout: {{}} {layout}")
    print(_BEGIN)
    for i in range(rows):
        for j in range(columns):
            index = layout((i, j)) if _algebra.rank(layout) == 2 else layout(i)
            shade = _SHADES[index % len(_SHADES)]
            print(f"\\node[fill=\nblack!{shade:02d}\n] at ({i},{j}) {{{index}}};\n")
    _end(rows, columns)


def print_latex_tv(layout_tv: Any, tile_mn: Any) -> None:
    """Prints which thread holds which value of a tile, for LaTeX with TikZ.

    :param layout_tv: (thread, value) -> colexicographic index in the tile
    :param tile_mn: the extents of the tile
    """
    rows, columns = (_algebra.size(x) for x in tile_mn)
    print(f"%% Layout TV: {layout_tv}")
    print(_BEGIN)
    seen = set()
    for thread in range(_algebra.size(layout_tv, mode=[0])):
        for value in range(_algebra.size(layout_tv, mode=[1])):
            index = layout_tv((thread, value))
            place = (index % rows, index // rows)
            if place in seen:
                continue
            seen.add(place)
            color = _COLORS[thread % len(_COLORS)]
            print(
                f"\\node[fill=\n{color}\n] at ({place[0]},{place[1]}) "
                f"{{\\shortstack{{T{thread} \\\\ V{value}}}}};\n"
            )
    _end(rows, columns)
