// @ts-check
// The user's presses: when the last one was, and whether it was by finger. Hasty presses, and fingers that only
// explore, must not decide anything.

const SILENT = ["Tab", "Shift", "Control", "Alt", "Meta"];
const now = () => performance.now();
const STRAY = 600; // milliseconds within which the second of two presses was meant for the page of the first
let last = -Infinity, before = -Infinity, finger = false, turned = false, stray = false;

function note(touched) {
  before = last;
  last = now();
  finger = touched;
  stray = turned && last - before < STRAY;
  turned = false;
}

/** Another page has appeared where the last press was made. */
export function turn() {
  turned = true;
}

function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}

document.addEventListener("pointerdown", (event) => note(event.pointerType === "touch"), true);
document.addEventListener("click", (event) => {
  if (stray && /** @type {PointerEvent} */ (event).pointerType) stop(event);
  stray = false;
}, true);
document.addEventListener("keydown", (event) => {
  if (SILENT.includes(event.key)) return;
  note(false);
  if (stray && event.key !== "Escape") stop(event);
  stray = false;
}, true);

export const isSilent = (/** @type {KeyboardEvent} */ event) => SILENT.includes(event.key);

/** Milliseconds since the last press. */
export const sincePress = () => now() - last;

/** While a press is handled: milliseconds between it and the one before. */
export const betweenPresses = () => last - before;

/** Whether the last press was by finger. */
export const byFinger = () => finger;
