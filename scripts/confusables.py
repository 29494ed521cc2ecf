"""Write the table of look-alike characters for comparing names, from Unicode's own file.

    python scripts/confusables.py confusables.txt

The file is `confusables.txt` of Unicode Technical Standard 39 (https://www.unicode.org/Public/security/), with the
SHA-256 below. Characters that compatibility decomposition (NFKD) changes are left out, since names are decomposed
first.
"""

import hashlib
import sys
import unicodedata
from pathlib import Path

SHA256 = "96f2500ec78fd96f11561d4b40237435dfece70303b1db3c0974138a333aa206"
TABLE = Path(__file__).parents[1] / "tavola" / "live" / "log" / "confusables.txt"
HEADER = """\
# Characters and what they look like, hexadecimal: made by scripts/confusables.py, source and licence in confusables.md.
"""


def main(source: Path) -> None:
    """Check the file, and write the table."""
    content = source.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise SystemExit(
            f"{source}: expected SHA-256 {SHA256}; a newer file needs its checksum here and in confusables.md"
        )
    rows = (line.split("#")[0].split(";") for line in content.decode("utf-8-sig").splitlines())
    pairs = sorted((row[0].strip(), row[1].strip()) for row in rows if len(row) > 1)
    kept = [f"{one} {like}\n" for one, like in pairs if unicodedata.is_normalized("NFKD", chr(int(one, 16)))]
    TABLE.write_text(HEADER + "".join(kept), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
