"""Command line of the steps from the outline of the land to the map."""

import json
import sys
from pathlib import Path

from scripts.atlas import __doc__ as usage

PICTURE = Path(__file__).parents[2] / "tavola" / "games" / "expedition" / "picture"


def main(step: str = "", source: str = "") -> int:
    """Run one step; return 2 for an unknown one."""
    if step == "land" and source:
        from scripts.atlas.land import land_drawing

        (PICTURE / "land.svg").write_text(land_drawing(Path(source)), encoding="utf-8")
    elif step == "layout":
        from scripts.atlas.layout import layout

        lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in layout().items()]
        (PICTURE / "layout.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    elif step == "plate":
        from scripts.atlas.plate import plate

        (PICTURE / "map.svg").write_text(plate(PICTURE), encoding="utf-8")
    else:
        sys.stderr.write(f"{usage}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
