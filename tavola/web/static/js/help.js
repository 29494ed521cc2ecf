// @ts-check
// Help that goes away: the cards of a first match, and one line at each kind of decision. What was dismissed stays so.

const room = () => document.getElementById("room");
const read = (key) => new Set((localStorage.getItem(key) ?? "").split("|").filter(Boolean));

function keep(key, name) {
  localStorage.setItem(key, [...read(key).add(name)].join("|"));
}

/** After the page has changed. */
export function settleHelp() {
  for (const coach of room()?.querySelectorAll(".coach") ?? []) coach.hidden = read("tavola.coach").has(coach.dataset.kind);
  const lesson = room()?.querySelector(".lesson");
  if (lesson) lesson.hidden = read("tavola.lesson").has(lesson.dataset.game);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-dismiss]");
  if (!button) return;
  const coach = button.closest(".coach"), lesson = button.closest(".lesson");
  if (coach) keep("tavola.coach", coach.dataset.kind);
  if (lesson) keep("tavola.lesson", lesson.dataset.game);
  settleHelp();
});
