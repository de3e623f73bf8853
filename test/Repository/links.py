#!/usr/bin/env python3
"""Checks the links between the Markdown pages of a folder: links.py FOLDER."""
import pathlib
import re
import sys

SKIPPED = {"build", ".git", "node_modules"}
STAGED = {"site": "docs"}  # pages of the site, which site/stage.py puts beside others


def headings(page):
    """The names under which GitHub has a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    names = []
    for title in re.findall(r"^#+ (.*)$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower())
        name = name.strip().replace(" ", "-")
        names.append(f"{name}-{names.count(name)}" if name in names else name)
    return names


def problems(root):
    for page in sorted(root.rglob("*.md")):
        if SKIPPED & set(page.relative_to(root).parts):
            continue
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
            if re.match(r"\w+:", link):
                continue
            path, _, heading = link.partition("#")
            folder = page.parent.relative_to(root)
            target = root / STAGED.get(str(folder), folder) / path if path else page
            if not target.exists():
                yield f"{page.relative_to(root)}: no file {path}"
            elif heading and target.suffix == ".md" and heading not in headings(target):
                yield f"{page.relative_to(root)}: no heading {heading} in {target.name}"


def main():
    found = list(problems(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
