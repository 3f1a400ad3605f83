"""Prints one row of the table of tools/everyday/run."""

import json
import sys
from pathlib import Path

scene, code, stats = sys.argv[1:]
rows = []
if Path(stats).exists():
    with open(stats, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][1:]
if not rows:
    print(f"{scene:10} {code:>5}")
    sys.exit()
last = rows[-1]
late = [row["volume_drift"] for row in rows if row["time"] > 0.3 * last["time"]]
seconds = sum(sum(row["seconds"].values()) for row in rows)
print(
    f"{scene:10} {code:>5} {last['frame']:6} {last['cells']:6} {100 * last['volume_drift']:9.2f} "
    f"{100 * max(late, key=abs):9.2f} {last['volume_correction']:9.3g} {max(row['max_speed'] for row in rows):8.2f} "
    f"{seconds:8.1f}"
)
