// @ts-check
// Consequences of a choice: in a few words on its button; in full below the question, and in a few words beside its part
// on the main board, while it is pointed at or selected.

import { labelled } from "../site/page.js";

const GAP = 4, EDGE = 3, OFTEN = 8, RESTS = 150; // pixels; steps along half a side at which the label is tried; milliseconds
const LARGE = 0.12, HIDES = 0.4; // parts larger than this share of the stage are scenery; the cost of hiding an unlit part
const room = () => document.getElementById("room");
const place = (id) => room()?.querySelector(`#${id}`);

let resting, drawn;
let kept = { options: [], armed: "", told: null }, pointed = null; // the option that is pointed at

/** `told`: consequence of the selected code or the plan; `options`: { codes, does } for all present choices. */
export function tell(told, options, armed) {
  kept = { options, armed, told };
  pointed = null;
  say(told);
  place("plates")?.replaceChildren();
  cancelAnimationFrame(drawn);
  drawn = requestAnimationFrame(settle);
}

/** Place the label in the next frame, when everything is measured anyway, and again when pieces come to rest. */
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

/** Show the consequence of the part or button that is pointed at, and then that of the selected code again. */
export function pointAt(codes) {
  const meant = codes.length ? kept.options.find((option) => option.does && option.codes.length === codes.length && option.codes.every((code) => codes.includes(code))) : null;
  if (meant === pointed) return;
  pointed = meant;
  say(meant?.does[1] ? meant.does : kept.told); // a few words are on the button already
  lay();
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
  const told = does ? does[1] || does[0] : "";
  const text = told.charAt(0).toLocaleUpperCase() + told.slice(1); // a few words for a button begin in lower case
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

// The label on the board

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

/** Place the label on the stage where it is nearest to its part and hides least of lit parts and print. */
function lay() {
  const holder = place("plates"), stage = holder?.parentElement;
  holder?.replaceChildren();
  const meant = pointed ?? kept.options.find(({ codes }) => kept.armed && codes.includes(kept.armed));
  if (!stage || !meant?.does) return;
  const frame = stage.getBoundingClientRect(), at = partOf(meant.codes, frame);
  if (!at) return;
  const boxes = (selector) => [...stage.querySelectorAll(selector)].map(anchor);
  const lit = [...boxes(".picture .clickable"), ...boxes(".picture:not(.overview) :is(text, [data-clear])")];
  const things = boxes(".picture .piece").filter(({ width, height }) => width * height < LARGE * frame.width * frame.height);
  const label = holder.appendChild(plate(meant.does));
  tighten(label);
  const { width, height } = label.getBoundingClientRect();
  const tried = around(at, width, height, frame).map((box) => ({ ...box, cost: covered(box, lit) + box.far + HIDES * covered(box, things) }));
  const best = tried.reduce((one, other) => (other.cost < one.cost ? other : one));
  label.style.left = `${best.left - frame.left}px`;
  label.style.top = `${best.top - frame.top}px`;
}

function plate(does) {
  const made = document.createElement("p");
  made.className = `plate ${does[2]}`;
  made.textContent = does[0];
  return made;
}

/** Make the label as wide as its lines. */
function tighten(label) {
  const text = document.createRange();
  text.selectNodeContents(label);
  label.style.width = `${Math.ceil(text.getBoundingClientRect().width) + 1}px`;
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

/** The board moves or changes its size: the label returns when it rests. */
function moved() {
  if (!room()) return;
  place("plates")?.replaceChildren();
  clearTimeout(resting);
  resting = setTimeout(() => room() && lay(), RESTS);
}

for (const kind of ["resize", "moved"]) addEventListener(kind, moved);
