// @ts-check
// Help that disappears: the tutorial before a first match, and a line for each kind of decision, until dismissed.

import { device } from "../site/storage.js";

const LEARNED = "tavola.lesson";
const room = () => document.getElementById("room");
const read = (key) => new Set((device.read(key) ?? "").split("|").filter(Boolean));

function keep(key, name) {
  device.keep(key, [...read(key).add(name)].join("|"));
}

/** Remember that a game's tutorial need not be shown again. */
export const learn = (game) => keep(LEARNED, game);

/** Send players who have not seen this game's tutorial there before their first decision. */
export function learnsFirst() {
  const { minute, game } = room()?.dataset ?? {};
  if (!minute || read(LEARNED).has(game)) return false;
  if (!device.lasts()) return false; // without lasting storage it would come again and again
  location.replace(minute);
  return true;
}

/** Update after the page has changed. */
export function settleHelp() {
  for (const coach of room()?.querySelectorAll(".coach") ?? []) coach.hidden = read("tavola.coach").has(coach.dataset.kind);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-dismiss]");
  if (!button) return;
  const coach = button.closest(".coach");
  if (coach) keep("tavola.coach", coach.dataset.kind);
  settleHelp();
});
