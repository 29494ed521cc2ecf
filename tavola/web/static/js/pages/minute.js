// @ts-check
// The tutorial: one thing is highlighted, a touch on it is answered in words, and the next one follows.

import { learn } from "./help.js";
import { turn } from "../site/presses.js";
import { lookAt, settleBoxes, settleZoom } from "../board/zoom.js";
import { settleWords } from "../board/print.js";

const ROOM = 1.35, SMALLEST = 48; // size of the light relative to the thing, and its least size in CSS pixels
const LARGEST = { stage: [0.3, 0.28], hand: [0.52, 0.95] }; // maximum share of the area: scenery extends farther than the thing
const page = () => document.getElementById("minute");
const part = (selector) => /** @type {HTMLElement} */ (page().querySelector(selector));

let at = 0, answered = false;
/** @returns {HTMLTemplateElement[]} */
const steps = () => [.../** @type {NodeListOf<HTMLTemplateElement>} */ (page().querySelectorAll("template.step"))];

const learned = () => learn(page().dataset.game);

/** The pieces that the present step highlights. */
function lit() {
  const places = (steps()[at]?.dataset.places ?? "").split(" ").filter(Boolean);
  return places.map((place) => {
    const [board, id] = place.split(":");
    return page().querySelector(`[data-board="${board}"] [id="${CSS.escape(id)}"]`);
  }).filter(Boolean);
}

/** The visible box of a piece in its board; for a large piece, that of its marked anchor. */
function seen(piece) {
  const drawn = (piece.querySelector("[data-plate]") ?? piece).getBoundingClientRect(), place = piece.closest(".stage, .hand").getBoundingClientRect();
  const left = Math.max(drawn.left, place.left), top = Math.max(drawn.top, place.top);
  return { left, top, width: Math.min(drawn.right, place.right) - left, height: Math.min(drawn.bottom, place.bottom) - top };
}

/** The box of the light: that of the first visible piece. */
function box() {
  const frame = page().getBoundingClientRect(), stage = part(".stage").getBoundingClientRect();
  const there = lit().map((piece) => ({ piece, ...seen(piece) })).find((b) => b.width > 0 && b.height > 0);
  const { left, top, width, height } = there ?? stage, held = there?.piece.closest(".hand");
  const place = held?.getBoundingClientRect() ?? stage, [across, down] = held ? LARGEST.hand : LARGEST.stage;
  const wide = Math.max(SMALLEST, Math.min(width * ROOM, place.width * across));
  const high = Math.max(SMALLEST, Math.min(height * ROOM, place.height * down));
  return { left: left + width / 2 - wide / 2 - frame.left, top: top + height / 2 - high / 2 - frame.top, width: wide, height: high };
}

function light() {
  if (!page() || page().classList.contains("at-end")) return;
  const hole = box();
  for (const shape of [part(".dimming i"), part(".spot")]) {
    for (const [name, value] of Object.entries(hole)) shape.style.setProperty(name, `${value}px`);
  }
}

function show(number) {
  at = number;
  answered = false;
  const step = steps()[at];
  page().classList.toggle("at-end", !step);
  part("#minute-told").hidden = true;
  part(".ended").hidden = Boolean(step);
  part("#minute-asks").hidden = !step;
  [...page().querySelectorAll(".done-steps li")].forEach((mark, place) => {
    mark.className = place < at ? "past" : place === at ? "now" : "";
  });
  if (!step) return finish();
  for (const drawn of step.content.querySelectorAll("svg[data-of]")) {
    const board = page().querySelector(`[data-board="${drawn.getAttribute("data-of")}"] .drawn`);
    board?.replaceChildren(...[...drawn.childNodes].map((node) => document.importNode(node, true)));
  }
  part("#minute-asks").textContent = step.dataset.asks;
  const spot = /** @type {HTMLButtonElement} */ (part(".spot"));
  spot.hidden = false;
  spot.disabled = false;
  spot.classList.remove("pulse", "fresh");
  lit().forEach((piece) => piece.classList.add("clickable")); // some pieces are drawn only while they are clickable
  lit().slice(0, 1).forEach((piece) => lookAt(piece));
  light();
  setTimeout(light, 400); // when a movable board has come to rest
  void spot.offsetWidth;
  spot.classList.add("fresh");
}

function answer() {
  if (answered) return;
  answered = true;
  const told = part("#minute-told"), go = document.createElement("button");
  go.type = "button";
  go.className = "button primary";
  go.textContent = page().dataset.goOn;
  told.replaceChildren(steps()[at].dataset.told, go);
  told.hidden = false;
  /** @type {HTMLButtonElement} */ (part(".spot")).disabled = true;
  part(".spot").classList.remove("fresh");
  light();
  go.focus({ preventScroll: true });
}

function finish() {
  learned();
  turn();
  part(".ended .primary").focus({ preventScroll: true });
}

export function enterMinute() {
  part(".dimming").append(document.createElement("i"));
  settleBoxes(page());
  settleWords(page());
  settleZoom(page());
  show(0);
  addEventListener("resize", light);
  new ResizeObserver(light).observe(part(".stage"));
  document.addEventListener("click", (event) => {
    const pressed = /** @type {Element} */ (event.target);
    if (pressed.closest("[data-learned]")) return learned();
    if (pressed.closest("[data-again]")) return show(0);
    if (pressed.closest(".spot")) return answer();
    if (pressed.closest("#minute-told")) return show(at + 1);
    if (!pressed.closest(".stage, .hand") || answered) return;
    const spot = part(".spot");
    spot.classList.remove("fresh", "pulse");
    void spot.offsetWidth;
    spot.classList.add("pulse");
  });
}
