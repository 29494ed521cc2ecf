// @ts-check
// Text printed in the room's picture: the room's clocks, and the sizes of text on the small board of the last screen.

const LEAST = 11, MENDED = 7.5; // CSS pixels: the legible size, and the least size from which text has room to be enlarged

/**
 * On the small board of the last screen, print text larger that is slightly too small, and hide illegible text. It is
 * there again on a board that the player enlarges.
 */
export function settlePrint(room) {
  if (!room?.classList.contains("over")) return;
  const texts = /** @type {SVGTextElement[]} */ ([...room.querySelectorAll(".stage .picture text")]);
  texts.forEach((text) => text.style.removeProperty("font-size"));
  const sizes = texts.map((text) => ({ units: parseFloat(getComputedStyle(text).fontSize), scale: scaleOf(text) }));
  texts.forEach((text, number) => mend(text, sizes[number]));
}

/** Measure all texts before changing any, so that the board is laid out only once. */
function mend(text, { units, scale }) {
  const size = units * scale, small = size < LEAST;
  if (small && size >= MENDED) text.style.fontSize = `${units * LEAST / size}px`;
  text.classList.toggle("unread", small && size < MENDED);
}

function scaleOf(text) {
  const { a, b } = text.getScreenCTM() ?? { a: 1, b: 0 };
  return Math.hypot(a, b);
}

/** Print the room's clocks in a picture: `data-clock` the time left, `data-times` the duration of a race. */
export function printTime(name, words = "") {
  for (const text of /** @type {NodeListOf<SVGTextElement>} */ (document.querySelectorAll(`#room .picture [data-${name}]`))) {
    if (text.textContent === words) continue;
    text.textContent = words;
    const most = Number(text.dataset.most);
    text.removeAttribute("textLength");
    if (most && words && text.getComputedTextLength() > most) text.setAttribute("textLength", String(most));
  }
}

for (const kind of ["moved", "resize"]) addEventListener(kind, () => settlePrint(document.getElementById("room")));
