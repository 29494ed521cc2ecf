// @ts-check
// What is this? A bubble beside the part that was asked about: its title and, where it cannot be chosen now, why not.

import { announce, fetched } from "./page.js";
import { lookAt } from "./zoom.js";

const room = () => document.getElementById("room");
const box = () => document.getElementById("bubble");
let asked = null;

export function hide() {
  const bubble = box();
  if (!bubble || bubble.hidden) return;
  bubble.hidden = true;
  asked?.classList.remove("asked-about");
  asked = null;
}

export async function about(part) {
  hide();
  const title = nearestTitle(part), codes = part.dataset.codes?.split("|") ?? [];
  const now = part.classList.contains("clickable") || !room().dataset.me || room().classList.contains("over");
  if (!title && (now || !codes.length)) return;
  asked = part;
  fill(title, []);
  stand(part);
  part.classList.add("asked-about");
  if (part.dataset.look) lookAt(document.getElementById(part.dataset.look));
  if (!now && codes.length) {
    const reasons = await why(codes).catch(() => []);
    if (asked === part) fill(title, reasons);
  }
  announce(box().textContent);
}

function nearestTitle(part) {
  for (let at = part; at && !at.classList.contains("picture"); at = at.parentElement) {
    const title = at.querySelector(":scope > title");
    if (title) return title.textContent;
  }
  return part.querySelector("title")?.textContent ?? "";
}

async function why(codes) {
  const page = await fetched(`${location.pathname}/why?code=${encodeURIComponent(codes.join("|"))}`);
  return [...page.querySelectorAll("#why-answer li")].map((answer) => {
    const line = document.createElement("p");
    line.append(...answer.childNodes);
    line.querySelectorAll("a").forEach((link) => { link.dataset.sheet = ""; });
    return line;
  });
}

function fill(title, reasons) {
  const place = box().querySelector(".said");
  const [first, ...rest] = title.split(/\n|(?<=[:;.]) /);
  const head = document.createElement("h3");
  head.textContent = first;
  const lines = rest.join(" ") ? [Object.assign(document.createElement("p"), { textContent: rest.join(" ") })] : [];
  place.replaceChildren(...drawing(asked), head, ...lines, ...counted(asked), ...reasons);
}

/** The drawing of a part that names one, large. */
function drawing(part) {
  if (!part.dataset.shape) return [];
  const shown = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  shown.setAttribute("class", `${part.closest(".picture").getAttribute("class")} shown`);
  shown.setAttribute("viewBox", "-4 -4 72 72");
  shown.innerHTML = `<use href="#${part.dataset.shape}" width="64" height="64"/>`;
  return [shown];
}

/** What changes for many parts with every move is told once, by one piece: a sentence, and a row of numbers a part. */
function counted(part) {
  const told = room().querySelector(".picture [data-numbers]"), row = told?.dataset.numbers.split(" ")[part.dataset.number];
  if (!row) return [];
  const keys = told.dataset.keys.split(" "), numbers = row.split(".");
  const sentence = keys.reduce((text, key, place) => text.replace(`{${key}}`, numbers[place]), told.dataset.told);
  return [Object.assign(document.createElement("p"), { textContent: sentence })];
}

/** Beside the part, inside the stage. */
function stand(part) {
  const bubble = box(), stage = bubble.parentElement.getBoundingClientRect(), at = part.getBoundingClientRect();
  bubble.hidden = false;
  const { width, height } = bubble.getBoundingClientRect();
  const right = at.right - stage.left + 10, left = at.left - stage.left - width - 10;
  const x = right + width < stage.width ? right : Math.max(8, left);
  const y = Math.min(Math.max(8, at.top - stage.top), stage.height - height - 8);
  bubble.style.left = `${x}px`;
  bubble.style.top = `${Math.max(8, y)}px`;
}

document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
document.addEventListener("click", (event) => event.target.closest?.("#bubble .shut") && hide());
document.addEventListener("pointerdown", (event) => event.target.closest?.("#bubble, .picture") || hide());
