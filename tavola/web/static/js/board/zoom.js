// @ts-check
// Fingers, wheel and keys move and enlarge a big board. This changes the viewBox of the picture, which is not morphed,
// and never its pieces. Styles can depend on the scale: the picture has the class `near` if small print is legible,
// `whole` if not even large print is, and `--pixel` is a CSS pixel in units of the board.

import { Rim } from "./rim.js";
import { onPhone } from "../site/page.js";

const MOST = 6, CLOSEST = 2.8; // maximum magnification, and maximum CSS pixels per unit on a small screen
const STEP = 1.25, NUDGE = 0.1, SLIP = 8, GLIDE = 350;
const NEAR = 0.8, FAR = 0.55; // CSS pixels per unit at which names of 14 and of 20 units are legible
const READABLE = 1.05; // CSS pixels per unit when the player looks at a part
const TALL = 1.15; // a stage that is narrower than this in proportion to its height shows the board's box for it
const HANDLED = 4000; // milliseconds for which the board stays where the player has moved it
const ALL = 0.96; // maximum share of the picture for a part that is looked at
const PAD = { side: 24, top: 30, bottom: 62 }; // pixels around lit parts, with room for keys and arrows
const WORTH = 1.3; // least magnification that is worth it for parts already in sight
const still = matchMedia("(prefers-reduced-motion: reduce)");
const kept = new Map(); // the last view by board, kept when the page is shown again

export class Zoom {
  /** `picture`: an svg with a viewBox; a drag moves it, and a touch that does not slip is left to its parts. */
  constructor(picture) {
    this.picture = picture;
    const { x, y, width, height } = picture.viewBox.baseVal;
    this.home = { x, y, width, height };
    this.fingers = new Map();
    this.rim = new Rim(this);
    this.shownScale = 0;
    this.moved = -HANDLED;
    this.visited = 0;
    this.begin();
    picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    picture.addEventListener("pointerdown", (event) => this.down(event));
    picture.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) picture.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    picture.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.set(this.view.x, this.view.y, this.view.width)).observe(picture);
  }

  get name() {
    return `${location.pathname} ${this.picture.dataset.board}`;
  }

  /** Return to the last view; on a narrow screen begin with the most important part. After the match, show the whole. */
  begin() {
    const over = this.picture.closest(".room.over"), before = over ? this.home : kept.get(this.name);
    this.view = before ?? { ...this.home };
    this.set(this.view.x, this.view.y, this.view.width);
    const matters = [...this.picture.querySelectorAll("[data-focus]")].at(-1);
    if (!before && onPhone.matches && matters) this.look(matters, { glide: false });
  }

  /** The point of the board under a point of the window. */
  at(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(DOMMatrix.fromMatrix(this.picture.getScreenCTM() ?? {}).inverse());
    return { x: point.x, y: point.y };
  }

  /** CSS pixels per unit, at a width of the view. */
  scale(width = this.view.width) {
    const { clientWidth, clientHeight } = this.picture;
    return Math.min(clientWidth / width, clientHeight / (width * this.home.height / this.home.width)) || 1;
  }

  /** Enlarge by a factor around a point of the board. */
  grow(factor, around = { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 }) {
    const least = Math.min(this.home.width / MOST, this.picture.clientWidth / CLOSEST);
    const width = Math.min(this.home.width, Math.max(least, this.view.width / factor));
    const by = width / this.view.width;
    this.set(around.x - (around.x - this.view.x) * by, around.y - (around.y - this.view.y) * by, width);
  }

  /** A view limited to the board: the whole of it for sizes that make no sense, as those of a picture that is not shown. */
  within(x, y, asked) {
    const { home } = this, width = asked > 0 ? Math.min(asked, home.width) : home.width, height = width * home.height / home.width;
    const kept = (value, low, room) => Math.min(Math.max(Number.isFinite(value) ? value : low, low), low + Math.max(0, room));
    return { x: kept(x, home.x, home.width - width), y: kept(y, home.y, home.height - height), width, height };
  }

  set(x, y, width = this.view.width) {
    this.view = this.within(x, y, width);
    kept.set(this.name, this.view);
    this.frameView();
    this.overview();
    this.rim.draw();
  }

  /** Set the view if it has changed: laying out an unchanged board again is expensive. */
  frameView() {
    const { view, picture } = this, scale = this.scale(), shown = `${view.x} ${view.y} ${view.width} ${view.height}`;
    if (picture.getAttribute("viewBox") === shown && this.shownScale === scale) return;
    this.shownScale = scale;
    picture.setAttribute("viewBox", shown);
    picture.style.setProperty("--pixel", `${1 / scale}px`);
    picture.classList.toggle("near", scale >= NEAR);
    picture.classList.toggle("whole", scale < FAR);
    dispatchEvent(new Event("moved"));
  }

  /** The visible box of the board at a view, in the picture's proportions. */
  frame(view = this.view) {
    const scale = this.scale(view.width), width = this.picture.clientWidth / scale, height = this.picture.clientHeight / scale;
    return { x: view.x + (view.width - width) / 2, y: view.y + (view.height - height) / 2, width, height };
  }

  /** The small picture of the whole: visible while a part is shown, with a frame around that part. */
  overview() {
    const small = this.picture.parentElement?.querySelector(".overview");
    if (!small) return;
    small.classList.toggle("needed", this.view.width < this.home.width * 0.92);
    for (const [name, value] of Object.entries(this.frame())) small.querySelector(".seen")?.setAttribute(name, value);
  }

  /** Whether a part is completely visible. */
  sees(part) {
    const box = part.getBoundingClientRect(), seen = this.picture.getBoundingClientRect();
    return box.left >= seen.left && box.right <= seen.right && box.top >= seen.top && box.bottom <= seen.bottom;
  }

  /** The middle of a part, on the board. */
  middle(part) {
    const box = part.getBoundingClientRect();
    return this.at(box.x + box.width / 2, box.y + box.height / 2);
  }

  /** How far the middle of a part is from the final view; 0 if it is in sight. */
  away(part) {
    const frame = this.frame(this.goal ?? this.view), { x, y } = this.middle(part);
    return Math.hypot(Math.max(frame.x - x, 0, x - frame.x - frame.width), Math.max(frame.y - y, 0, y - frame.y - frame.height));
  }

  /** Show a part of the picture completely, large enough to read it if possible. */
  look(part, { glide = true } = {}) {
    const middle = this.middle(part), box = part.getBoundingClientRect(), scale = this.scale();
    const fits = ALL * scale * Math.min(this.picture.clientWidth / box.width, this.picture.clientHeight / box.height);
    const width = Math.min(this.home.width, this.view.width * scale / Math.min(fits, Math.max(scale, READABLE)));
    const height = width * this.home.height / this.home.width;
    this.glide({ x: middle.x - width / 2, y: middle.y - height / 2, width }, glide && !still.matches);
  }

  /** The box of a part, on the board. */
  box(part) {
    const { left, top, right, bottom } = part.getBoundingClientRect(), from = this.at(left, top), to = this.at(right, bottom);
    return { left: from.x, top: from.y, right: to.x, bottom: to.y };
  }

  /**
   * Show parts at a legible size, all of them if their names are still legible then; otherwise as many as are close
   * together, preferably `sensible` ones.
   */
  fit(parts, { glide = true } = {}) {
    const { clientWidth, clientHeight } = this.picture, boxes = parts.map((part) => this.box(part));
    const wide = clientWidth - 2 * PAD.side, high = clientHeight - PAD.top - PAD.bottom;
    const fits = ({ left, top, right, bottom }) => Math.min(wide / (right - left), high / (bottom - top));
    const least = Math.max(this.scale(this.home.width), FAR);
    const shown = together(boxes, parts.map((part) => part.classList.contains("sensible")), (box) => fits(box) >= least);
    const scale = Math.min(READABLE, Math.max(least, fits(shown)));
    if (this.holds(shown) && scale < this.scale((this.goal ?? this.view).width) * WORTH) return;
    const width = Math.min(this.home.width, (this.view.width * this.scale()) / scale), height = width * this.home.height / this.home.width;
    const down = (PAD.bottom - PAD.top) / 2 / scale;
    this.glide({ x: (shown.left + shown.right - width) / 2, y: (shown.top + shown.bottom - height) / 2 + down, width }, glide && !still.matches);
  }

  /** Whether nothing will cover a box or cut it off once the picture rests. */
  holds(box) {
    const view = this.goal ?? this.view, frame = this.frame(view), pixel = 1 / this.scale(view.width);
    return box.left >= frame.x && box.top >= frame.y && box.right <= frame.x + frame.width && box.bottom <= frame.y + frame.height - PAD.bottom * pixel;
  }

  glide(goal, slowly) {
    this.rest();
    if (!slowly) return this.set(goal.x, goal.y, goal.width);
    this.goal = this.within(goal.x, goal.y, goal.width);
    const start = { ...this.view }, began = performance.now();
    const frame = (now) => { // on a busy machine, a frame may have begun long before the glide
      const part = Math.min(1, Math.max(0, now - began) / GLIDE), eased = 1 - (1 - part) ** 3;
      const between = (name) => start[name] + (goal[name] - start[name]) * eased;
      this.set(between("x"), between("y"), between("width"));
      if (part < 1) this.gliding = requestAnimationFrame(frame);
      else this.goal = null;
    };
    this.gliding = requestAnimationFrame(frame);
  }

  /** Stop gliding. */
  rest() {
    cancelAnimationFrame(this.gliding);
    this.goal = null;
  }

  /** The player has moved the board: stay here. */
  taken() {
    this.rest();
    this.moved = performance.now();
    left.delete(this.picture);
  }

  get inHand() {
    return performance.now() - this.moved < HANDLED;
  }

  /** Show a part because the player wants to see it. */
  visit(part) {
    this.taken();
    if (part) this.look(part);
  }

  /** Show the next of the most important parts. */
  next(how) {
    const parts = this.picture.querySelectorAll("[data-focus]");
    if (parts.length) this.look(parts[this.visited++ % parts.length], how);
  }

  wheel(event) {
    event.preventDefault();
    this.taken();
    this.grow(event.deltaY < 0 ? STEP : 1 / STEP, this.at(event.clientX, event.clientY));
  }

  down(event) {
    this.rest();
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, slipped: this.fingers.size > 0 });
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const here = { x: event.clientX, y: event.clientY, slipped: true };
    if (!before.slipped && Math.hypot(here.x - before.x, here.y - before.y) < SLIP) return;
    if (!before.slipped) this.picture.setPointerCapture?.(event.pointerId);
    this.taken();
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
    else if (event.key === ".") this.next();
    else return;
    this.taken();
    event.preventDefault();
    event.stopPropagation();
  }
}

const union = (one, other) => ({ left: Math.min(one.left, other.left), top: Math.min(one.top, other.top), right: Math.max(one.right, other.right), bottom: Math.max(one.bottom, other.bottom) });
const apart = (one, other) => Math.hypot(one.left + one.right - other.left - other.right, one.top + one.bottom - other.top - other.bottom);

/** The box around as many boxes as fit, from the best starting box; `wanted` ones count most. */
function together(boxes, wanted, fits) {
  const grown = boxes.map((first, begin) => {
    const near = boxes.map((box, place) => ({ box, place })).sort((one, other) => apart(one.box, first) - apart(other.box, first));
    let round = first, worth = wanted[begin] ? boxes.length : 0;
    for (const { box, place } of near) {
      if (!fits(union(round, box))) continue;
      round = union(round, box);
      worth += wanted[place] ? boxes.length : 1;
    }
    return { round, worth };
  });
  return grown.reduce((best, one) => (one.worth > best.worth ? one : best)).round;
}

const known = new WeakMap();

/** The movable picture that a part belongs to or is beside. */
const zoomOf = (part) => known.get(part?.closest?.(".picture") ?? part?.closest?.(".board")?.querySelector(".picture[data-zoom]"));

/** On a narrow screen show the board's box for phones, and on a tall stage another one. */
export function settleBoxes(root) {
  for (const picture of root?.querySelectorAll(".picture[data-phone]") ?? []) {
    const { phone, tall } = picture.dataset, wide = picture.dataset.wide ??= picture.getAttribute("viewBox");
    const high = Boolean(tall) && !onPhone.matches && picture.clientWidth < TALL * picture.clientHeight;
    picture.classList.toggle("tall", high);
    if (!("zoom" in picture.dataset)) picture.setAttribute("viewBox", onPhone.matches ? phone : high ? tall : wide);
  }
}

onPhone.addEventListener("change", () => settleBoxes(document));
addEventListener("resize", () => settleBoxes(document));

/** Make every picture that asks for it movable, and restore its last view. */
export function settleZoom(root) {
  for (const picture of root?.querySelectorAll(".picture[data-zoom]") ?? []) {
    if (known.has(picture)) known.get(picture).begin();
    else known.set(picture, new Zoom(picture));
  }
}

const left = new WeakMap(); // the view before the board turned to an important part

/**
 * Turn to a part that must be seen while it is there (`data-glance`), unless the player has just moved the picture.
 * Return to the previous view when it has gone and no one else has to decide.
 */
export function glance(root) {
  const others = root?.querySelector('[data-mine="no"]');
  for (const picture of root?.querySelectorAll(".picture[data-zoom]") ?? []) {
    const zoom = known.get(picture), part = picture.querySelector("[data-glance]"), before = left.get(picture);
    zoom?.rim.draw();
    if (part && zoom && !zoom.inHand && !zoom.sees(part)) {
      if (!before) left.set(picture, { ...zoom.view });
      zoom.look(part);
    } else if (!part && before && !others) {
      left.delete(picture);
      zoom?.glide(before, !still.matches);
    }
  }
}

/**
 * Turn to the parts of a movable picture that a selector matches. On a narrow screen show all of them, unless the
 * player has just moved the picture and has not `asked` for them; on a wide one the nearest, if none is in sight.
 */
export function turnTo(selector, root, { asked = false } = {}) {
  for (const picture of root?.querySelectorAll(".picture[data-zoom]") ?? []) {
    const zoom = known.get(picture), parts = [...picture.querySelectorAll(selector)];
    if (!zoom || !parts.length) continue;
    if (onPhone.matches && (asked || !zoom.inHand)) {
      left.delete(picture);
      zoom.fit(parts);
    }
    if (onPhone.matches) continue;
    const nearest = parts.reduce((one, other) => (zoom.away(other) < zoom.away(one) ? other : one));
    if (zoom.away(nearest)) zoom.look(nearest);
  }
}

/** Look at a part, if it belongs to a movable picture. */
export function lookAt(part) {
  zoomOf(part)?.look(part);
}

document.addEventListener("click", (event) => {
  const rim = /** @type {HTMLElement} */ (event.target.closest?.(".rim-arrow"));
  if (rim) zoomOf(rim)?.visit(document.getElementById(rim.dataset.to));
  const button = event.target.closest?.("[data-grow], [data-next]"), zoom = zoomOf(button);
  if (button) zoom?.taken();
  if (button && zoom) "next" in button.dataset ? zoom.next() : zoom.grow(Number(button.dataset.grow));
  const small = /** @type {SVGSVGElement} */ (event.target.closest?.(".overview")), whole = zoomOf(small?.parentElement.querySelector(".picture[data-zoom]"));
  if (!small || !whole) return;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(small.getScreenCTM().inverse());
  whole.taken();
  whole.set(point.x - whole.view.width / 2, point.y - whole.view.height / 2);
});
