"""Runs a program as $WORLD_SIZE processes that know their RANK: ranks.py FILE [ARGS]"""
import os
import subprocess
import sys

processes = [
    subprocess.Popen([sys.executable, *sys.argv[1:]],
                     env=dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank)))
    for rank in range(int(os.environ["WORLD_SIZE"]))
]
sys.exit(max(process.wait() for process in processes))
