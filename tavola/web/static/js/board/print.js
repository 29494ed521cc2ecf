// @ts-check
// Text printed in pictures: its widths, the room's clocks, and sizes on the small board of the last screen.

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
  settleWords(room);
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

const longer = new WeakMap(); // the words in whose place the short ones stand

const CONDENSED = 1.2; // how much wider than its room a text may be before its short words replace it

/** Measure texts that have a limited room: one that is too wide is condensed, or replaced by its short words. */
export function settleWords(root) {
  const texts = /** @type {SVGTextElement[]} */ ([...root?.querySelectorAll(".picture text[data-room]") ?? []]);
  for (const text of texts) {
    text.removeAttribute("textLength");
    if (text.textContent === text.dataset.short) text.textContent = longer.get(text) ?? text.textContent;
  }
  const wide = (text, most = 1) => text.getComputedTextLength() > most * Number(text.dataset.room);
  for (const text of texts.filter((each) => each.dataset.short && wide(each, CONDENSED))) {
    longer.set(text, text.textContent);
    text.textContent = text.dataset.short;
  }
  for (const text of texts.filter((each) => wide(each))) {
    text.setAttribute("textLength", text.dataset.room);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
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
addEventListener("resize", () => settleWords(document));
document.fonts?.addEventListener("loadingdone", () => settleWords(document));
