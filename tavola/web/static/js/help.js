// @ts-check
// Help that goes away: the minute before a first match, and one line at each kind of decision. What was seen stays so.

import { device } from "./storage.js";

const LEARNED = "tavola.lesson";
const room = () => document.getElementById("room");
const read = (key) => new Set((device.read(key) ?? "").split("|").filter(Boolean));

function keep(key, name) {
  device.keep(key, [...read(key).add(name)].join("|"));
}

/** Keep in mind that a game need not be shown again. */
export const learn = (game) => keep(LEARNED, game);

/** Who has not yet played the minute of this game does so before his first decision: on a page of its own. */
export function learnsFirst() {
  const { minute, game } = room()?.dataset ?? {};
  if (!minute || read(LEARNED).has(game)) return false;
  if (!device.lasts()) return false; // it would come before the table again and again
  location.replace(minute);
  return true;
}

/** After the page has changed. */
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
