// @ts-check
// One's own presses: when the last one was, and whether a finger did it. Who presses in haste, or only looks with a
// finger, must not decide by that.

const SILENT = ["Tab", "Shift", "Control", "Alt", "Meta"];
const now = () => performance.now();
let last = -Infinity, before = -Infinity, finger = false;

function note(touched) {
  before = last;
  last = now();
  finger = touched;
}

document.addEventListener("pointerdown", (event) => note(event.pointerType === "touch"), true);
document.addEventListener("keydown", (event) => SILENT.includes(event.key) || note(false), true);

export const isSilent = (/** @type {KeyboardEvent} */ event) => SILENT.includes(event.key);

/** Milliseconds since one's own last press. */
export const sincePress = () => now() - last;

/** While a press is answered: milliseconds between it and the one before. */
export const betweenPresses = () => last - before;

/** Whether the last press was a finger's. */
export const byFinger = () => finger;
