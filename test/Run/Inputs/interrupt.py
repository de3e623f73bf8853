"""Starts cute-tune on a folder, sends it a signal when it has timed a kernel, and
prints what it said and how it ended: interrupt.py CUTE_TUNE FOLDER LIBRARY_PATH"""
import os
import signal
import subprocess
import sys
import time

program, folder, libraries = sys.argv[1:]
process = subprocess.Popen(
    [sys.executable, program, folder], stderr=subprocess.PIPE, text=True,
    env={**os.environ, "LD_LIBRARY_PATH": libraries})
while process.poll() is None:
    with open(f"{folder}/results.jsonl", "a+", encoding="utf-8") as file:
        file.seek(0)
        if '"id": 0, "milliseconds"' in file.read():
            break
    time.sleep(0.01)
process.send_signal(signal.SIGTERM)
print(process.communicate()[1], f"exit code {process.returncode}")
