"""Renews the lists of limits that methods miss in everyday scenes, crates/octide-cases/src/expectations/everyday/METHOD.txt,
from the results of `octide verify everyday --docs FOLDER` or `octide verify everyday --quick --docs FOLDER`:

    python3 tools/everyday/misses.py FOLDER/results.json...

Lines of the other form, and reasons, are kept. Build octide again, and let `octide verify --docs docs/verify --judge` judge the page
by the new lists.
"""

import json
import math
import sys
from pathlib import Path

LISTS = Path(__file__).parents[2] / "crates/octide-cases/src/expectations/everyday"


def short(x):
    """Returns a number as octide's pages show it."""
    a = abs(x)
    if x == math.trunc(x) and a < 1e6:
        return str(int(x))
    if 1e-3 <= a < 1e6:
        text = f"{x:.{min(max(3 - math.floor(math.log10(a)), 0), 6)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits, power = f"{x:.3e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{int(power)}"


def holds(limit, x):
    """Returns whether a number is within a limit."""
    (kind, bound), = limit.items()
    return x <= bound if kind == "at_most" else x >= bound


def misses(record, reasons):
    """Returns the lines of a record."""
    form = "quick" if record["quick"] else "full"
    for q in record["quantities"]:
        if q["limit"] is None or q["measured"] is None or holds(q["limit"], q["measured"]):
            continue
        name, unit = q["quantity"], f" {q['unit']}" if q["unit"] else ""
        fields = [form, name, short(q["measured"]) + unit, reasons.get((form, name), "")]
        yield " | ".join(fields).rstrip(" |")


def renew(record):
    """Replaces the lines of a record's form in the list of its method."""
    path = LISTS / f"{record['method']}.txt"
    old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    fields = [[field.strip() for field in line.split("|", 3)] for line in old]
    reasons = {(f[0], f[1]): f[3] for f in fields if len(f) == 4}
    form = "quick" if record["quick"] else "full"
    lines = [line for line, f in zip(old, fields) if f[0] != form] + list(misses(record, reasons))
    lines.sort(key=lambda line: line.startswith("quick"))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    print(f"{path.name}: {len(lines)} limits are missed")


for name in sys.argv[1:]:
    for case in json.loads(Path(name).read_text(encoding="utf-8"))["cases"]:
        if case["case"] == "everyday" and case["error"] is None:
            renew(case)
