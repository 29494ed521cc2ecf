// @ts-check
// Talk at the table, composed like moves: an act, a thing on the board, a hearer. Meanwhile no touch plays anything.

import { lend } from "./choices.js";
import { Narrowing } from "./narrow.js";
import { announce, banner, labelled, onPhone, tellMore } from "../site/page.js";

const STAGES = {
  promise: ["thing", "whom"], request: ["thing", "whom"], claim: ["thing", "whom"],
  offer: ["thing", "condition", "seat"], threat: ["thing", "condition", "seat"], accuse: ["about", "thing", "whom"],
};
const PAINTS = ["red", "green", "violet", "yellow", "blue", "white", "black"];
const MANY = 4; // maximum hearers with buttons on a phone; with more, only the seats are touched
const room = () => document.getElementById("room");
const place = () => room()?.querySelector("#composing");
/** The present draft: { act, doc, at, parts, about, to, aloud }. */
let made = null;
let opening = "", drafts = 0;

const stage = () => STAGES[made.act][made.at];
const part = () => made.parts[stage()];
const tells = (act) => act === "claim" || act === "accuse";

/** Open or close what can be said, which lies over the log. */
function offer(open) {
  const opener = room()?.querySelector("[data-say]");
  if (!opener) return;
  opener.setAttribute("aria-expanded", String(open));
  room().classList.toggle("saying", open);
  if (open) /** @type {HTMLElement} */ (room().querySelector(".speak button")).focus({ preventScroll: true });
}

/** Begin a statement; `to`: the seat that was touched first. */
export async function begin(act, to = null, known = null) {
  offer(false);
  if (!place() || opening) return;
  opening = act;
  const answer = await fetch(`${location.pathname}/speech`, { headers: { Accept: "application/json" } }).catch(() => null);
  opening = "";
  if (!answer || !place()) return;
  const doc = await answer.json();
  if (!answer.ok) return banner(doc.sentence);
  made = { act, doc, at: 0, about: null, to, aloud: true, parts: {}, sentence: "", tag: "", refused: "", scope: "" };
  for (const name of STAGES[act]) if (["thing", "condition"].includes(name)) made.parts[name] = pattern(name, {});
  if (known?.code) answerWith(known);
  draw();
  focusFirst();
}

/** Begin a counter-offer with the deed that was asked for, if it can be chosen. */
function answerWith({ code, not, when }) {
  const part = made.parts.thing;
  if (!part.narrowing.open.includes(code)) return;
  part.narrowing.touch([code]);
  Object.assign(part, { not, when });
  made.at = 1;
}

/** A deed or a fact without any choices yet: about the present decision, or else about anything. */
function pattern(name, { all = false }) {
  const { act, doc } = made, facts = tells(act), source = facts ? doc.facts : doc.doors;
  const owed = facts ? [] : name === "condition" || act === "request" ? doc.others : doc.mine;
  const verbs = owed.length && !all ? owed : Object.keys(source).filter((verb) => !all || !owed.includes(verb));
  const doors = verbs.flatMap((verb) => source[verb]).map(([code, words]) => ({ code, words: words.split("|"), label: words.split("|").at(-1) }));
  const now = owed.length > 0 && !all;
  return { narrowing: new Narrowing(doors), not: false, when: facts ? "" : now ? "now" : "next", whens: facts ? [] : now ? ["now", "next", "round"] : ["next", "round"], more: now && Object.keys(source).length > owed.length, any: false };
}

/** The text of a part so far; open arguments match everything. */
function text({ narrowing, not, when }) {
  const codes = narrowing.open.map((code) => code.split(" ")), [first] = codes;
  if (!first || codes.some(([verb]) => verb !== first[0])) return "";
  const slots = first.slice(1).map((value, slot) => (codes.every((code) => code[slot + 1] === value) ? value : "*"));
  return [...(not ? ["not"] : []), first[0], ...slots, ...(when ? [when] : [])].join(" ");
}

/** @returns {Record<string, any>} */
function fields(to) {
  const { act, about, parts, doc } = made, facts = tells(act), said = text(parts.thing);
  return {
    act, ...(facts ? { fact: said } : { deed: said }),
    ...(parts.condition && { condition: text(parts.condition) }),
    ...(about !== null && { about }),
    ...(to !== null && { to, aloud: made.aloud || !doc.whispers }),
  };
}

const isChosen = (one) => one.any || one.narrowing.open.length === 1;

/** A touch on the board: the topic of the statement, or nothing. */
function touch(codes) {
  if (!part() || !part().narrowing.meant(codes).left.length) return true;
  part().narrowing.touch(codes);
  if (isChosen(part())) next();
  else draw();
  return true;
}

function next() {
  made.at++;
  draw();
  announce(made.doc.questions[stage()]);
}

/** Undo a step; before the first one, stop composing. */
export function back() {
  if (!made) return false;
  const open = part();
  if (open?.any) open.any = false;
  else if (open?.narrowing.back()) { /* the last touch of this step */ }
  else if (made.at === 0) return end();
  else {
    made.at--;
    if (stage() === "about") made.about = null;
    else if (!part().any) part().narrowing.back();
    part().any = false;
  }
  draw();
  return true;
}

function end() {
  made = null;
  drafts++;
  lend(null);
  room()?.classList.remove("composing");
  if (place()) place().hidden = true;
  return true;
}

/** A touch on a seat: whom the statement is about, or its hearer. */
function toSeat(seat) {
  if (!made.doc.hearers.some((hearer) => hearer.seat === seat)) return;
  if (stage() === "about") {
    made.about = seat;
    next();
  } else if (stage() === "whom" || stage() === "seat") send(seat);
}

function send(to) {
  const asked = { ...fields(to) };
  // Only a seat that has to decide now can be asked about now.
  if (made.act === "request" && to !== null && made.parts.thing.when === "now" && !made.doc.deciding.includes(to)) {
    made.parts.thing.when = "next";
    asked.deed = text(made.parts.thing);
  }
  document.dispatchEvent(new CustomEvent("speak", { detail: asked }));
  end();
}

// Rendering

function draw() {
  const at = place(), { doc, act } = made;
  at.hidden = false;
  room().classList.add("composing");
  room().dataset.stage = stage();
  at.querySelector(".lead-in").replaceChildren(labelled(doc.leads[act], doc.questions[stage()]), dots());
  const inside = at.contains(document.activeElement);
  at.querySelector(".choices").replaceChildren(...buttons());
  settleRow();
  if (inside) focusFirst();
  for (const button of room().querySelectorAll("[data-act]")) button.setAttribute("aria-pressed", String(button.dataset.act === act));
  show();
  lend({ narrowing: part()?.narrowing ?? made.parts.thing.narrowing, touch, back, isOpen: Boolean(part()) });
  ask();
}

/** Choices in more than one row get room for two, from then on. */
function settleRow() {
  const row = place().querySelector(".choices"), many = row.querySelectorAll("button:not(.visually-hidden)").length - Number(onPhone.matches); // on a phone the way back is in the bar
  row.className = `choices ${part() ? "" : "to-whom"} ${many > 5 ? "many" : ""} ${onPhone.matches && many > 5 ? (many < 7 ? "six" : many < 9 ? "eight" : "ten") : ""}`;
  if (onPhone.matches && row.scrollHeight > 72) document.documentElement.classList.add("roomy");
  tellMore(row);
}

function dots() {
  const shown = document.createElement("span");
  shown.className = "dots";
  shown.setAttribute("aria-hidden", "true");
  shown.textContent = STAGES[made.act].map((_, step) => (step <= made.at ? "●" : "○")).join("");
  return shown;
}

/** Show the draft so far, with its token. */
function show() {
  const asked = place().querySelector(".asked"), { sentence, tag, refused, scope } = made;
  const told = Object.assign(document.createElement("span"), { textContent: refused || sentence || "…" });
  if (scope && !refused) told.append(Object.assign(document.createElement("small"), { textContent: scope }));
  asked.innerHTML = tag;
  asked.append(told);
  asked.classList.toggle("refused", Boolean(refused));
  asked.classList.toggle("long", (refused || sentence).length > 28);
}

/** Ask the server for the draft in the player's language; answers to older drafts are dropped. */
async function ask() {
  const number = ++drafts, said = fields(made.to);
  if (!said.deed && !said.fact) return clear();
  if (made.parts.condition && !said.condition) { // an unfinished offer reads as a promise
    said.act = "promise";
    delete said.condition;
  }
  if (STAGES[made.act].includes("seat")) Object.assign(said, { to: made.to ?? made.doc.hearers[0].seat, aloud: true });
  if (said.act === "accuse" && made.about === null) return clear();
  const answer = await fetch(`${location.pathname}/draft?${new URLSearchParams(/** @type {any} */ (said))}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || number !== drafts) return;
  Object.assign(made, await answer.json());
  if (number === drafts) show();
}

function clear() {
  Object.assign(made, { sentence: "", tag: "", refused: "", scope: "" });
  show();
}

function button(word, value, act, { pressed = null, name = "choice" } = {}) {
  const shown = document.createElement("button");
  shown.type = "button";
  shown.className = name;
  if (pressed !== null) shown.setAttribute("aria-pressed", String(pressed));
  shown.insertAdjacentHTML("beforeend", drawn(value));
  shown.append(word);
  shown.addEventListener("click", act);
  return shown;
}

const icon = (name) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-${name}"/></svg>`;

function drawn(value) {
  const { game } = room().dataset;
  if (value.startsWith("i-")) return icon(value.slice(2));
  if (value.startsWith("seat-")) return seal(value.slice(5));
  if (value && document.getElementById(`word-${value}`)) return `<svg class="sign picture ${game}" viewBox="-24 -24 48 48" aria-hidden="true"><use href="#word-${value}"/></svg>`;
  return seal(value);
}

const seal = (paint) => (PAINTS.includes(paint) ? `<span class="disc ${paint}"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#seal-${paint}"/></svg></span>` : "");

function buttons() {
  const { words } = made.doc, undo = button("", "i-back", back, { name: "choice back" });
  undo.setAttribute("aria-label", words.back);
  return [...(part() ? things() : hearers()), undo];
}

/** Buttons for possible topics, for negation, and for everything or something else. */
function things() {
  const { words } = made.doc, open = part(), { narrowing } = open;
  const options = narrowing.open.length > 1 ? narrowing.options : [];
  const shown = options.map(({ word, value, codes }) => {
    const one = button(word, value, () => touch(codes), { name: "choice thing" });
    one.dataset.codes = codes.join("|");
    return one;
  });
  if (!tells(made.act)) shown.unshift(button(words.not, "i-not", () => { open.not = !open.not; draw(); }, { pressed: open.not, name: "choice toggle" }));
  if (narrowing.begun && narrowing.open.length > 1 && text(open)) shown.push(button(words.any, "", () => { open.any = true; next(); }));
  if (open.more && !narrowing.begun) shown.push(button(words.other, "", () => { made.parts[stage()] = pattern(stage(), { all: true }); draw(); }, { name: "choice other" }));
  return shown;
}

/** Buttons for the hearers and the time; the defaults are pressed. */
function hearers() {
  const { words, when, hearers: others } = made.doc, { thing, condition } = made.parts, hidden = onPhone.matches && others.length > MANY;
  const seats = others.filter(({ seat }) => stage() !== "whom" || seat !== made.about).map(({ seat, name }) => {
    const one = button(name, `seat-${PAINTS[seat]}`, () => toSeat(seat), { name: `choice hearer ${hidden ? "visually-hidden" : ""} ${seat === made.to ? "go" : ""}` });
    if (made.doc.whispers && stage() !== "about") one.title = `${name} · ${made.aloud ? words.aloud : words.whisper}`;
    return one;
  });
  const all = stage() === "whom" ? [button(words.all, "i-horn", () => send(null), { name: `choice all ${made.to === null ? "go" : ""}` })] : [];
  if (stage() === "about") return seats;
  if (made.doc.whispers) seats.push(button(words.aloud, "i-horn", () => { made.aloud = !made.aloud; draw(); }, { pressed: made.aloud, name: "choice toggle aloud" }));
  const set = (value) => { for (const one of [thing, condition].filter(Boolean)) one.when = value; draw(); };
  return [...all, ...seats, ...thing.whens.map((key) => button(when[key], `i-${key}`, () => set(key), { pressed: thing.when === key, name: "choice toggle when" }))];
}

function focusFirst() {
  /** @type {HTMLElement} */ (place()?.querySelector(".choices .go, .choices .thing, .choices button"))?.focus({ preventScroll: true });
}

// Events

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-unsay]")) return back();
  const opener = event.target.closest?.("[data-say]");
  if (opener || event.target.closest?.("[data-tab]")) return offer(opener?.getAttribute("aria-expanded") === "false");
  const counter = event.target.closest?.("[data-counter]")?.dataset;
  if (counter) return begin("offer", Number(counter.counter), { code: counter.code, not: Boolean(counter.not), when: counter.when });
  const button = event.target.closest?.("[data-act], [data-ask-all]"), seat = event.target.closest?.(".seats [data-seat]");
  if (button && "askAll" in button.dataset) {
    offer(false);
    document.dispatchEvent(new CustomEvent("speak", { detail: { act: "ask", deed: asksAll() } }));
  } else if (button) begin(button.dataset.act);
  else if (seat && made) toSeat(Number(seat.dataset.seat));
  else if (seat && place() && seat.dataset.seat !== room().dataset.me) begin("promise", Number(seat.dataset.seat));
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, textarea, dialog") || event.altKey || event.ctrlKey || event.metaKey || !place()) return;
  const key = event.key.toLowerCase();
  if (!made) {
    if (key === "p") begin("promise");
    else if (key === "escape") offer(false);
    return;
  }
  if (key === "escape") back();
  else if (key === "a" && stage() === "whom") send(null);
  else if (/^[1-9]$/.test(key) && !part()) toSeat(Number(key) - 1);
  else if (/^[1-9]$/.test(key)) place().querySelectorAll(".choices .thing")[Number(key) - 1]?.click();
  else return;
  event.preventDefault();
});

/** The deed about which the player can ask everyone, while others decide in secret. */
const asksAll = () => room()?.querySelector('[data-place="asked"] [data-deed]')?.dataset.deed;

/** Update after the page has changed: asking everyone needs a ballot, and drafts about another decision are dropped. */
export function settleSpeech() {
  room()?.classList.toggle("asked", Boolean(room().querySelector(".asked-card")));
  for (const button of room()?.querySelectorAll("[data-ask-all]") ?? []) button.classList.toggle("idle", !asksAll());
}

document.addEventListener("asked-anew", () => { if (made) end(); });
document.addEventListener("shown", () => { made = null; lend(null); });
