"""Writes one plain product.

usage: plain_write.py ELEMENT MAJORS TILE [EPILOGUE [STORE [SCHEDULE]]]
"""
import sys

from plain_gemm import Plain

element, majors, tile, *rest = sys.argv[1:]
keys = ("epilogue", "store", "schedule")
print(Plain(element, majors, tuple(int(extent) for extent in tile.split(",")), **dict(zip(keys, rest))).text())
