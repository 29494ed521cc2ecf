// The choices of the present decision, made from the plain form that stands in the page: a few short words at a time.

import { Narrowing } from "./narrow.js";
import { announce } from "./page.js";
import { turnTo } from "./zoom.js";

const DEAF = 400;
const PAINTS = ["red", "green", "violet", "yellow", "blue", "white", "black"];
const room = () => document.getElementById("room");
const place = (name) => room()?.querySelector(`#${name}`);

let narrowing = new Narrowing(), prompt = null, shown = "", deafUntil = 0, waking;
let planned = [], wanted = { number: null, codes: [] }, unseen = false;
const small = matchMedia("(max-width: 700px)");
const labels = new Map(); // what the steps of a plan are called, by code

export const now = () => narrowing;
export const deaf = () => performance.now() < deafUntil;

function doors() {
  const forms = room()?.querySelectorAll('[data-place="actions"] form:not(.sent)') ?? [];
  return [...forms].flatMap((form) => [...form.querySelectorAll('button[name="code"], option')].map((door) => ({
    code: door.value, words: (door.dataset.words ?? "").split("|"), label: door.textContent.trim(), door,
  })));
}

/** After the page has changed: begin anew where another decision is asked for, and show what is open. */
export function refresh() {
  const form = room()?.querySelector('[data-place="actions"] form');
  const found = doors(), key = `${form?.elements.prompt_id?.value} ${found.map((door) => door.code).join("|")}`;
  const fresh = key !== prompt;
  if (fresh) {
    prompt = key;
    unseen = true;
    planned = JSON.parse(form?.dataset.steps ?? "[]");
    narrowing = new Narrowing(found, JSON.parse(form?.dataset.asks ?? "{}"));
    found.forEach(({ code, label }) => labels.set(code, label));
    if (found.length || planned.length) silence();
    if (form && !form.classList.contains("sent")) replan();
  } else narrowing.doors = found;
  draw();
}

/** What others do meanwhile is shown without the plan: as long as the decision is the same it is tried again. */
function replan() {
  if (wanted.number !== promptNumber()) wanted = { number: null, codes: [] };
  else if (wanted.codes.length && !planned.length) plan(wanted.codes);
}

/** The plan was refused: it cannot be tried again. */
export function giveUp() {
  wanted = { number: null, codes: [] };
}

/** New choices are deaf for a moment: what is pressed by inertia belongs to the decision before. */
function silence() {
  deafUntil = performance.now() + DEAF;
  clearTimeout(waking);
  waking = setTimeout(draw, DEAF + 20);
}

/** Something was touched that can mean these codes. Returns whether it means anything now. */
export function touch(codes) {
  if (deaf() || !narrowing.meant(codes).left.length) return deaf();
  const left = narrowing.touch(codes);
  if (left.length === 1) play(left[0]);
  else {
    draw();
    announce(question());
  }
  return true;
}

export function back() {
  if (planned.length && !narrowing.begun) return plan(planned.slice(0, -1));
  const did = narrowing.back();
  if (did) draw();
  return did;
}

function play(code) {
  const { door } = narrowing.doors.find((known) => known.code === code);
  const form = door.form ?? door.closest("form"), verb = code.split(" ")[0];
  if ((form.dataset.planned ?? "").split(" ").includes(verb)) return step([...planned, code]);
  if (door.nodeName === "BUTTON") door.click();
  else {
    door.selected = true;
    form.requestSubmit();
  }
  draw();
}

/** One step more; touched again before the answer it is not asked for twice. */
function step(codes) {
  const asked = wanted.number === promptNumber() && wanted.codes.join("|") === codes.join("|");
  return asked || plan(codes);
}

/** Try steps on one's own view: the answer is a screen on which nothing has happened yet. */
function plan(codes) {
  wanted = { number: promptNumber(), codes };
  document.dispatchEvent(new CustomEvent("plan", { detail: { codes, prompt_id: promptNumber() } }));
  return true;
}

const promptNumber = () => Number(room().querySelector('[data-place="actions"] [name="prompt_id"]').value);

function commit() {
  document.dispatchEvent(new CustomEvent("commit", { detail: { codes: planned, prompt_id: promptNumber() } }));
  room().querySelectorAll('[data-place="actions"] form').forEach((form) => form.classList.add("sent"));
  giveUp();
  planned = [];
  prompt = null;
  draw();
}

/** What is asked next; of a plan that goes no further what it comes to; or what the server says. */
function question() {
  const goesOn = narrowing.doors.some(({ door }) => door.isConnected);
  return (goesOn ? narrowing.question : labels.get(planned.at(-1))) || room()?.querySelector("#question")?.dataset.sentence || "";
}

export function draw() {
  const bar = place("narrow");
  if (!bar) return;
  const waits = !planned.length && !narrowing.doors.some(({ door }) => door.isConnected && !door.closest(".sent"));
  const options = waits ? [] : narrowing.options;
  const look = JSON.stringify([options, narrowing.chips, planned, deaf(), waits]);
  ask(waits);
  light(waits || room().classList.contains("in-scene"));
  if (look === shown && bar.childElementCount) return;
  shown = look;
  const inside = bar.contains(document.activeElement);
  place("steps").replaceChildren(...(waits ? [] : narrowing.chips.map(chip)));
  place("offers").replaceChildren(...options.map(offer), ...(waits ? [] : ends()));
  const many = place("offers").childElementCount;
  place("offers").className = `choices ${deaf() ? "inert" : ""} ${many > 3 ? "many" : ""}`;
  wrap(many);
  if (inside && !deaf()) place("offers").querySelector("button")?.focus({ preventScroll: true });
}

/** On a phone choices that one row does not take lie in two, lower ones; from then on there is room for two. */
function wrap(many) {
  const offers = place("offers");
  if (!small.matches || offers.scrollHeight <= 72) return;
  offers.classList.add(many < 7 ? "six" : "eight");
  document.documentElement.classList.add("roomy");
}

/** The sentence above: what is asked next, or what the server says while nothing is; in a scene what it tells. */
function ask(waits) {
  const asked = room().querySelector("#question");
  if (!asked) return;
  asked.dataset.sentence ??= asked.textContent;
  const { told, watch } = room().dataset, staged = room().classList.contains("in-scene");
  const sentence = staged ? told || watch : waits ? asked.dataset.sentence : question();
  if (asked.textContent !== sentence) asked.textContent = sentence;
  asked.classList.toggle("long", sentence.length > 38);
  asked.classList.toggle("wide", sentence.length > 28);
  asked.classList.toggle("longest", sentence.length > 88);
}

function button(word, value, className) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.insertAdjacentHTML("beforeend", drawn(value));
  made.append(word);
  return made;
}

/** What is drawn beside a word: the game's own shape `word-VALUE`, else the seal of a seat's paint. */
function drawn(value) {
  const { game, me } = room().dataset;
  if (value && document.getElementById(`word-${value}`))
    return `<svg class="sign picture ${game} ${PAINTS[me] ?? ""}" viewBox="-24 -24 48 48" aria-hidden="true"><use href="#word-${value}"/></svg>`;
  if (!PAINTS.includes(value) || !room().querySelector("form[data-painted]")) return "";
  return `<span class="disc ${value}"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#seal-${value}"/></svg></span>`;
}

function offer({ word, value, codes }) {
  const made = button(word, value, "choice");
  made.dataset.codes = codes.join("|");
  if (deaf()) made.setAttribute("aria-disabled", "true");
  if (codes.length === 1) made.title = narrowing.doors.find(({ code }) => code === codes[0])?.label ?? "";
  made.addEventListener("click", () => touch(codes));
  return made;
}

function chip({ word, value }) {
  const made = button(word, value, "chip-chosen");
  made.insertAdjacentHTML("beforeend", '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-close"/></svg>');
  made.addEventListener("click", back);
  return made;
}

/** What ends a plan, and the way back. */
function ends() {
  const words = room().dataset, made = [];
  if (planned.length && !narrowing.begun) {
    made.push(button(words.playPlan, "", "choice go"));
    made[0].addEventListener("click", () => deaf() || commit());
  }
  if (planned.length || narrowing.begun) {
    const undo = button("", "", "choice back");
    undo.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-back"/></svg>';
    undo.setAttribute("aria-label", words.takeBack);
    undo.addEventListener("click", back);
    made.push(undo);
  }
  return made;
}

/** Mark the parts of the pictures that can be touched now, and those that no longer can. */
function light(waits) {
  const open = new Set(waits ? [] : narrowing.open), all = new Set(waits ? [] : narrowing.doors.map((door) => door.code));
  room().classList.toggle("narrowing", !waits && narrowing.begun);
  for (const part of room().querySelectorAll(".picture [data-codes]")) {
    const codes = part.dataset.codes.split("|");
    const can = codes.some((code) => open.has(code));
    part.classList.toggle("clickable", can);
    part.classList.toggle("out", !can && codes.some((code) => all.has(code)));
  }
  if (unseen && open.size) {
    unseen = false;
    turnTo(".clickable", room());
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, textarea, dialog") || event.altKey || event.ctrlKey || event.metaKey || !room()) return;
  const offers = [...(place("offers")?.querySelectorAll("button") ?? [])];
  if (event.key === "Escape" || event.key === "ArrowLeft" && !offers.includes(document.activeElement)) {
    if (back()) event.preventDefault();
  } else if (/^[1-9]$/.test(event.key)) offers[event.key - 1]?.click();
  else if (event.key.startsWith("Arrow") && offers.includes(document.activeElement)) {
    const step = ["ArrowRight", "ArrowDown"].includes(event.key) ? 1 : -1;
    offers[(offers.indexOf(document.activeElement) + step + offers.length) % offers.length].focus();
    event.preventDefault();
  }
});
