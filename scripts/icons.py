"""Draw the icons of the installed page from the SVG files beside them: `python -m scripts.icons`."""

import base64
from pathlib import Path

from tavola.show.testing import chromium

FOLDER = Path(__file__).parents[1] / "tavola" / "web" / "static" / "icons"
DRAWN = {"icon": (192, 512), "maskable": (180, 512), "badge": (96,)}
"""Widths in pixels by source; 180 is for the home screen of iOS, which rounds the corners itself."""


def main() -> None:
    """Draw every icon."""
    with chromium() as browser:
        for name, sizes in DRAWN.items():
            source = base64.b64encode((FOLDER / f"{name}.svg").read_bytes()).decode()
            for size in sizes:
                page = browser.new_page(viewport={"width": size, "height": size})
                image = f"<img width={size} height={size} src='data:image/svg+xml;base64,{source}'>"
                page.set_content(f"<body style='margin:0;background:none'>{image}")
                page.screenshot(path=FOLDER / f"{name}-{size}.png", omit_background=True)


if __name__ == "__main__":
    main()
