"""Write the ranges of characters that Unicode 14 had not assigned, from the tables of Python 3.11.

    python3.11 scripts/assigned.py

Their properties depend on the running Python, so `tavola/core/text.py` does not use them.
"""

import unicodedata
from itertools import groupby
from pathlib import Path

TABLE = Path(__file__).parents[1] / "tavola" / "core" / "unassigned.txt"
HEADER = "# Ranges of characters that Unicode 14.0 had not assigned, hexadecimal: made by scripts/assigned.py.\n"


def main() -> None:
    """Write the table."""
    if unicodedata.unidata_version != "14.0.0":
        raise SystemExit(f"unicodedata: expected Unicode 14.0.0, got {unicodedata.unidata_version}: run Python 3.11")
    free = (number for number in range(0x110000) if unicodedata.category(chr(number)) == "Cn")
    runs = (list(run) for _, run in groupby(enumerate(free), lambda pair: pair[1] - pair[0]))
    TABLE.write_text(HEADER + "".join(f"{run[0][1]:04X} {run[-1][1]:04X}\n" for run in runs), encoding="utf-8")


if __name__ == "__main__":
    main()
