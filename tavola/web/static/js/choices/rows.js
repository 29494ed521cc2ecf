// @ts-check
// A list in a picture that can be longer than its window: a piece with `data-rows` is the window, pieces with
// `data-row` are in it, those of the same row together, the least `data-rank` first. Rows out of sight cannot be
// touched. Finger, wheel and keys move the list by whole rows, so that no clickable part is cut in two.

import { hush } from "./choices.js";
import { onPhone } from "../site/page.js";

const HALF = 0.49, GLIDE = 250; // least size of rows on a wide screen; milliseconds
const NOTCH = 40; // pixels that a wheel turns for a row
const still = matchMedia("(prefers-reduced-motion: reduce)");
const lists = new WeakMap(); // by picture

class Rows {
  constructor(picture) {
    this.picture = picture;
    this.first = 0; // the first visible line
    this.cells = new Map(); // position of each part, by id
    this.turned = 0;
    picture.addEventListener("pointerdown", (event) => { this.from = { y: event.clientY, first: this.first }; });
    picture.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) picture.addEventListener(end, () => { this.from = null; });
    picture.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get frame() {
    return this.picture.querySelector("[data-rows]");
  }

  /** The rows in the order in which they are shown, as lists of parts. */
  get order() {
    const rows = new Map();
    for (const part of this.picture.querySelectorAll("[data-row]")) rows.set(part.dataset.row, [...rows.get(part.dataset.row) ?? [], part]);
    const rank = (parts) => Math.max(...parts.map((part) => Number(part.dataset.rank ?? 0)));
    return [...rows.values()].sort((one, other) => rank(one) - rank(other));
  }

  /** On a narrow screen rows keep their size; on a wide one they shrink to a half, and form two columns. */
  measure(count) {
    const [x, y, width, height] = this.frame.dataset.window.split(" ").map(Number), most = Number(this.frame.dataset.rows);
    const scale = onPhone.matches ? 1 : Math.max(HALF, Math.min(1, most / count));
    const lines = Math.floor(most / scale), columns = onPhone.matches || count <= lines ? 1 : 2;
    return { x, y, width, height, scale, lines, columns, row: height / most, last: Math.max(0, Math.ceil(count / columns) - lines) };
  }

  /** Put every part into place. `moved`: by the viewers themselves, who know where they will touch. */
  arrange({ moved = false } = {}) {
    if (!this.frame) return;
    const { order } = this, size = this.size = this.measure(order.length), before = this.cells;
    this.first = Math.min(Math.max(0, this.first), size.last);
    this.cells = new Map();
    order.forEach((parts, place) => {
      const line = Math.floor(place / size.columns) - this.first, column = place % size.columns;
      for (const part of parts) this.put(part, { ...size, line, column, away: line < 0 || line >= size.lines }, before.get(part.id), moved);
    });
    this.thumb(size);
  }

  put(part, { x, y, width, row, scale, line, column, away }, before, moved) {
    const at = { x: x + column * width / 2 + (column && width * (0.5 - HALF)), y: y + row * scale * line };
    const shift = (place) => `${place.x - scale * x}px ${place.y - scale * (y + row * part.dataset.row)}px`;
    part.style.translate = shift(at);
    part.style.scale = scale;
    part.classList.toggle("away", away);
    this.cells.set(part.id, { ...at, away });
    if (!before || (before.x === at.x && before.y === at.y)) return;
    if (!moved && part.dataset.codes) hush(part.dataset.codes.split("|"));
    if (!still.matches && !before.away) part.animate([{ translate: shift(before) }, { translate: shift(at) }], { duration: GLIDE, easing: "ease-out" });
  }

  /** Show the length of the list, and which part of it is visible. */
  thumb({ height, lines, last }) {
    this.frame.classList.toggle("needed", last > 0);
    const thumb = this.frame.querySelector(".thumb"), part = lines / (lines + last);
    thumb.style.scale = `1 ${part}`;
    thumb.style.translate = `0 ${(1 - part) * this.size.y + height * this.first / (lines + last)}px`;
  }

  /** Move to a line, within the list. */
  to(wanted) {
    const first = Math.min(Math.max(0, wanted), this.size?.last ?? 0);
    if (!this.frame || first === this.first) return;
    this.first = first;
    this.arrange({ moved: true });
  }

  drag(event) {
    if (!this.from || !this.frame || !this.size) return;
    const unit = this.picture.getScreenCTM().d * this.size.row * this.size.scale;
    this.to(this.from.first + Math.round((this.from.y - event.clientY) / unit));
  }

  wheel(event) {
    if (!this.frame || !this.size?.last) return;
    event.preventDefault();
    this.turned += event.deltaY;
    this.to(this.first + Math.trunc(this.turned / NOTCH));
    this.turned %= NOTCH;
  }

  /** Bring a part into sight. */
  show(part) {
    const place = this.order.findIndex((parts) => parts.includes(part));
    if (place < 0 || !part.classList.contains("away")) return;
    this.to(Math.floor(place / this.size.columns));
  }
}

/** Update after the pieces have changed. */
export function settleRows(root) {
  for (const frame of root?.querySelectorAll(".picture [data-rows]") ?? []) {
    const picture = frame.closest(".picture");
    if (!lists.has(picture)) lists.set(picture, new Rows(picture));
    lists.get(picture).arrange();
  }
}

/** Bring a row into sight, if the part is in one. */
export function showRow(part) {
  lists.get(part.closest(".picture"))?.show(part);
}

onPhone.addEventListener("change", () => settleRows(document));

document.addEventListener("keydown", (event) => {
  const turn = { PageUp: -1, PageDown: 1 }[event.key], picture = turn && document.querySelector(".picture [data-rows].needed")?.closest(".picture");
  const list = picture && !event.target.closest?.("input, select, textarea, dialog") && lists.get(picture);
  if (!list) return;
  list.to(list.first + turn * list.size.lines);
  event.preventDefault();
});
