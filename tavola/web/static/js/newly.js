// @ts-check
// New pieces in the viewer's own hand are marked for a while, such as a card that was drawn or received in barter.

const LASTS = 6000;
const until = new Map(); // by id

/** Update after a change: `hand` is the list of pieces held, `came` its new pieces. */
export function markNew(hand, came = []) {
  const held = [...hand?.querySelectorAll(":scope > .piece:not(.through)") ?? []], fresh = held.filter((piece) => came.includes(piece));
  if (fresh.length < held.length) for (const { id } of fresh) until.set(id, performance.now() + LASTS); // otherwise the whole hand was dealt
  show(held);
  if (fresh.length) setTimeout(() => show(held), LASTS + 20);
}

function show(held) {
  for (const piece of held) piece.classList.toggle("newly", until.get(piece.id) > performance.now());
}
