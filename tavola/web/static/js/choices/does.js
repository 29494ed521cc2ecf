// @ts-check
// Consequences of a choice: in full below the question, and in a few words beside its part on the main board.

import { labelled } from "../site/page.js";

const GAP = 4, EDGE = 3, OFTEN = 8, RESTS = 150; // pixels; steps along half a side at which a label is tried; milliseconds
const LARGE = 0.12, HIDES = 0.4, COVERS = 0.08; // parts larger than this share of the stage are scenery; the cost of hiding an unlit part; the share of a label that may overlap lit parts and print
const ORDER = { grave: 0, good: 1, plain: 2 };
const room = () => document.getElementById("room");
const place = (id) => room()?.querySelector(`#${id}`);

let resting, drawn;
let kept = { options: [], armed: "", told: null };

/** `told`: consequence of the selected code or the plan; `options`: { codes, does } for all present choices. */
export function tell(told, options, armed) {
  kept = { options, armed, told };
  say(told);
  place("plates")?.replaceChildren();
  cancelAnimationFrame(drawn);
  drawn = requestAnimationFrame(settle);
}

/** Place the labels in the next frame, when everything is measured anyway, and again when pieces come to rest. */
function settle() {
  if (!room()) return;
  lay();
  const sliding = document.getAnimations().filter(slides);
  if (sliding.length) Promise.allSettled(sliding.map(({ finished }) => finished)).then(moved);
}

/** Whether a script moves a piece of the board; animations by styles are only decoration. */
function slides(animation) {
  const adorns = animation instanceof CSSAnimation || animation instanceof CSSTransition;
  return !adorns && animation.playState === "running" && animation.effect?.target?.closest(".stage .picture");
}

/** Show the consequence of the part that is pointed at, and then that of the selected code again. */
export function pointAt(codes) {
  const meant = codes.length ? kept.options.find((option) => option.does && option.codes.length === codes.length && option.codes.every((code) => codes.includes(code))) : null;
  say(meant?.does ?? kept.told);
}

/** Mark the room while a line lies over the seats, and while there are tools: a style that asked would be slow. */
export function settleLine() {
  const holds = (parts) => Boolean(room()?.querySelector(parts));
  room()?.classList.toggle("tooled", holds(".steps > *, .scales > *"));
  room()?.classList.toggle("lined", holds(".asked-card, .coach:not([hidden]), .does-told:not([hidden]), .steps > *, .scales > *, .since-place"));
}

function say(does) {
  const line = place("does");
  if (!line) return;
  line.hidden = !does;
  line.className = `does-told ${does?.[2] ?? ""}`;
  const text = does ? does[1] || does[0] : "";
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("long", text.length > 90);
  settleLine();
}

/** Show that pressing a button again plays an action: `lead` says so, `label` what it is, as the button's word does. */
export function confirms(made, lead, label) {
  made.insertAdjacentHTML("afterbegin", '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-play"/></svg>');
  made.setAttribute("aria-label", labelled(lead, label));
  return made;
}

/** The second line of a button. */
export function line(does) {
  const made = document.createElement("span");
  made.className = "does";
  made.textContent = does[0];
  return made;
}

// Labels on the board

/** The box of a part; for a large part, that of its marked anchor. */
const anchor = (part) => (part.querySelector("[data-plate]") ?? part).getBoundingClientRect();

/** The visible piece of the main board that stands for exactly these codes. */
function partOf(codes, frame) {
  const parts = [...room().querySelectorAll(".stage .board > .picture:not(.overview) .clickable")];
  const meant = parts.filter((part) => {
    const own = (part.dataset.codes ?? "").split("|");
    return codes.every((code) => own.includes(code)) && own.filter((code) => kept.options.some((option) => option.codes.includes(code))).length === codes.length;
  });
  const boxes = meant.map(anchor);
  return boxes.find((box) => box.width && box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom);
}

/**
 * Place each label on the stage where it is nearest to its own part and hides least of lit parts, print and other labels.
 * Grave consequences come first. A label without a free place is only on its button, unless its part is selected.
 */
function lay() {
  const holder = place("plates"), stage = holder?.parentElement;
  if (!stage) return;
  holder.replaceChildren();
  const told = kept.options.filter(({ does }) => does);
  if (!told.length) return;
  const frame = stage.getBoundingClientRect();
  const parts = told.map((option) => ({ ...option, at: partOf(option.codes, frame) })).filter(({ at }) => at);
  const boxes = (selector) => [...stage.querySelectorAll(selector)].map(anchor);
  const lit = [...boxes(".picture .clickable"), ...boxes(".picture:not(.overview) :is(text, [data-clear])")];
  const things = boxes(".picture .piece").filter(({ width, height }) => width * height < LARGE * frame.width * frame.height);
  const taken = [], singled = ({ codes }) => Boolean(kept.armed) && codes.includes(kept.armed);
  parts.sort((one, other) => Number(singled(other)) - Number(singled(one)) || ORDER[one.does[2]] - ORDER[other.does[2]]);
  const plates = parts.map((part) => plate(part.does, singled(part)));
  holder.append(...plates);
  tighten(plates);
  const sizes = plates.map((one) => one.getBoundingClientRect());
  parts.forEach((part, number) => put(part, plates[number], sizes[number], singled(part)));

  function put({ at }, plate, { width, height }, must) {
    const others = parts.map((part) => part.at).filter((other) => other !== at), own = (box) => others.every((other) => apart(box, at) < apart(box, other));
    const free = around(at, width, height, frame).filter((box) => !covered(box, taken) && (must || own(box))).map((box) => ({ ...box, covers: covered(box, lit) }));
    const cost = (box) => box.covers + box.far + HIDES * covered(box, things);
    const best = free.length ? free.reduce((one, other) => (cost(other) < cost(one) ? other : one)) : null;
    if (!best || (!must && best.covers > width * height * COVERS)) return plate.remove();
    taken.push(best);
    plate.style.left = `${best.left - frame.left}px`;
    plate.style.top = `${best.top - frame.top}px`;
  }
}

function plate(does, must) {
  const made = document.createElement("p");
  made.className = `plate ${does[2]} ${must ? "singled" : ""}`;
  made.textContent = does[0];
  return made;
}

/** Make labels as wide as their lines; measure all before changing any, so that the page is laid out only once. */
function tighten(plates) {
  const widths = plates.map((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getBoundingClientRect().width;
  });
  plates.forEach((one, number) => (one.style.width = `${Math.ceil(widths[number]) + 1}px`));
}

/** Positions of a box of a size around another, along all four sides, those nearest to the middle of a side first. */
function around(at, width, height, frame) {
  const across = (at.left + at.right) / 2 - width / 2, down = (at.top + at.bottom) / 2 - height / 2, found = [];
  for (let step = -OFTEN; step <= OFTEN; step++) {
    const x = across + (step / OFTEN) * ((at.width + width) / 2), y = down + (step / OFTEN) * ((at.height + height) / 2), far = Math.abs(step) * 3;
    found.push([x, at.top - height - GAP, far], [x, at.bottom + GAP, far + 1], [at.right + GAP, y, far + 2], [at.left - width - GAP, y, far + 2]);
  }
  return found.map(([x, y, far]) => {
    const left = within(x, width, frame.left, frame.right), top = within(y, height, frame.top, frame.bottom);
    return { left, top, right: left + width, bottom: top + height, far: far * 4 + Math.abs(left - x) + Math.abs(top - y) };
  });
}

const within = (value, size, least, most) => Math.max(least + EDGE, Math.min(value, most - size - EDGE));

function covered(box, others) {
  return others.reduce((sum, { left, top, right, bottom }) => sum + Math.max(0, Math.min(box.right, right) - Math.max(box.left, left)) * Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top)), 0);
}

/** Pixels between two boxes, across and down together. */
const apart = (one, other) => Math.max(0, one.left - other.right, other.left - one.right) + Math.max(0, one.top - other.bottom, other.top - one.bottom);

/** The board moves or changes its size: the labels return when it rests. */
function moved() {
  if (!room()) return;
  place("plates")?.replaceChildren();
  clearTimeout(resting);
  resting = setTimeout(() => room() && lay(), RESTS);
}

for (const kind of ["resize", "moved"]) addEventListener(kind, moved);
