"""A library exports exactly the functions that its headers declare.

usage: check_headers.py NM-OUTPUT HEADER-DIRECTORY
"""
import pathlib
import re
import sys

shown = {line.split()[2] for line in open(sys.argv[1])}
declared = {name for header in pathlib.Path(sys.argv[2]).glob("*.h")
            for name in re.findall(r"CUTE_API\s[^;]*?\b(cute\w+)\(",
                                   header.read_text())}
problems = [f"declared, not shown: {name}" for name in declared - shown]
problems += [f"shown, not declared: {name}" for name in shown - declared]
sys.exit("\n".join(sorted(problems)) or None)
