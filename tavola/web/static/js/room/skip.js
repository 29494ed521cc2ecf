// @ts-check
// A tap or a key skips to the end of a scene, and that press chooses nothing else. A press within a second of the
// previous one was meant for something else, and cards that are face down cannot be skipped.

import { betweenPresses, isSilent, sincePress } from "../site/presses.js";

const GRACE = 1000;
const SKIPPED = ".stage, .hand, .offering, .prompt-place";
const LEFT_ALONE = "input, select, textarea, dialog, .chron, .bar";
const button = () => document.querySelector(".skip-scene");

/**
 * `queue`: of messages that are being shown, with `playing`, `closed` and `skip()`. `skipped` is called after a skip.
 * Returns a function to call after every change of what is shown.
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
  /** Fade the button while it would do nothing yet. */
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
    const pointed = /** @type {PointerEvent} */ (event).pointerType; // a screen reader's click has none
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
