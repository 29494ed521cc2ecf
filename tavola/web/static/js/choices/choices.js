// @ts-check
// The choices of the present decision, made from the plain form on the page: a few short words at a time.

import { Ahead } from "./ahead.js";
import { hide } from "../board/bubble.js";
import { confirms, line, tell } from "./does.js";
import { Narrowing } from "./narrow.js";
import { announce, labelled, onPhone, spoken, tellMore } from "../site/page.js";
import { byFinger, sincePress } from "../site/presses.js";
import { lookAt, turnTo } from "../board/zoom.js";

const DEAF = 400, STRAY = 600; // milliseconds: new choices ignore presses for `DEAF`, and for `STRAY` after any press
export const PARTS = ":is([data-codes], [data-adds], [data-removes]):is(.picture *)";
const PAINTS = ["red", "green", "violet", "yellow", "blue", "white", "black"];
const room = () => document.getElementById("room");
const place = (name) => room()?.querySelector(`#${name}`);

let narrowing = new Narrowing(), prompt = null, shown = "", deafUntil = 0, waking, painting;
let planned = [], wanted = { number: null, codes: [] }, alone = new Set(), hushedUntil = 0, unseen = false, followed = "";
let armed = ""; // the selected code: touching it again, or Play, plays it
const ahead = new Ahead();
const labels = new Map(); // names of a plan's steps, by code
const effects = new Map(); // their consequences
const young = new Map(); // codes that appeared while others could be chosen, and until when they ignore presses

let lent = null; // who receives touches while a statement is composed: { narrowing, touch, back, isOpen }

export const now = () => lent?.narrowing ?? narrowing;
export const deaf = () => performance.now() < deafUntil;

/** Use touches on the board for a statement; when they are given back, choices ignore presses for a moment. */
export function lend(other) {
  if (lent && !other) silence();
  lent = other;
  draw();
}

const hushed = () => performance.now() < Math.max(deafUntil, hushedUntil);
const isYoung = (code) => young.get(code) > performance.now();
const formOf = (code) => narrowing.doors.find((known) => known.code === code)?.door.closest("form");
const among = (verbs, code) => (verbs ?? "").split(" ").includes(code.split(" ")[0]);

function doors() {
  const forms = room()?.querySelectorAll('[data-place="actions"] form:not(.sent)') ?? [];
  return [...forms].flatMap((form) => [...form.querySelectorAll('button[name="code"], option')].map((door) => ({
    code: door.value, words: (door.dataset.words ?? "").split("|"), label: door.textContent.trim(), door,
  })));
}

/** Update after the page has changed: start again if there is a new decision, and show what is open. */
export function refresh() {
  const form = /** @type {HTMLFormElement} */ (room()?.querySelector('[data-place="actions"] form')), open = form && "open" in form.dataset;
  const found = doors(), number = open ? "open" : /** @type {HTMLInputElement} */ (form?.elements.namedItem("prompt_id"))?.value;
  const key = `${number} ${form?.dataset.steps} ${found.map(({ code, label }) => `${code} ${label}`).join("|")}`;
  if (key !== prompt) {
    const goesOn = open && prompt?.startsWith("open "), before = narrowing;
    prompt = key;
    unseen = true;
    if (!goesOn) armed = "";
    if (!goesOn) hide();
    if (!goesOn) document.dispatchEvent(new Event("asked-anew"));
    planned = JSON.parse(form?.dataset.steps ?? "[]");
    if (form) ahead.ask(JSON.parse(form.dataset.ahead || "null"));
    narrowing = ahead.on && form ? laying(form) : new Narrowing(found, JSON.parse(form?.dataset.asks || "{}"), JSON.parse(form?.dataset.does || "{}"));
    found.forEach(({ code, label }) => labels.set(code, label));
    found.forEach(({ code }) => effects.set(code, narrowing.consequence([code])));
    if (!planned.length) alone = new Set(found.map(({ code }) => code));
    if (goesOn) goOn(before);
    else if (found.length || planned.length) silence();
    if (form && !form.classList.contains("sent")) replan();
    if (found.some(({ code }) => code === ahead.due)) cast(found);
  } else {
    narrowing.doors = ahead.on && form ? cards(form) : found;
    if (stands()) ahead.send(false);
  }
  settleScales();
  draw();
}

/** The cards for the first ballot without one, as doors; the form replaces the buttons that it does not have. */
const cards = (form) => ahead.options(ahead.next).map((card) => ({ ...card, door: form }));
const laying = (form) => new Narrowing(cards(form), ahead.asks);

/** The laid cards have changed: ask for the next ballot. */
function relay() {
  if (stands()) narrowing = laying(room().querySelector('[data-place="actions"] form'));
  silence();
  draw();
  announce(question());
  return true;
}

/** Play: send the card of the present ballot now, and those of later ballots when they are asked. */
function cast(found = doors()) {
  ahead.going = true;
  const { door } = found.find(({ code }) => code === ahead.due);
  ahead.send();
  door.click();
  draw();
}

/** Lay a card for the only ballot it fits, or for the one that is asked; touching a box takes its card back. */
function touchAhead(codes) {
  const places = codes.map((code) => ahead.open.get(code)).filter(Boolean), early = deaf();
  if (early || !places.length) return early;
  const meant = codes.filter((code) => ahead.open.has(code)), asked = meant.filter((code) => ahead.open.get(code) === ahead.next);
  const [code] = meant.length === 1 ? meant : asked.length === 1 ? asked : [];
  if (code) ahead.lay(code);
  else if (new Set(places).size > 1 || !ahead.take(places[0])) return true;
  return relay();
}

/**
 * Another seat has acted in an open decision: keep what was begun. Only choices that are new or have changed ignore
 * presses for a moment; the buttons do if any of them has changed.
 */
function goOn(before) {
  const known = new Map(before.doors.map(({ code, label }) => [code, label])), until = performance.now() + DEAF;
  for (const { code, label } of narrowing.doors) if (known.get(code) !== label) young.set(code, until);
  if (before.begun) narrowing.touch(before.open);
  if (!known.has(armed) || known.get(armed) !== labelOf(armed)) armed = "";
  if (faces(before) !== faces(narrowing)) hushedUntil = until;
  clearTimeout(waking);
  waking = setTimeout(draw, DEAF + 20);
}

/** The labels of the buttons, and the codes that they play. */
const faces = ({ options }) => JSON.stringify(options.map(({ word, value, codes }) => [word, value, codes.length === 1 && codes[0]]));

/** Ignore presses on these codes for a moment: other seats' actions have moved them. */
export function hush(codes) {
  for (const code of codes) young.set(code, performance.now() + DEAF);
  clearTimeout(waking);
  waking = setTimeout(draw, DEAF + 20);
}

/** An update by others is shown without the plan: try the plan again while the decision is the same. */
function replan() {
  if (planned.length) wanted = { number: decision(), codes: planned };
  else if (wanted.number !== decision()) giveUp();
  else if (wanted.codes.length) plan(wanted.codes);
}

/** The plan was refused: do not try it again. */
export function giveUp() {
  wanted = { number: null, codes: [] };
}

/**
 * Make new choices ignore presses for a moment: an inertial press belongs to the previous decision or step. The time
 * starts when they are visible, which is later on a busy machine.
 */
function silence() {
  waitToListen();
  cancelAnimationFrame(painting);
  painting = requestAnimationFrame(waitToListen);
}

function waitToListen() {
  const lasts = Math.max(DEAF, STRAY - sincePress());
  deafUntil = performance.now() + lasts;
  clearTimeout(waking);
  waking = setTimeout(draw, lasts + 20);
}

/**
 * Touch something that can mean these codes. Returns whether it means anything now. `quick`: accept it at once, because
 * time is measured. `sure`: play without confirmation. `confirm`: only Play can confirm, not another touch.
 */
export function touch(codes, { quick = false, confirm = false, sure = false } = {}) {
  if (lent) return lent.touch(codes);
  if (ahead.on) return touchAhead(codes);
  const { left: meant, anew } = narrowing.meant(codes), early = deaf() && !quick;
  if (early || !meant.length) return early;
  if (meant.every(isYoung)) return true;
  if (!confirm && meant.length > 1 && codes.includes(armed)) { // the part glows because the selected code is one of its codes
    play(armed);
    return true;
  }
  if (toScale(meant)) return true;
  const [code] = meant, first = anew || !narrowing.begun;
  if (meant.length === 1 && !quick && !sure && (confirm || (code !== armed && hangsOnIt(code, first)))) arm(code);
  else if (meant.length === 1) play(code);
  else {
    armed = "";
    narrowing.touch(codes);
    silence();
    draw();
    announce(question());
  }
  return true;
}

/** Drag one thing onto another: two touches that need no confirmation. */
export function carry(taken, put) {
  if (lent) return lent.touch(taken) && lent.touch(put);
  if (ahead.on) return touchAhead(taken.filter((code) => put.includes(code)));
  if (deaf()) return;
  if (narrowing.meant(taken).left.length > 1) narrowing.touch(taken);
  touch(put, { sure: true });
}

/**
 * Whether a touch would play something irreversible and nothing else shows that it is meant: it is the first of its
 * decision, or by finger, which may only explore. Tried steps can be taken back, the only answer needs no confirmation,
 * and what sends a draft was shown since it was drawn up, like Play.
 */
const hangsOnIt = (code, first) => !isOnly() && !isTried(code) && !sendsDraft(code) && (first || byFinger());

const sendsDraft = (code) => isDraft() && !alone.has(code);

/** Whether something has been touched, and more is needed before it is played. */
export const asks = () => !lent && (Boolean(armed) || (narrowing.begun && narrowing.open.length > 1));

/** Whether there is only one possible answer and no plan to play instead; an open decision can be left and asked again. */
const isOnly = () => narrowing.doors.length === 1 && !planned.length && !ahead.on && !prompt?.startsWith("open ");

/** Select a code: its consequence is shown, and touching it again, or Play, plays it. */
function arm(code) {
  armed = code;
  lookWhere(code);
  silence();
  draw();
  announce(labelOf(code));
}

/** Turn the board to the place of a card of the hand. */
function lookWhere(code) {
  const held = leading().find(({ dataset }) => dataset.codes?.split("|").includes(code));
  if (held) lookAt(document.getElementById(held.dataset.look));
}

const labelOf = (code) => narrowing.doors.find((door) => door.code === code)?.label ?? "";

/**
 * Change a plan whose steps have a fixed order; the server sorts them. `instead` names verbs and codes whose steps are
 * removed, `first` a step to add if the plan has none of its verb.
 */
export function alter({ adds = "", removes = "", first = "", instead = "" }) {
  if (deaf() || lent) return;
  let steps = [...(wanted.number === decision() ? wanted.codes : planned)];
  for (const gone of [...instead.split("|"), removes].filter(Boolean)) {
    if (gone.includes(" ")) steps = steps.filter((_, at) => at !== steps.lastIndexOf(gone));
    else steps = steps.filter((code) => !among(gone, code));
  }
  if (first && !steps.some((code) => among(first.split(" ")[0], code))) steps.unshift(first);
  if (adds) steps.push(adds);
  plan(steps);
}

export function back() {
  if (lent) return lent.back();
  if (armed) {
    armed = "";
    draw();
    return true;
  }
  if (ahead.on && stands() && ahead.take()) return relay();
  if (planned.length && !narrowing.begun) return plan(planned.slice(0, -1));
  const did = narrowing.back();
  if (did) silence();
  if (did) draw();
  return did;
}

function play(code) {
  const { door } = narrowing.doors.find((known) => known.code === code), form = door.form ?? formOf(code);
  armed = "";
  if (isTried(code)) return step([...planned, code]);
  if (sendsDraft(code) || (planned.length && !isDraft())) return commit([...planned, code]); // other actions discard the draft
  if (door.nodeName === "BUTTON") door.click();
  else {
    door.selected = true;
    form.requestSubmit();
  }
  narrowing.end();
  draw();
}

/** Whether a code is a step that is tried on the player's own view before it is played. */
function isTried(code) {
  const { planned: verbs, drafted } = formOf(code)?.dataset ?? {};
  return among(verbs, code) && (among(drafted, code) || !isDraft());
}

/** Whether other seats would see nothing of the plan so far. */
function isDraft() {
  const verbs = room().querySelector('[data-place="actions"] form')?.dataset.drafted;
  return planned.length > 0 && planned.every((code) => among(verbs, code));
}

/** Add a step, unless the same steps are already waiting for an answer. */
function step(codes) {
  lookWhere(codes.at(-1));
  narrowing.end(); // in an open decision, the answer would otherwise go on with the choice that was made
  const asked = wanted.number === decision() && wanted.codes.join("|") === codes.join("|");
  return asked || plan(codes);
}

/** Try steps on the player's own view: the answer is a screen; the match does not change. */
function plan(codes) {
  wanted = { number: decision(), codes };
  document.dispatchEvent(new CustomEvent("plan", { detail: { codes, prompt_id: promptNumber() } }));
  return true;
}

const promptNumber = () => Number(/** @type {HTMLInputElement} */ (room().querySelector('[data-place="actions"] [name="prompt_id"]')).value);

/** Key of the decision that a plan belongs to: an open decision stays the same one however often it is asked. */
const decision = () => ("open" in room().querySelector('[data-place="actions"] form').dataset ? "open" : promptNumber());

function commit(codes = planned) {
  document.dispatchEvent(new CustomEvent("commit", { detail: { codes, prompt_id: promptNumber() } }));
  room().querySelectorAll('[data-place="actions"] form').forEach((form) => form.classList.add("sent"));
  giveUp();
  planned = [];
  prompt = null;
  draw();
}

/** The next question, the result of a plan that is complete, or the server's sentence. */
function question() {
  if (ahead.whole) return ahead.cards.map(shortly).join(" · ");
  if (armed || isOnly()) return labelOf(armed || narrowing.doors[0].code);
  const goesOn = narrowing.doors.some(({ door }) => door.isConnected);
  return (goesOn ? narrowing.question : labels.get(planned.at(-1))) || room()?.querySelector("#question")?.dataset.sentence || "";
}

export function draw() {
  const bar = place("narrow");
  if (!bar) return;
  const waits = !planned.length && !(ahead.whole && stands()) && !narrowing.doors.some(({ door }) => door.isConnected && !door.closest(".sent"));
  const every = waits ? [] : narrowing.options, unscaled = every.filter(({ codes }) => !scaleOf(codes)), all = narrowing.begun && !unscaled.length ? every : unscaled;
  const options = armed && !all.some(({ codes }) => means(codes, armed)) ? [] : all; // otherwise Play takes their place
  const look = JSON.stringify([options, narrowing.chips, planned, ahead.cards, hushed(), waits, armed]), staged = room().classList.contains("in-scene");
  ask(waits);
  light(waits || staged, staged);
  const told = () => lent ? tell(null, [], "") : tell(waits || staged ? null : doesNow(), waits || staged ? [] : options.map(({ codes }) => ({ codes, does: narrowing.consequence(codes) })), armed);
  if (look === shown && bar.childElementCount) return told();
  shown = look;
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  const inside = ["offers", "steps"].some((part) => place(part).contains(held));
  place("steps").replaceChildren(...ahead.cards.map(lying), ...(waits ? [] : narrowing.chips.map(chip)));
  place("offers").replaceChildren(...options.map(offer), ...(waits ? [] : ends(options)));
  const many = place("offers").querySelectorAll(onPhone.matches ? ".choice:not(.back)" : ".choice").length; // a phone has another place for Undo
  const worded = options.some(({ codes }) => narrowing.consequence(codes)) ? "worded" : "";
  const closing = options.some(({ codes }) => closes(codes)) ? "closing" : "";
  place("offers").className = `choices ${hushed() ? "inert" : ""} ${many > 3 ? "many" : ""} ${worded} ${closing}`;
  wrap(many);
  tellMore(place("offers"));
  told(); // after the row has its height, because labels are placed on the final board
  if (inside) nextAfter(held)?.focus({ preventScroll: true });
}

/** The choice to focus: the previous one if it is still offered, else Play, else the first. */
function nextAfter(held) {
  const choices = /** @type {HTMLElement[]} */ ([...place("offers").querySelectorAll("button")]);
  return choices.find(({ dataset }) => dataset.codes && dataset.codes === held.dataset.codes) ?? choices.find(({ classList }) => classList.contains("go")) ?? choices[0];
}

/** The consequence of the selected code, of the plan, or of the only answer. */
function doesNow() {
  if (armed) return narrowing.consequence([armed]);
  if (planned.length && !narrowing.begun) return effects.get(planned.at(-1)) ?? null;
  return isOnly() ? narrowing.consequence([narrowing.doors[0].code]) : null;
}

/** On a phone, show choices that need more than one row in lower rows, and keep room for two from then on. */
function wrap(many) {
  const offers = place("offers");
  if (!onPhone.matches || offers.scrollHeight <= 72) return;
  offers.classList.add(many < 7 ? "six" : "eight");
  document.documentElement.classList.add("roomy");
  // A line as high as its letters lies in a box that is a pixel higher.
  for (const offer of offers.children) if (offer.scrollHeight > offer.clientHeight + 1) offer.querySelector(".does")?.remove();
}

/** Show the sentence above: the next question, or the server's while there is none; in a scene, what happens. */
function ask(waits) {
  const asked = room().querySelector("#question");
  if (!asked) return;
  asked.dataset.sentence ??= asked.textContent;
  const staged = room().classList.contains("in-scene");
  const happened = room().dataset.told || spoken(room().querySelector('[data-place="ticker"]') ?? "").trim();
  const sentence = staged ? happened || asked.textContent : waits ? asked.dataset.sentence : question();
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

/** The drawing beside a word: the game's shape `word-VALUE`, or else the seal of a seat's paint. */
function drawn(value) {
  const { game, me } = room().dataset;
  if (value && document.getElementById(`word-${value}`))
    return `<svg class="sign picture ${game} ${PAINTS[me] ?? ""}" viewBox="-24 -24 48 48" aria-hidden="true"><use href="#word-${value}"/></svg>`;
  if (!PAINTS.includes(value) || !room().querySelector("form[data-painted]")) return "";
  return `<span class="disc ${value}"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#seal-${value}"/></svg></span>`;
}

const means = (codes, code) => codes.length === 1 && codes[0] === code;

/** Whether races are timed: in correspondence they are not. */
export const isTimed = () => !room().dataset.days;

/** Whether a code is an answer in a race, which needs no confirmation. */
const isQuick = (code) => isTimed() && [...room().querySelectorAll(".picture [data-quick]")].some(({ dataset }) => dataset.codes?.split("|").includes(code));

function offer({ word, value, codes }) {
  const singled = means(codes, armed), main = closes(codes), made = button(word, value, `choice ${singled || (main && planned.length) ? "go" : ""} ${main ? "main" : ""}`);
  made.dataset.codes = codes.join("|");
  const does = narrowing.consequence(codes);
  if (does) {
    made.classList.add("does-so", does[2]);
    made.append(line(does));
  }
  if (hushed()) made.setAttribute("aria-disabled", "true");
  if (codes.length === 1) made.title = narrowing.doors.find(({ code }) => code === codes[0])?.label ?? "";
  if (singled) confirms(made, room().dataset.playPlan, labelOf(armed));
  made.addEventListener("click", () => hushed() || touch(codes, { quick: codes.length === 1 && isQuick(codes[0]), sure: main }));
  return made;
}

/** Whether this is the main button: it ends a part of the turn, and plays what is planned with it. */
const closes = (codes) => !narrowing.begun && !armed && codes.length === 1 && among(formOf(codes[0])?.dataset.closing, codes[0]);

function chip({ word, value }) {
  const made = button(word, value, "chip-chosen");
  made.insertAdjacentHTML("beforeend", '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-close"/></svg>');
  made.addEventListener("click", back);
  return made;
}

/** A laid card that is not sent yet: touching it takes it back. */
function lying({ place: at, words, code, label }) {
  const [, box] = code.split(" "), drawnBox = document.getElementById(`word-${box}`);
  const made = button(drawnBox ? words.at(-1) : words.slice(1).join(" "), box, "chip-chosen laid-ahead");
  made.insertAdjacentHTML("beforeend", '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-close"/></svg>');
  made.setAttribute("aria-label", labelled(room().dataset.takeBack, label));
  made.addEventListener("click", () => deaf() || (ahead.take(at) && relay()));
  return made;
}

const shortly = ({ words }) => words.slice(1).join(" ");

/** Whether there is a question without an answer yet. */
const stands = () => Boolean(room().querySelector('[data-place="actions"] form:not(.sent)'));

function goButton(does, word = room().dataset.playPlan) {
  const made = button(word, "", "choice go");
  made.addEventListener("click", () => hushed() || does());
  return made;
}

/** The buttons that play the selected code or end a plan, and the one to go back. */
function ends(options) {
  const words = room().dataset, made = [], alone = armed && !options.length;
  const whole = planned.length && !narrowing.begun && !(isDraft() && narrowing.doors.length) && !options.some(({ codes }) => closes(codes));
  if (alone) made.push(confirms(goButton(() => play(armed), labelOf(armed)), words.playPlan, labelOf(armed)));
  else if (ahead.whole && stands()) made.push(goButton(() => cast()));
  else if (!armed && whole) made.push(goButton(() => commit()));
  const may = planned.length || narrowing.begun || alone || (ahead.on && ahead.laid.size && stands());
  if (may || (!onPhone.matches && options.some(({ codes }) => closes(codes)))) { // beside a main button its place is kept
    const undo = button("", "", "choice back");
    undo.innerHTML = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-back"/></svg><span></span>';
    undo.lastElementChild.textContent = words.takeBack;
    undo.disabled = !may;
    undo.setAttribute("aria-label", words.takeBack);
    undo.addEventListener("click", back);
    made.push(undo);
  }
  return made;
}

// Sliders

/** @returns {HTMLInputElement[]} */
const scales = () => [.../** @type {NodeListOf<HTMLInputElement>} */ (room()?.querySelectorAll(".scale input")) ?? []];
const scaleOf = (codes) => scales().find((scale) => codes.every((code) => scale.dataset.instead.split("|").some((part) => among(part, code))));

/** Point out the slider for these codes instead of offering buttons. */
function toScale(codes) {
  const scale = scaleOf(codes);
  scale?.focus();
  return Boolean(scale);
}

/** Show the plan's position on each slider, unless it is being moved. */
function settleScales() {
  for (const scale of scales()) {
    if (!scale.matches(":active")) scale.value = scale.defaultValue;
    tellScale(scale);
  }
}

function tellScale(scale) {
  const words = scale.dataset.words.split("|")[scale.value];
  scale.setAttribute("aria-valuetext", words);
  scale.nextElementSibling.textContent = words;
}

document.addEventListener("input", ({ target }) => target.closest?.(".scale") && tellScale(target));
document.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  if (target.closest?.(".scale")) alter({ adds: target.dataset.codes.split("|")[target.value], instead: target.dataset.instead });
});

/** Whether a touch on a part changes the plan, according to its data. */
export const alters = (/** @type {DOMStringMap} */ { adds, removes }) => Boolean(adds || removes);

/** Mark the parts of the pictures that can be touched now, and those that no longer can. */
function light(waits, staged) {
  if (lent) return lightLent(staged);
  const lays = ahead.on && !staged, may = lays ? [...ahead.open.keys()] : waits ? [] : narrowing.open.filter((code) => !isYoung(code));
  const open = new Set(may), all = new Set(lays ? may : waits ? [] : narrowing.doors.map((door) => door.code));
  const form = /** @type {HTMLFormElement} */ (room().querySelector('[data-place="actions"] form'));
  const wise = new Set(lays ? ahead.options(ahead.next).map(({ code }) => code) : (form?.dataset.sensible || "").split("|").filter((code) => open.has(code)));
  room().classList.toggle("narrowing", (!waits && narrowing.begun) || ahead.cards.length > 0);
  room().classList.toggle("weighed", wise.size > 0);
  for (const part of room().querySelectorAll(PARTS)) {
    const codes = part.dataset.codes?.split("|") ?? [];
    const can = codes.some((code) => open.has(code)) || (!waits && alters(part.dataset));
    part.classList.toggle("clickable", can);
    part.classList.toggle("sensible", codes.some((code) => wise.has(code)));
    part.classList.toggle("armed", can && Boolean(armed) && codes.includes(armed));
    part.classList.toggle("out", !can && codes.some((code) => all.has(code)));
  }
  lightLaid();
  follow(open);
}

/** Lift laid cards in the hand and show them where they will be (`data-lies`); only this page knows them. */
function lightLaid() {
  const lies = new Set(ahead.cards.map(({ code }) => code)), left = [...lies];
  for (const part of room().querySelectorAll(".picture [data-lies]")) part.classList.toggle("lies", lies.has(part.dataset.lies));
  for (const part of room().querySelectorAll(".board-hand [data-codes]")) {
    const at = left.findIndex((code) => part.dataset.codes.split("|").includes(code));
    part.classList.toggle("laid-down", at >= 0);
    if (at >= 0) left.splice(at, 1);
  }
}

/** The same for possible topics of a statement; other parts fade. */
function lightLent(staged) {
  const { narrowing: said, isOpen } = lent, open = new Set(staged ? [] : said.open);
  room().classList.remove("narrowing", "weighed");
  for (const part of room().querySelectorAll(PARTS)) {
    const can = part.dataset.codes?.split("|").some((code) => open.has(code)) ?? false;
    part.classList.toggle("clickable", can && isOpen);
    part.classList.toggle("out", !can && !staged);
    part.classList.remove("sensible", "armed");
  }
}

/** The lit parts of the hand that stand for a place on the main board (`data-look`). */
const leading = () => /** @type {HTMLElement[]} */ ([...room().querySelectorAll(".board-hand .clickable[data-look]")]);

/** Turn a movable board to newly lit parts, to the places of lit cards, and to where a plan has come (`data-follow`). */
function follow(open) {
  const now = [...open].sort().join("|") + planned.join("|");
  if (now === followed) return;
  const begins = unseen;
  followed = now;
  if (open.size) unseen = false;
  const places = room().querySelector(".stage .clickable") ? [] : leading().map(({ dataset }) => `#${CSS.escape(dataset.look)}`);
  turnTo(open.size ? [".clickable", ...places].join(", ") : "[data-follow]", room(), { asked: !begins });
}

// In another window, as on a phone that is turned, the choices need other rows.
addEventListener("resize", () => {
  shown = "";
  draw();
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, textarea, dialog") || event.altKey || event.ctrlKey || event.metaKey || !room() || lent) return;
  const offers = [...(place("offers")?.querySelectorAll("button") ?? [])];
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  if (event.key === "Escape" || event.key === "ArrowLeft" && !offers.includes(focused)) {
    if (back()) event.preventDefault();
  } else if (/^[1-9]$/.test(event.key)) {
    const part = room().querySelectorAll(".picture .clickable[data-quick]")[Number(event.key) - 1];
    if (part) touch(part.dataset.codes.split("|"), { quick: isTimed() });
    else offers[Number(event.key) - 1]?.click();
  }
  else if (event.key.startsWith("Arrow") && offers.includes(focused)) {
    const step = ["ArrowRight", "ArrowDown"].includes(event.key) ? 1 : -1;
    offers[(offers.indexOf(focused) + step + offers.length) % offers.length].focus();
    event.preventDefault();
  }
});
