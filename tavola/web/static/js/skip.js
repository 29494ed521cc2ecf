// @ts-check
// A tap or a key goes straight to the end of a scene, and the press that does so chooses nothing.

const SKIPPED = ".stage, .hand, .offering, .prompt-place";
const LEFT_ALONE = "input, select, textarea, dialog, .chron, .bar";
const SILENT = ["Tab", "Shift", "Control", "Alt", "Meta"];

/** `queue`: what is being shown; it has `playing` and `skip()`. */
export function skipping(queue) {
  let swallow = false;
  const stop = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("pointerdown", (event) => {
    swallow = queue.playing && Boolean(event.target.closest?.(SKIPPED));
    if (!swallow) return;
    stop(event);
    queue.skip();
  }, true);
  document.addEventListener("pointerup", (event) => swallow && stop(event), true);
  document.addEventListener("click", (event) => {
    if (swallow) stop(event);
    swallow = false;
  }, true);
  document.addEventListener("keydown", (event) => {
    if (!queue.playing || event.target.closest?.(LEFT_ALONE) || SILENT.includes(event.key)) return;
    stop(event);
    queue.skip();
  }, true);
}
