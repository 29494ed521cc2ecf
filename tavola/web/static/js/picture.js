// Clicks on the picture. A part carries the codes of the actions it can mean; those that stand on a button now are open.

import { ask, dismiss } from "./choices.js";
import { announce, fetched } from "./page.js";

const room = () => document.getElementById("room");
const doors = () => room().querySelectorAll('[data-place="actions"] button[name="code"], [data-place="actions"] option');
const codesOf = (part) => part.dataset.codes.split("|");

/** Mark the parts that can be clicked now. */
export function mark() {
  const open = new Set([...doors()].map((door) => door.value));
  for (const part of room().querySelectorAll(".picture [data-codes]")) {
    part.classList.toggle("clickable", codesOf(part).some((code) => open.has(code)));
  }
}

function press(door) {
  dismiss();
  if (door.nodeName === "BUTTON") return door.click();
  door.selected = true;
  door.form ? door.form.requestSubmit() : door.closest("form").requestSubmit();
}

function choice(door) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = door.textContent.trim();
  button.addEventListener("click", () => press(door));
  return button;
}

async function explain(codes, x, y) {
  const page = await fetched(`${location.pathname}/why?code=${encodeURIComponent(codes.join("|"))}`);
  const answers = [...page.querySelectorAll("#why-answer li")];
  const lines = answers.map((answer) => {
    const line = document.createElement("p");
    line.append(...answer.childNodes);
    line.querySelectorAll("a").forEach((link) => { link.dataset.sheet = ""; });
    return line;
  });
  if (!lines.length) return;
  ask(lines, x, y);
  announce(...lines.map((line) => line.textContent));
}

export function watch(picture) {
  picture.addEventListener("click", (event) => {
    const part = event.target.closest("[data-codes]");
    if (!part) return;
    const codes = codesOf(part);
    const open = [...doors()].filter((door) => codes.includes(door.value));
    if (open.length === 1) press(open[0]);
    else if (open.length) ask(open.map(choice), event.clientX, event.clientY);
    else if (room().dataset.me) explain(codes, event.clientX, event.clientY).catch(() => {});
  });
}

/** While a button is pointed at, show what it means in the picture. */
export function point(event) {
  const code = event.target.closest?.('button[name="code"]')?.value;
  for (const part of room()?.querySelectorAll(".picture [data-codes]") ?? []) {
    part.classList.toggle("pointed", Boolean(code) && codesOf(part).includes(code));
  }
}
