#!/usr/bin/env python3
"""Stages the documentation for MkDocs: stage.py ROOT FOLDER

FOLDER/docs gets the pages of docs/ and the Markdown files that they link to. A link to
another file or folder of the repository becomes a link to a page with its text or its
list of files. FOLDER/mkdocs.yml inherits site/mkdocs.yml; its navigation has the sections
of docs/README.md. A link that leads nowhere is an error.
"""
import json
import os
import re
import sys

LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
LANGUAGES = {".c": "c", ".h": "c", ".def": "c", ".py": "python", ".rs": "rust",
             ".cpp": "c++", ".json": "json", ".toml": "toml", ".sh": "sh", ".ipynb": "json"}
LONGEST = 300_000  # characters of a file that becomes a page
UNSEARCHED = "---\nsearch: {exclude: true}\n---\n"  # begins pages of the repository's files


class Stage:
    """Copies pages, and notes what they link to until all of that is copied."""

    def __init__(self, root, folder):
        self.root, self.docs = root, os.path.join(folder, "docs")
        self.pages = {"README.md": "index.md"}  # file or folder: page
        self.wanted = ["README.md"]
        self.problems = []

    def page(self, path):
        """The page of a file or folder, which is wanted from now on."""
        if path not in self.pages:
            if path.endswith((".svg", ".png")):
                name = path
            elif path.startswith("docs/") and path.endswith(".md"):
                name = path[len("docs/"):].replace("README.md", "contents.md")
            elif path.endswith(".md"):
                name = path.replace("README.md", "index.md")
            else:
                name = f"source/{path}.md"
            self.pages[path] = name
            self.wanted.append(path)
        return self.pages[path]

    def link(self, source, target):
        """The target of a link in the file `source`, as its page needs it."""
        path, _, anchor = target.partition("#")
        if not path or re.match(r"\w+:", path):
            return target
        path = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if not os.path.exists(os.path.join(self.root, path)):
            self.problems.append(f"{source}: no file {target}")
            return target
        here = os.path.dirname(self.pages[source])
        there = os.path.relpath(self.page(path), here or ".")
        return there + ("#" + anchor if anchor else "")

    def markdown(self, path):
        """The text of a Markdown file, with its links to pages."""
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            text = file.read()
        parts, end = [], 0
        for code in CODE.finditer(text):
            parts += [(text[end:code.start()], False), (code[0], True)]
            end = code.end()
        parts.append((text[end:], False))
        # Code within the text of a link must not hide the link.
        marks = [code for code, is_code in parts if is_code]
        text = "".join("\0" if is_code else part for part, is_code in parts)
        text = LINK.sub(lambda m: m[1] + self.link(path, m[2]) + m[3], text)
        codes = iter(marks)
        return re.sub("\0", lambda _: next(codes), text)

    def listing(self, path):
        """A page with the files of a folder."""
        names = sorted(name for name in os.listdir(os.path.join(self.root, path))
                       if not name.startswith((".", "__")))
        here = os.path.dirname(self.pages[path])
        lines = [f"- [{name}]({os.path.relpath(self.page(f'{path}/{name}'), here)})"
                 for name in names if self.is_shown(f"{path}/{name}")]
        return f"{UNSEARCHED}# {path}/\n\n" + "\n".join(lines) + "\n"

    def is_shown(self, path):
        """Tells whether a file or folder of a folder becomes a page."""
        path = os.path.join(self.root, path)
        if os.path.isdir(path):
            return not os.path.islink(path)
        if os.path.getsize(path) > LONGEST:
            return False
        with open(path, "rb") as file:
            return b"\0" not in file.read()

    def source(self, path):
        """A page with the text of a file."""
        with open(os.path.join(self.root, path), encoding="utf-8",
                  errors="replace") as file:
            text = file.read()
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        fence = "`" * max([3] + [len(run) + 1 for run in re.findall("`{3,}", text)])
        return f"{UNSEARCHED}# {path}\n\n{fence}{language}\n{text.rstrip()}\n{fence}\n"

    def copy(self, path):
        """Writes the page of a file or folder."""
        full = os.path.join(self.root, path)
        target = os.path.join(self.docs, self.pages[path])
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if path.endswith((".svg", ".png")):
            with open(full, "rb") as source, open(target, "wb") as file:
                file.write(source.read())
            return
        text = (self.listing(path) if os.path.isdir(full) else
                self.markdown(path) if path.endswith(".md") else self.source(path))
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)

    def run(self):
        """Copies all that README.md and docs/ lead to."""
        for name in sorted(os.listdir(os.path.join(self.root, "docs"))):
            if name.endswith(".md"):
                self.page(f"docs/{name}")
        while self.wanted:
            self.copy(self.wanted.pop())

    def navigation(self):
        """The sections of docs/README.md."""
        with open(os.path.join(self.root, "docs/README.md"), encoding="utf-8") as file:
            text = file.read()
        nav = [{"Home": "index.md"}, {"Layouts, live": "layouts.md"}]
        for section in text.split("\n## ")[1:]:
            title, _, body = section.partition("\n")
            nav.append({title: [{m[1][1:2].upper() + m[1][2:-2]: self.link("docs/README.md", m[2])}
                                for m in LINK.finditer(body)]})
        return nav


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, folder = sys.argv[1:]
    stage = Stage(root, folder)
    stage.run()
    config = {"INHERIT": os.path.abspath(os.path.join(root, "site/mkdocs.yml")),
              "theme": {"custom_dir": os.path.abspath(os.path.join(root, "site/theme"))},
              "docs_dir": "docs", "site_dir": "html", "nav": stage.navigation()}
    for name in ("layouts.md", "layouts.css", "layouts.js", "worker.js"):
        target = os.path.join(stage.docs, "" if name.endswith(".md") else "assets", name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(os.path.join(root, "site", name), encoding="utf-8") as source, \
                open(target, "w", encoding="utf-8") as file:
            file.write(source.read())
    with open(os.path.join(folder, "mkdocs.yml"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=1)
    print("\n".join(stage.problems))
    print(f"{len(stage.pages)} pages, {len(stage.problems)} problems")
    return bool(stage.problems)


if __name__ == "__main__":
    sys.exit(main())
