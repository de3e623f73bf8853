"""Runs the examples of a tool's --help: check_examples.py TOOL FOLDER."""
import os
import subprocess
import sys

tool, directory = sys.argv[1:]
os.makedirs(directory, exist_ok=True)
text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
examples = text[text.index("EXAMPLES:"):].replace("\\\n     ", "")
examples = [line.strip() for line in examples.split("\n")[1:] if line.strip()]
for example in examples:
    run = subprocess.run(example, shell=True, cwd=directory, capture_output=True, text=True,
                         check=False)
    if run.returncode or run.stderr:
        sys.exit(f"{example}: {run.stderr}")
print(f"{len(examples)} examples work")
