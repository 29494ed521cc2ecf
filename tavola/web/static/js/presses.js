// @ts-check
// One's own presses: when the last one was, and whether a finger did it. Who presses in haste, or only looks with a
// finger, must not decide by that.

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

/** Another page stands where the last press was made. */
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

/** Milliseconds since one's own last press. */
export const sincePress = () => now() - last;

/** While a press is answered: milliseconds between it and the one before. */
export const betweenPresses = () => last - before;

/** Whether the last press was a finger's. */
export const byFinger = () => finger;
