// @ts-check
// A tap or a key goes straight to the end of a scene, and the press that does so chooses nothing. One that comes within
// a second of one's own last press was meant for something else, and what lies face down is not skipped.

import { betweenPresses, isSilent, sincePress } from "./presses.js";

const GRACE = 1000;
const SKIPPED = ".stage, .hand, .offering, .prompt-place";
const LEFT_ALONE = "input, select, textarea, dialog, .chron, .bar";
const button = () => document.querySelector(".skip-scene");

/**
 * `queue`: what is being shown; it has `playing`, `closed` and `skip()`. `skipped` is called when somebody has skipped.
 * Returns what is to be called whenever what is shown has changed.
 */
export function skipping(queue, skipped) {
  let swallow = false, waking;
  const stop = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const end = () => {
    queue.skip();
    skipped();
  };
  const isAnswer = (event) => event.target.closest?.(".hear") && betweenPresses() >= GRACE;
  const skip = () => betweenPresses() < GRACE || queue.closed || end();
  /** The button looks as it is: one that would do nothing yet stands back. */
  const look = () => {
    const left = GRACE - sincePress();
    button()?.setAttribute("aria-disabled", String(left > 0 || queue.closed));
    clearTimeout(waking);
    if (queue.playing && left > 0) waking = setTimeout(look, left + 20);
  };
  document.addEventListener("pointerdown", (event) => {
    swallow = queue.playing && Boolean(event.target.closest?.(SKIPPED)) && !isAnswer(event);
    if (!swallow) return;
    stop(event);
    skip();
    look();
  }, true);
  document.addEventListener("pointerup", (event) => swallow && stop(event), true);
  document.addEventListener("click", (event) => {
    const pointed = /** @type {PointerEvent} */ (event).pointerType; // a screen reader's click comes without
    if (swallow) stop(event);
    else if (queue.playing && !queue.closed && !pointed && event.target.closest?.(".skip-scene")) end();
    swallow = false;
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!queue.playing || event.target.closest?.(LEFT_ALONE) || isSilent(event) || isAnswer(event)) return;
    stop(event);
    skip();
    look();
  }, true);
  return look;
}
