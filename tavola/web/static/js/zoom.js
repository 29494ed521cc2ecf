// A large board moves and grows under the fingers, the wheel and the keys. It changes the viewBox of the picture, which
// is not morphed, and never the pieces in it.

const MOST = 6, STEP = 1.25, NUDGE = 0.1;

export class Zoom {
  /** `picture`: an svg with a viewBox; a drag moves it unless it began on something that can be chosen. */
  constructor(picture) {
    this.picture = picture;
    this.home = picture.viewBox.baseVal;
    this.home = { x: this.home.x, y: this.home.y, width: this.home.width, height: this.home.height };
    this.view = { ...this.home };
    this.fingers = new Map();
    picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    picture.addEventListener("pointerdown", (event) => this.down(event));
    picture.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) picture.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    picture.addEventListener("keydown", (event) => this.key(event));
  }

  /** The point of the board under a point of the window. */
  at(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(this.picture.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  /** Grow by a factor around a point of the board. */
  grow(factor, around = { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 }) {
    const width = Math.min(this.home.width, Math.max(this.home.width / MOST, this.view.width / factor));
    const by = width / this.view.width;
    this.set(around.x - (around.x - this.view.x) * by, around.y - (around.y - this.view.y) * by, width);
  }

  set(x, y, width = this.view.width) {
    const height = width * this.home.height / this.home.width, { home } = this;
    const within = (value, low, room) => Math.min(Math.max(value, low), low + Math.max(0, room));
    this.view = { x: within(x, home.x, home.width - width), y: within(y, home.y, home.height - height), width, height };
    const { view } = this;
    this.picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  wheel(event) {
    event.preventDefault();
    this.grow(event.deltaY < 0 ? STEP : 1 / STEP, this.at(event.clientX, event.clientY));
  }

  down(event) {
    if (!event.target.closest(".clickable")) this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const here = { x: event.clientX, y: event.clientY };
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    const from = this.at(before.x, before.y), to = this.at(here.x, here.y);
    if (other) this.grow(Math.hypot(here.x - other.x, here.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1), this.at(other.x, other.y));
    else this.set(this.view.x + from.x - to.x, this.view.y + from.y - to.y);
    this.fingers.set(event.pointerId, here);
  }

  key(event) {
    const { view } = this, shift = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (shift) this.set(view.x + shift[0] * view.width * NUDGE, view.y + shift[1] * view.height * NUDGE);
    else if (event.key === "+") this.grow(STEP);
    else if (event.key === "-") this.grow(1 / STEP);
    else if (event.key === "0") this.set(this.home.x, this.home.y, this.home.width);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const known = new WeakMap();

const narrow = matchMedia("(max-width: 700px)");

/** On a narrow screen a board shows the part of it that is meant for one. */
export function settleBoxes(root) {
  for (const picture of root?.querySelectorAll(".picture[data-phone]") ?? []) {
    picture.dataset.wide ??= picture.getAttribute("viewBox");
    if (!("zoom" in picture.dataset)) picture.setAttribute("viewBox", narrow.matches ? picture.dataset.phone : picture.dataset.wide);
  }
}

narrow.addEventListener("change", () => settleBoxes(document));

/** Make every picture that asks for it movable, and its buttons work. */
export function settleZoom(root) {
  for (const picture of root?.querySelectorAll(".picture[data-zoom]") ?? []) if (!known.has(picture)) known.set(picture, new Zoom(picture));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-grow]");
  const picture = button?.closest(".board")?.querySelector(".picture[data-zoom]");
  if (picture) known.get(picture)?.grow(Number(button.dataset.grow));
});
