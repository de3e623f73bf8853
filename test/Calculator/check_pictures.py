#!/usr/bin/env python3
"""Draws random layouts and checks every cell against the layout's definition,
and every label against its box. Knows nothing of cute but the command line.

  check_pictures.py SEED COUNT
  check_pictures.py FILE          checks the labels of that picture
"""
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


#===-- The definition of a layout -------------------------------------------===#

def text(tree):
    if isinstance(tree, int):
        return str(tree)
    return "(" + ",".join(map(text, tree)) + ")"


def random_shape(rng, budget, depth):
    if depth == 0 or rng.random() < 0.5:
        return rng.randint(1, max(1, min(6, budget)))
    return tuple(random_shape(rng, max(1, budget // 3), depth - 1)
                 for _ in range(rng.randint(1, 3)))


def strides_for(rng, shape):
    if isinstance(shape, int):
        return rng.choice([0, 1, 2, 3, 5, 8, 16, 64, 100, 123457, -1, -7])
    return tuple(strides_for(rng, s) for s in shape)


def size(shape):
    if isinstance(shape, int):
        return shape
    n = 1
    for s in shape:
        n *= size(s)
    return n


def parse(word):
    """The tree of nested tuples that "(1,(2,3))" spells."""
    stack = [[]]
    for token in re.findall(r"[()]|-?\d+", word):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(int(token))
    return stack[0][0]


def value(coord, shape, stride):
    if isinstance(shape, int):
        assert 0 <= coord < shape
        return coord * stride
    assert len(coord) == len(shape)
    return sum(value(c, s, d) for c, s, d in zip(coord, shape, stride))


def index_of(coord, shape):
    """The colexicographic index of a natural coordinate."""
    if isinstance(shape, int):
        return coord
    index, scale = 0, 1
    for c, s in zip(coord, shape):
        index += scale * index_of(c, s)
        scale *= size(s)
    return index


def coord_at(index, shape):
    if isinstance(shape, int):
        return index
    coord = []
    for s in shape:
        coord.append(coord_at(index % size(s), s))
        index //= size(s)
    return tuple(coord)


#===-- Pictures -------------------------------------------------------------===#

def show(*arguments):
    return subprocess.run(["cute-layout", "show", *arguments], check=True,
                          capture_output=True, text=True).stdout


def cells_of(root):
    return [g for g in root.iter(SVG + "g") if "data-coord" in g.attrib]


def check_all_coords(cells, shape, what):
    seen = {index_of(parse(g.get("data-coord")), shape) for g in cells}
    assert len(cells) == size(shape), what
    assert seen == set(range(size(shape))), what


def check_position(cells, shape, what):
    """Down and right is the order of coordinates; a tuple's first mode goes
    down, all of a single mode goes right."""
    if isinstance(shape, int) or len(shape) != 2:
        return
    for g in cells:
        row, column = parse(g.get("data-coord"))
        box = g.find(SVG + "rect")
        place = (index_of(row, shape[0]), index_of(column, shape[1]))
        origin = cells[0].find(SVG + "rect")
        at = ((int(box.get("y")) - int(origin.get("y")))
              // int(box.get("height")),
              (int(box.get("x")) - int(origin.get("x")))
              // int(box.get("width")))
        assert at == place, (what, at, place)


def check_layout(rng):
    shape = random_shape(rng, 24, 3)
    stride = strides_for(rng, shape)
    offset = rng.choice([0, 0, 3])
    bits = rng.choice([0, 0, 4, 8, 16, 32, 64, 128])
    plain = f"{text(shape)}:{text(stride)}"
    swizzle = (0, 0, 0)
    expression = plain
    if rng.random() < 0.4 and all(n >= 0 for n in leaves(stride)):
        swizzle = (rng.randint(1, 3), rng.randint(0, 4), 3)
        expression = "S<%d,%d,%d> o %d o %s" % (*swizzle, offset, plain)
    arguments = [f"--bits={bits}"] if bits else []
    root = ET.fromstring(show("--svg", *arguments, expression))
    cells = cells_of(root)
    check_all_coords(cells, shape, expression)
    check_position(cells, shape, expression)
    for g in cells:
        expected = value(parse(g.get("data-coord")), shape, stride)
        if swizzle[0]:
            expected = swizzled(swizzle, offset + expected)
        assert int(g.get("data-offset")) == expected, (expression, g.attrib)
        assert g.find(SVG + "text").text == str(expected), expression
        if bits:
            bank = expected * bits // 32 % 32
            assert int(g.get("data-bank")) == bank, (expression, g.attrib)
            assert g.find(SVG + "rect").get("class") == f"c{bank}", expression
    check_words(root, expression)
    check_text(expression, shape, cells)


def leaves(tree):
    if isinstance(tree, int):
        return [tree]
    return [n for t in tree for n in leaves(t)]


def swizzled(swizzle, n):
    bits, base, shift = swizzle
    mask = ((1 << bits) - 1) << (base + shift)
    return n ^ ((n & mask) >> shift)


def check_text(expression, shape, cells):
    """The text's cells, in order, are the drawn ones."""
    rows = re.findall(r"^[^+|]*\|(.*)\|$", show(expression), re.M)
    labels = [word for row in rows for word in re.findall(r"-?\d+", row)]
    assert labels == [g.get("data-offset") for g in cells], expression


def check_tv(rng):
    """Pairs are dealt out over a tile by a random one-to-one layout."""
    extents = [rng.choice([2, 3, 4, 8]) for _ in range(3)]
    order = rng.sample(range(3), 3)
    stride, scale = [0] * 3, 1
    for k in order:
        stride[k] = scale
        scale *= extents[k]
    rows = rng.choice([n for n in range(1, scale + 1)
                       if scale % n == 0 and max(n, scale // n) <= 256])
    tile = (rows, scale // rows)
    shape = (extents[0], (extents[1], extents[2]))
    tv = f"{text(shape)}:{text((stride[0], (stride[1], stride[2])))}"
    root = ET.fromstring(show("--svg", f"--tv={text(tile)}", tv))
    cells = cells_of(root)
    check_all_coords(cells, tile, tv)
    check_position(cells, tile, tv)
    for g in cells:
        thread, slot = int(g.get("data-thread")), int(g.get("data-value"))
        coord = (thread, coord_at(slot, shape[1]))
        led = value(coord, shape, (stride[0], (stride[1], stride[2])))
        assert led == index_of(parse(g.get("data-coord")), tile), (tv, g.attrib)
        assert [t.text for t in g.iter(SVG + "text")] == [
            f"T{thread}", f"V{slot}"], tv
        assert g.find(SVG + "rect").get("class") == f"c{thread % 32}"
        assert "data-others" not in g.attrib
    check_words(root, tv)


#===-- Geometry and colours -------------------------------------------------===#

# A monospaced character is at most this wide and high, in font sizes.
ADVANCE, ASCENT, DESCENT = 0.61, 0.75, 0.2


def rules_of(root):
    style = root.find(SVG + "style").text.split("@media")[0]  # in the light
    return {name: dict(p.split(":", 1) for p in body.split(";") if p)
            for names, body in re.findall(r"^(\S.*?)\{(.*?)\}", style, re.M)
            for name in names.split(",")}


def boxes_of(root):
    """(left, top, right, bottom, colour) of each text."""
    rules = rules_of(root)
    inside = {t for g in root.iter(SVG + "g") for t in g.iter(SVG + "text")}
    for element in root.iter(SVG + "text"):
        names = element.get("class", "").split()
        rule = rules["g text"] if element in inside else rules["." + names[0]]
        font = int(rule["font-size"][:-2])
        width = len(element.text) * font * ADVANCE
        x, y = int(element.get("x")), int(element.get("y"))
        left = x - width / 2 if element in inside or "mid" in names else x
        yield (left, y - font * ASCENT, left + width, y + font * DESCENT,
               rule["fill"])


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def check_words(root, what):
    """Texts are inside of the picture and of their cells, and apart."""
    width, height = int(root.get("width")), int(root.get("height"))
    boxes = sorted(boxes_of(root), key=lambda b: b[1])
    for i, box in enumerate(boxes):
        assert box[0] >= 0 and box[1] >= 0, (what, box)
        assert box[2] <= width and box[3] <= height, (what, box)
        for other in boxes[i + 1:]:
            if other[1] >= box[3]:
                break
            assert not overlap(box, other), (what, box, other)
    font = int(rules_of(root)["g text"]["font-size"][:-2])
    for g in root.iter(SVG + "g"):
        check_labels(g, font, what)


def check_labels(g, font, what):
    rect = {k: int(v) for k, v in g.find(SVG + "rect").items() if k != "class"}
    for label in g.iter(SVG + "text"):
        half = len(label.text) * font * ADVANCE / 2
        x, y = int(label.get("x")), int(label.get("y"))
        assert x - half >= rect["x"], what
        assert x + half <= rect["x"] + rect["width"], what
        assert y - font * ASCENT >= rect["y"], what
        assert y + font * DESCENT <= rect["y"] + rect["height"], what


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928
                        else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def check_colors():
    """WCAG AA, and 32 colours that are distinct."""
    for arguments in (["(8,8)"], ["--bits=32", "(8,8)"],
                      ["--tv=(8,8)", "(32,2)"]):
        rules = rules_of(ET.fromstring(show("--svg", *arguments)))
        fills = [rules[f".c{i}"]["fill"] for i in range(32)]
        assert len(set(fills)) == 32
        for fill in fills + [rules[".empty"]["fill"]]:
            assert contrast(fill, rules["g text"]["fill"]) >= 4.5
            assert contrast(fill, rules[".label"]["fill"]) >= 4.5
        for name in ("title", "value", "heading", "coord", "note"):
            assert contrast("#ffffff", rules["." + name]["fill"]) >= 4.5


def main():
    if len(sys.argv) == 2:
        check_words(ET.parse(sys.argv[1]).getroot(), sys.argv[1])
        return
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    for _ in range(count):
        check_layout(rng)
        check_tv(rng)
    check_colors()
    print(f"{count} layouts, {count} thread-value layouts: every cell is right")


if __name__ == "__main__":
    main()
