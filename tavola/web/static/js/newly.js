// @ts-check
// What has newly come into one's own hand is marked for a while: a card that was drawn unseen, or got in a bargain.

const LASTS = 6000;
const until = new Map(); // by id

/** After a change: `hand` is the list of what one holds, `came` what is new in it. */
export function markNew(hand, came = []) {
  const held = [...hand?.querySelectorAll(":scope > .piece:not(.through)") ?? []], fresh = held.filter((piece) => came.includes(piece));
  if (fresh.length < held.length) for (const { id } of fresh) until.set(id, performance.now() + LASTS); // else all was dealt
  show(held);
  if (fresh.length) setTimeout(() => show(held), LASTS + 20);
}

function show(held) {
  for (const piece of held) piece.classList.toggle("newly", until.get(piece.id) > performance.now());
}
