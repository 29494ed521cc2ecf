// @ts-check
// A gesture is shown at its maker's face for a moment, above the page so that nothing moves or clips it.

const LASTS = 1800;

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (form.matches(":popover-open")) form.hidePopover();
});

/** Show the gestures among new lines of talk at their seats. */
export function showGestures(lines) {
  for (const { dataset } of lines) if (dataset.gesture && dataset.speaker) pop(dataset.speaker, dataset.gesture);
}

function pop(seat, gesture) {
  const face = document.querySelector(`.seats [data-seat="${CSS.escape(seat)}"] .who-face`)?.getBoundingClientRect();
  const drawn = /** @type {HTMLTemplateElement} */ (document.getElementById("popped")).content.cloneNode(true);
  const sign = /** @type {DocumentFragment} */ (drawn).firstElementChild;
  if (!face?.width || !(sign instanceof SVGElement)) return;
  sign.querySelector("use")?.setAttribute("href", `#gesture-${gesture}`);
  sign.classList.add("over-page");
  Object.assign(sign.style, { left: `${face.left}px`, top: `${face.top}px` });
  document.body.append(sign);
  setTimeout(() => sign.remove(), LASTS);
}
