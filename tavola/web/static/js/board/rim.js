// @ts-check
// Arrows at the edge of a movable board for important parts out of sight: a press leads there. A part with `data-rim`
// has one, with the shape of that name.

const INSET = 26, APART = 46; // pixels between an arrow's middle and the edge, and between two arrows
const TAKEN = ".finder, .zooms, .overview.needed"; // other elements there
const WAY = "M17-15L36 0L17 15z";

export class Rim {
  /** `zoom`: the movable picture. */
  constructor(zoom) {
    this.zoom = zoom;
    this.shown = "";
    this.place = zoom.picture.parentElement;
  }

  /** Show the arrows that are needed, each where the line to its part leaves the picture. */
  draw() {
    const seen = this.zoom.picture.getBoundingClientRect(), placed = [];
    for (const part of this.zoom.picture.querySelectorAll("[data-rim]")) {
      const box = part.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      if (!seen.width || (x >= seen.left && x <= seen.right && y >= seen.top && y <= seen.bottom)) continue;
      placed.push({ part, ...this.spot(seen, x, y, placed) });
    }
    const arrows = this.arrows(placed);
    placed.forEach(({ x, y, turned }, number) => {
      arrows[number].style.left = `${x - seen.left}px`;
      arrows[number].style.top = `${y - seen.top}px`;
      arrows[number].querySelector(".way").setAttribute("transform", `rotate(${turned})`);
    });
  }

  /** Where the line from the middle to a point meets the edge, beside elements that are already there. */
  spot(seen, toX, toY, placed) {
    const middle = { x: seen.left + seen.width / 2, y: seen.top + seen.height / 2 }, across = toX - middle.x, down = toY - middle.y;
    const part = Math.min((seen.width / 2 - INSET) / Math.abs(across || 1), (seen.height / 2 - INSET) / Math.abs(down || 1));
    let { x, y } = { x: middle.x + across * part, y: middle.y + down * part };
    const inwards = y < middle.y ? 1 : -1;
    for (const one of this.place.querySelectorAll(TAKEN)) {
      const box = one.getBoundingClientRect();
      const over = x > box.left - INSET && x < box.right + INSET && y > box.top - INSET && y < box.bottom + INSET;
      if (over) y = inwards > 0 ? box.bottom + INSET : box.top - INSET;
    }
    for (const other of placed) if (Math.hypot(other.x - x, other.y - y) < APART) y = other.y + inwards * APART;
    return { x, y, turned: (Math.atan2(down, across) * 180) / Math.PI };
  }

  /** Keep one button per arrow; new ones only if they are for other parts. */
  arrows(placed) {
    const wanted = placed.map(({ part }) => part.id).join(" ");
    if (wanted !== this.shown) {
      this.shown = wanted;
      this.place.querySelectorAll(".rim-arrow").forEach((button) => button.remove());
      this.place.append(...placed.map(({ part }) => this.arrow(part)));
    }
    return [...this.place.querySelectorAll(".rim-arrow")];
  }

  arrow(part) {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "rim-arrow", tabIndex: -1 });
    made.title = part.querySelector("title")?.textContent ?? "";
    made.setAttribute("aria-hidden", "true");
    made.dataset.to = part.id;
    made.innerHTML = `<svg class="${this.zoom.picture.getAttribute("class")}" viewBox="-36 -36 72 72"><path class="way" d="${WAY}"/><circle class="ground" r="22"/><use href="#${part.dataset.rim}" y="-3" transform="scale(.58)"/></svg>`;
    return made;
  }
}
