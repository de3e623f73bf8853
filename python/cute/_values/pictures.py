"""Pictures of layouts, atoms, tiled copies and products, as cute-layout show draws them."""

from __future__ import annotations

import os
from typing import Any

from .. import _bridge

_FORMATS = {".txt": 0, ".svg": 1, ".html": 2}
_TEXT, _SVG = 0, 1
MOST_CELLS = 4096  # that a notebook shows unasked


def _draw(value: Any, format: int, tile: Any = None, dtype: Any = None) -> str:
    text = value if isinstance(value, str) else value.expression()
    shape = None if tile is None else str(tile).replace(" ", "")
    return _bridge.draw(text, format, shape, 0 if dtype is None else dtype.width)


def text_of(value: Any) -> str:
    """Returns a picture of characters.

    :raises ValueError: if there is none of the value
    """
    return _draw(value, _TEXT)


def show(value: Any, *, tile: Any = None, dtype: Any = None, file: Any = None) -> str:
    """Draws a layout, an atom, a tiled copy or product; returns the name of the picture.

    >>> print(open(show(make_layout((2, 3), stride=(3, 1)), file="layout.txt")).read())
    (2,3):(3,1)
           0   1   2
         +---+---+---+
     0   | 0 | 1 | 2 |
         +---+---+---+
     1   | 3 | 4 | 5 |
         +---+---+---+

    :param value: static; or a text that cute-layout reads :param tile: for a layout
    (thread, value) -> index in a tile, the tile's shape :param dtype: of elements in
    shared memory, for colours by bank :param file: the file to write: .svg, .html
    or .txt; without it a page opens in the browser
    """
    if file is None:
        return _open(_draw(value, _FORMATS[".html"], tile, dtype))
    kind = os.path.splitext(os.fspath(file))[1]
    if kind not in _FORMATS:
        raise ValueError(f"{file}: a picture ends with {', '.join(_FORMATS)}")
    picture = _draw(value, _FORMATS[kind], tile, dtype)
    with open(file, "w", encoding="utf-8") as to:
        to.write(picture)
    return os.fspath(file)


def _open(page: str) -> str:
    import pathlib
    import tempfile
    import webbrowser

    with tempfile.NamedTemporaryFile(
        "w", suffix=".html", prefix="cute-", delete=False, encoding="utf-8"
    ) as file:
        file.write(page)
    webbrowser.open(pathlib.Path(file.name).as_uri())
    return file.name


class Drawn:
    """What notebooks show as a picture, if it is static and not too large."""

    __slots__ = ()

    def expression(self) -> str:
        """Returns cute-layout's text for this value."""
        return self.type_text

    def _repr_svg_(self) -> str | None:
        """Returns the picture, or None where there is none to show."""
        if not self.is_static:
            return None
        try:
            picture = _draw(self, _SVG)
        except ValueError:
            return None
        return picture if picture.count("<g ") <= MOST_CELLS else None
