// @ts-check
// "What is this?" A bubble beside a part of the picture: its title and, if it cannot be chosen now, the reason.

import { announce, fetched } from "../site/page.js";
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

/** `chosen`: the prompt says what touching the part again plays; a bubble with nothing more would only be in the way. */
export async function about(part, { chosen = false } = {}) {
  hide();
  const title = nearestTitle(part), codes = part.dataset.codes?.split("|") ?? [];
  const now = part.classList.contains("clickable") || !room().dataset.me || room().classList.contains("over");
  if (!title && (now || !codes.length)) return;
  if (chosen && !saysMore(part, title)) return;
  asked = part;
  fill(title, "");
  stand(part);
  part.classList.add("asked-about");
  if (part.dataset.look) lookAt(document.getElementById(part.dataset.look));
  if (!now && codes.length) {
    const reason = await why(codes).catch(() => "");
    if (asked !== part) return;
    fill(title, reason);
    stand(part);
  }
  announce(box().querySelector(".said").textContent);
}

function nearestTitle(part) {
  for (let at = part; at && !at.classList.contains("picture"); at = at.parentElement) {
    const title = at.querySelector(":scope > title");
    if (title) return title.textContent;
  }
  return part.querySelector("title")?.textContent ?? "";
}

const addressOfWhy = (codes) => `${location.pathname}/why?code=${encodeURIComponent(codes.join("|"))}`;
const CITED = /\s*\(R\d+(?:[,–-] ?R\d+)*\)/g;

/** Split a title into the name and its explanation. */
function parted(title) {
  const [name, ...rest] = title.split(/\n|(?<=[:;.]) /);
  return [rest.length ? name.replace(/[:;]$/, "") : name, rest.join(" ")];
}

const saysMore = (part, title) => Boolean(parted(title)[1] || part.dataset.shape || counted(part).length);

/** Why none of these codes can be played now, in one sentence without citations, which are on the page it is from. */
async function why(codes) {
  const asked = /** @type {HTMLElement} */ (room().querySelector("#question"));
  if (room().querySelector('[data-mine="no"]')) return asked.dataset.sentence ?? asked.textContent;
  const answer = (await fetched(addressOfWhy(codes))).querySelector("#why-answer li");
  answer?.querySelector("strong")?.remove();
  return (answer?.textContent ?? "").replace(CITED, "").trim();
}

/** Fill in the name and one sentence: why it cannot be chosen, with a link to the rules, or else what it means. */
function fill(title, reason) {
  const place = box().querySelector(".said"), [name, rest] = parted(title);
  const head = Object.assign(document.createElement("h3"), { textContent: name });
  const line = (text) => (text ? [Object.assign(document.createElement("p"), { textContent: text })] : []);
  const said = reason ? [...line(reason), whyLink(asked.dataset.codes.split("|"))] : [...line(rest), ...counted(asked)];
  place.replaceChildren(...drawing(asked), head, ...said);
}

function whyLink(codes) {
  const link = Object.assign(document.createElement("a"), { href: addressOfWhy(codes), textContent: room().dataset.why });
  link.dataset.sheet = "";
  return link;
}

/** The large drawing of a part that names a shape. */
function drawing(part) {
  if (!part.dataset.shape) return [];
  const shown = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  shown.setAttribute("class", `${part.closest(".picture").getAttribute("class")} shown`);
  shown.setAttribute("viewBox", "-4 -4 72 72");
  shown.innerHTML = `<use href="#${part.dataset.shape}" width="64" height="64"/>`;
  return [shown];
}

/** Numbers that change for many parts with every move are in one piece: a sentence, and a row of numbers per key in it. */
function counted(part) {
  const told = room().querySelector(".picture [data-numbers]"), { number } = part.dataset;
  if (!told || number === undefined) return [];
  const keys = told.dataset.keys.split(" "), rows = told.dataset.numbers.split(" ");
  const sentence = keys.reduce((text, key, row) => text.replace(`{${key}}`, rows[row].split(".")[number]), told.dataset.told);
  return [Object.assign(document.createElement("p"), { textContent: sentence })];
}

const GAP = 10, MARGIN = 8;

/** Place the bubble beside the part, inside the window, where it covers least of the part and of anything clickable. */
function stand(part) {
  const bubble = box(), at = part.getBoundingClientRect();
  bubble.hidden = false;
  const { width, height } = bubble.getBoundingClientRect();
  const within = (value, size, most) => Math.max(MARGIN, Math.min(value, most - size - MARGIN));
  const beside = [[at.right + GAP, at.top], [at.left - width - GAP, at.top], [at.left, at.top - height - GAP], [at.left, at.bottom + GAP]];
  const places = beside.map(([x, y]) => ({ x: within(x, width, innerWidth), y: within(y, height, innerHeight) }));
  const lit = [...room().querySelectorAll(".picture .clickable, #offers button")].map((one) => one.getBoundingClientRect());
  const covers = (place) => overlap(place, width, height, at) * 4 + lit.reduce((sum, one) => sum + overlap(place, width, height, one), 0);
  const best = places.reduce((one, other) => (covers(other) < covers(one) ? other : one));
  bubble.style.left = `${best.x}px`;
  bubble.style.top = `${best.y}px`;
}

/** The overlap of a box and the bubble, in square pixels. */
function overlap({ x, y }, width, height, { left, right, top, bottom }) {
  return Math.max(0, Math.min(x + width, right) - Math.max(x, left)) * Math.max(0, Math.min(y + height, bottom) - Math.max(y, top));
}

document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
document.addEventListener("click", (event) => event.target.closest?.("#bubble .shut") && hide());
document.addEventListener("pointerdown", (event) => event.target.closest?.("#bubble, .picture") || hide());
