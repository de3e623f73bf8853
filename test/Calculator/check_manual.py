"""Compares --help with the manual page, and runs its examples."""
import os
import re
import subprocess
import sys

tool, page, directory = sys.argv[1:]
os.makedirs(directory, exist_ok=True)
help_text = subprocess.run([tool, "--help"], capture_output=True, text=True,
                           check=True).stdout
manual = open(page).read()
missing = []

usage = help_text[:help_text.index("EXPRESSIONS:")]
words = set(re.findall(r"--[a-z]+", usage)) | {
    "-o", *re.findall(r"^  ([a-z]+) ", usage, re.M)}
for word in sorted(words):
    dashed = "Fl " + word[1:] if word.startswith("-") else "Cm " + word
    if not re.search(re.escape(dashed).replace("Fl\\ ", "(Fl |[|] |, )")
                     + r"\b", manual):
        missing.append(word)

examples = help_text[help_text.index("EXAMPLES:"):].replace("\\\n     ", "")
examples = [line.strip() for line in examples.split("\n")[1:] if line.strip()]
in_manual = re.sub(r"\\e\n *", "", manual)
for example in examples:
    run = subprocess.run(example, shell=True, cwd=directory,
                         capture_output=True, text=True)
    if run.returncode or run.stderr:
        missing.append(f"{example}: {run.stderr}")
    if " ".join(example.split()) not in " ".join(in_manual.split()):
        missing.append(f"{example} (in the manual)")

print(f"{len(words)} words and {len(examples)} examples, "
      f"{len(missing)} missing or failing", *missing, sep="\n")
