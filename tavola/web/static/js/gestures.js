// @ts-check
// A gesture shows at the face of who makes it, for a moment: over the page, so that nothing moves and nothing cuts it off.

const LASTS = 1800;

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLElement} */ (event.target);
  if (form.matches(".gestures:popover-open")) form.hidePopover();
});

/** Lines of talk that have just come: those that are a gesture, too, show it at their seat. */
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
