// @ts-check
// What a choice does now: in full beneath the question, and in a few words beside what stands for it on the main board.

const GAP = 4, EDGE = 3, OFTEN = 8, RESTS = 150; // pixels; steps along half a side at which a plate is tried; milliseconds
const LARGE = 0.12, HIDES = 0.4, COVERS = 0.08; // what is larger, as a share of the stage, is scenery; what it weighs to hide a thing that is not lit; how much of a plate may lie over lit things
const ORDER = { grave: 0, good: 1, plain: 2 };
const room = () => document.getElementById("room");
const place = (id) => room()?.querySelector(`#${id}`);

let resting, drawn;
let kept = { options: [], armed: "", told: null };

/** `told`: what is singled out or planned does; `options`: { codes, does } of all that can be chosen now. */
export function tell(told, options, armed) {
  kept = { options, armed, told };
  say(told);
  place("plates")?.replaceChildren();
  cancelAnimationFrame(drawn);
  drawn = requestAnimationFrame(settle);
}

/** With the next picture, when all is measured anyway: plates now, and again where pieces come to rest. */
function settle() {
  if (!room()) return;
  lay();
  const sliding = document.getAnimations().filter(slides);
  if (sliding.length) Promise.allSettled(sliding.map(({ finished }) => finished)).then(moved);
}

/** A piece of the board is on its way from one place to another, by script: styles only adorn. */
function slides(animation) {
  const adorns = animation instanceof CSSAnimation || animation instanceof CSSTransition;
  return !adorns && animation.playState === "running" && animation.effect?.target?.closest(".stage .picture");
}

/** What is pointed at is told as long as it is; then again what is singled out. */
export function pointAt(codes) {
  const meant = codes.length ? kept.options.find((option) => option.does && option.codes.length === codes.length && option.codes.every((code) => codes.includes(code))) : null;
  say(meant?.does ?? kept.told);
}

function say(does) {
  const line = place("does");
  if (!line) return;
  line.hidden = !does;
  line.className = `does-told ${does?.[2] ?? ""}`;
  const text = does ? does[1] || does[0] : "";
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("long", text.length > 90);
}

/** The second line of a button. */
export function line(does) {
  const made = document.createElement("span");
  made.className = "does";
  made.textContent = does[0];
  return made;
}

// Plates on the board

/** Where a part lies: of a large one, what stands for it. */
const anchor = (part) => (part.querySelector("[data-plate]") ?? part).getBoundingClientRect();

/** The piece of the main board that stands for exactly these codes, as it can be seen. */
function partOf(codes, frame) {
  const parts = [...room().querySelectorAll(".stage .board > .picture:not(.overview) .clickable")];
  const meant = parts.filter((part) => {
    const own = (part.dataset.codes ?? "").split("|");
    return codes.every((code) => own.includes(code)) && own.filter((code) => kept.options.some((option) => option.codes.includes(code))).length === codes.length;
  });
  const boxes = meant.map(anchor);
  return boxes.find((box) => box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom);
}

/**
 * A plate stands where it hides least of what is lit and of other plates, whole on the stage. What ends or sinks something
 * comes first; one that finds no free place is left to its button, unless its part has been singled out.
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
  const lit = boxes(".picture .clickable"), print = boxes(".picture [data-clear]");
  const things = [...print, ...boxes(".picture .piece").filter(({ width, height }) => width * height < LARGE * frame.width * frame.height)];
  const taken = [], singled = ({ codes }) => Boolean(kept.armed) && codes.includes(kept.armed);
  parts.sort((one, other) => Number(singled(other)) - Number(singled(one)) || ORDER[one.does[2]] - ORDER[other.does[2]]);
  const plates = parts.map((part) => plate(part.does, singled(part)));
  holder.append(...plates);
  tighten(plates);
  const sizes = plates.map((one) => one.getBoundingClientRect());
  parts.forEach((part, number) => put(part, plates[number], sizes[number], singled(part)));

  function put({ at }, plate, { width, height }, must) {
    const free = around(at, width, height, frame).filter((box) => !covered(box, taken)).map((box) => ({ ...box, covers: covered(box, lit) }));
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

/** As wide as their lines are: all are measured before one is changed, or the page would be laid out for each. */
function tighten(plates) {
  const widths = plates.map((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getBoundingClientRect().width;
  });
  plates.forEach((one, number) => (one.style.width = `${Math.ceil(widths[number]) + 1}px`));
}

/** Places of a box of a size around another, along all four sides, those at the middle of a side first. */
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

/** The board moves or has another size: plates come back when it rests. */
function moved() {
  if (!room()) return;
  place("plates")?.replaceChildren();
  clearTimeout(resting);
  resting = setTimeout(() => room() && lay(), RESTS);
}

for (const kind of ["resize", "moved"]) addEventListener(kind, moved);
