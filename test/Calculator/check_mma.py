#!/usr/bin/env python3
"""Checks that in the picture of an MMA, A's rows and B's columns meet C's."""
import sys
import xml.etree.ElementTree as ET

from check_pictures import SVG, cells_of, parse


def main():
    places = {"A": {}, "B": {}, "C": {}}
    for g in cells_of(ET.parse(sys.argv[1]).getroot()):
        rect = g.find(SVG + "rect")
        places[g.get("data-operand")][parse(g.get("data-coord"))] = (
            int(rect.get("x")), int(rect.get("y")))
    for (m, n), (x, y) in places["C"].items():
        for (row, k), (a_x, a_y) in places["A"].items():
            assert row != m or (a_y == y and a_x < x), (m, n, k)
        for (column, k), (b_x, b_y) in places["B"].items():
            assert column != n or (b_x == x and b_y < y), (m, n, k)
    assert len(places["A"]) and len(places["B"]) and len(places["C"])


if __name__ == "__main__":
    main()
