// @ts-check
// On the last screen a board is small: what it prints a little too small is printed larger, what nobody could read is left
// out. Whoever looks nearer at a board that grows finds it there.

const LEAST = 11, MENDED = 7.5; // CSS pixels: what can be read, and from which size on it finds room larger

export function settlePrint(room) {
  if (!room?.classList.contains("over")) return;
  const texts = /** @type {SVGTextElement[]} */ ([...room.querySelectorAll(".stage .picture text")]);
  texts.forEach((text) => text.style.removeProperty("font-size"));
  const sizes = texts.map((text) => ({ units: parseFloat(getComputedStyle(text).fontSize), scale: scaleOf(text) }));
  texts.forEach((text, number) => mend(text, sizes[number]));
}

/** All are measured before one is changed, or the board would be laid out for each. */
function mend(text, { units, scale }) {
  const size = units * scale, small = size < LEAST;
  if (small && size >= MENDED) text.style.fontSize = `${units * LEAST / size}px`;
  text.classList.toggle("unread", small && size < MENDED);
}

function scaleOf(text) {
  const { a, b } = text.getScreenCTM() ?? { a: 1, b: 0 };
  return Math.hypot(a, b);
}

for (const kind of ["moved", "resize"]) addEventListener(kind, () => settlePrint(document.getElementById("room")));
