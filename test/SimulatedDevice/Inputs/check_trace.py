"""Prints the tracks of a timeline, and what is wrong with it.

usage: check_trace.py FILE
"""
import collections
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    names, slices, copies = {}, collections.defaultdict(list), []
    for e in events:
        track = e["pid"], e["tid"]
        if e["ph"] == "M":
            names[e["name"], *track] = e["args"]
        elif e["ph"] == "X":
            start, end = round(e["ts"] * 1e3), round((e["ts"] + e["dur"]) * 1e3)
            slices[track].append((start, end, e["name"]))
            if names["thread_name", *track]["name"] in ("TMA", "cp.async"):
                copies.append((end - start, e["args"]["bytes"]))
    for pid in sorted({pid for pid, _ in slices}):
        print(names["process_name", pid, 1]["name"])
        for track in sorted(t for t in slices if t[0] == pid):
            rows = sorted(slices[track])
            waits = sorted({name[6:] for _, _, name in rows if name.startswith("wait")})
            print(names["thread_name", *track]["name"] + f": {len(rows)} slices"
                  * (not waits) + f": waits at {', '.join(waits)}" * bool(waits))
            for a, b in zip(rows, rows[1:]):
                if a[1] > b[0] or a[0] > a[1]:
                    print("OVERLAP", a, b)
    print(f"{len(copies)} copies of {sum(size for _, size in copies)} bytes, "
          f"{min(copies)[0]} steps or longer")


main()
