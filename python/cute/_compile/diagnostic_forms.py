"""Diagnostics for other programs, in the forms of the tools' option ``--diagnostics``."""

from __future__ import annotations

import json
import re
from typing import Any, Iterable
from urllib.parse import quote

FORMS = ("text", "json", "sarif", "github")
_LEVELS = {"error": ("error", "error"), "warning": ("warning", "warning"),
           "remark": ("note", "notice")}  # in SARIF, in GitHub's annotations
_RULE = re.compile(r"\[([a-z]+(?:-[a-z]+)+)\]$")  # at the end of a message
_KEYS = ("severity", "message", "file", "line", "column", "notes")

Finding = dict[str, Any]


def write(form: str, findings: Iterable[Finding], tool: str, version: str) -> str:
    """Returns findings in a form other than text.

    :param findings: each with ``severity``, ``message``, ``notes``, and ``file`` (empty: none),
        ``line`` and ``column`` (from 1; 0: not known)
    """
    if form == "json":
        return json.dumps([_plain(found) for found in findings], indent=1) + "\n"
    if form == "sarif":
        driver = {"name": tool, "version": version}
        run = {"tool": {"driver": driver}, "results": list(map(_result, findings))}
        return json.dumps({"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                           "runs": [run]}, indent=1) + "\n"
    return "".join(_annotation(found) + "\n" for found in findings)


def _plain(found: Finding) -> Finding:
    """Returns a finding with the keys that the tools have; what is not known is left out."""
    kept = {**_rule(found, "rule"), **{key: found[key] for key in _KEYS if found[key]}}
    if "notes" in kept:
        kept["notes"] = list(map(_plain, kept["notes"]))
    return kept


def _rule(found: Finding, key: str) -> Finding:
    """Returns the name of the rule that the message ends with under a key, or nothing."""
    named = _RULE.search(found["message"])
    return {key: named[1]} if named else {}


def _place(found: Finding) -> Finding:
    place: Finding = {"artifactLocation": {"uri": quote(found["file"], safe="/:,")}}
    if found["line"]:
        place["region"] = {"startLine": found["line"], "startColumn": found["column"] or 1}
    return {"physicalLocation": place}


def _result(found: Finding) -> Finding:
    result: Finding = {**_rule(found, "ruleId"), "level": _LEVELS[found["severity"]][0],
                       "message": {"text": found["message"]}}
    if found["file"]:
        result["locations"] = [_place(found)]
    related = [{"message": {"text": note["message"]}, **_place(note)}
               for note in found["notes"] if note["file"]]
    return {**result, "relatedLocations": related} if related else result


def _annotation(found: Finding) -> str:
    place = f" file={_escaped(found['file'], '%:,')}" if found["file"] else ""
    if found["line"]:
        place += f",line={found['line']},col={found['column']}"
    text = "\n".join([found["message"], *(f"note: {note['message']}" for note in found["notes"])])
    return f"::{_LEVELS[found['severity']][1]}{place}::{_escaped(text, '%')}"


def _escaped(text: str, special: str) -> str:
    return "".join(f"%{ord(c):02X}" if c in f"{special}\r\n" else c for c in text)
