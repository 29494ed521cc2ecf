// @ts-check
// The live room: sends forms over the socket, shows changes in order, and announces what happens.

import { lostCards } from "../choices/ahead.js";
import { hide } from "../board/bubble.js";
import { call } from "../app/calling.js";
import { settleColumn } from "./column.js";
import { draw, giveUp, refresh } from "../choices/choices.js";
import { readClock, tick } from "./clocks.js";
import { learnsFirst, settleHelp } from "../pages/help.js";
import { apply } from "../site/morph.js";
import { announce, banner, labelled, show, spoken } from "../site/page.js";
import { settlePad } from "./pad.js";
import { settlePanels, talked } from "./panels.js";
import { nameForms } from "../site/post.js";
import { turn } from "../site/presses.js";
import { settlePrint, settleWords } from "../board/print.js";
import { Queue } from "./queue.js";
import { settleRows } from "../choices/rows.js";
import { enterSince, isLookingBack, noteHidden } from "./since.js";
import { skipping } from "./skip.js";
import { Line } from "./socket.js";
import { settleSound, sound, soundOf } from "./sound.js";
import { settleSpeech } from "../choices/speak.js";
import { enterStory, retell } from "./story.js";
import { point, watch } from "../choices/touches.js";
import { glance, settleBoxes, settleZoom } from "../board/zoom.js";

const FELT = 40, NEW = 6000; // milliseconds
const still = matchMedia("(prefers-reduced-motion: reduce)");
const NUMBERS = ["prompt_id", "seat", "other", "about", "answers", "place"];
const room = () => document.getElementById("room");
const watched = new WeakSet();
const newUntil = new Map(); // by id of a piece in the viewer's own hand
let lookAtSkip = () => {}, faceDown = false;
let line, focusLost = false, reading;

const queue = new Queue((message, hurried) => shown(message, hurried), (playing, next) => {
  room()?.classList.toggle("in-scene", playing);
  if (playing) hide();
  if (playing) {
    delete room()?.dataset.told;
    delete room()?.dataset.times;
  }
  if (playing) return;
  document.documentElement.classList.remove("now-all");
  if (!next) draw(); // otherwise what follows is drawn, and not the last question again
});

export function enter() {
  if (learnsFirst()) return;
  lookAtSkip = skipping(queue, () => { if (!room().classList.contains("over") && !isLookingBack()) line.send({ type: "skip" }); });
  enterStory(queue);
  enterSince(queue);
  readClock();
  if (lostCards()) banner(room().dataset.unsent);
  line = new Line(room().dataset.socket, { received, refused, lost, opened, polled, found });
  settle();
  line.open(room().dataset.have);
  setInterval(tick, 500);
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, point);
  document.addEventListener("toggle", reread, true);
  document.addEventListener("shown", () => { if (!learnsFirst()) { readClock(); settle(); } });
}

/** Update after the page was shown: what only a script can add. */
function settle() {
  for (const picture of room()?.querySelectorAll(".picture") ?? []) {
    if (!watched.has(picture)) watch(picture);
    watched.add(picture);
  }
  settleHelp();
  settlePanels();
  settleColumn();
  settleSound();
  settlePad();
  settleSpeech();
  settleBoxes(room());
  settleZoom(room());
  nameCards();
  settleWords(room());
  settlePrint(room());
  settleRows(room());
  refresh();
  tick();
  room()?.querySelectorAll("[data-scriptless]").forEach((button) => { button.hidden = true; });
}

function shown(message, hurried) {
  if (message.type === "page") return turnPage();
  if (message.type !== "frame" && message.type !== "fragments") return null;
  document.documentElement.classList.toggle("now-all", Boolean(hurried));
  soundOf(message, hurried);
  return change(message);
}

function change(message) {
  const state = room().querySelector("[data-mine]")?.dataset.mine, asked = sentence();
  const focused = document.activeElement;
  const came = apply(room(), message);
  if (message.told) room().dataset.told = spoken(message.told);
  retell(message.told && spoken(message.told));
  reveal(message);
  glance(room());
  settleWords(room());
  settlePrint(room());
  settleRows(room());
  noteHidden();
  markNew(room().querySelector('[data-list="own-hand"]'), came["own-hand"]);
  nameCards();
  if (message.type === "fragments") refresh();
  nameForms();
  settleHelp();
  settleSpeech();
  refocus(focused);
  reread();
  tick();
  talked(came.chat);
  told(came, state, asked);
  if (message.type !== "fragments") draw();
}

/**
 * Mark new pieces in the viewer's own hand for a while, such as a card that was drawn or received in barter; not if the
 * whole hand was dealt. `came`: the hand's new pieces.
 */
function markNew(hand, came = []) {
  const held = [...hand?.querySelectorAll(":scope > .piece:not(.through)") ?? []], fresh = held.filter((piece) => came.includes(piece));
  const mark = () => held.forEach((piece) => piece.classList.toggle("newly", newUntil.get(piece.id) > performance.now()));
  if (fresh.length < held.length) for (const { id } of fresh) newUntil.set(id, performance.now() + NEW);
  mark();
  if (fresh.length) setTimeout(mark, NEW + 20);
}

/** Vibrate when the first card of a ballot is turned up. */
function reveal({ type, closed }) {
  const turned = faceDown && !closed;
  faceDown = type === "frame" && closed;
  lookAtSkip();
  if (turned && !still.matches && !document.hidden && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(FELT);
}

const sentence = () => {
  const asked = room().querySelector("#question");
  return asked?.dataset.sentence ?? asked?.textContent;
};

/** Cards of the hand are read by their names: what is drawn on them is not text. */
function nameCards() {
  for (const title of room()?.querySelectorAll(".board-hand .piece > title") ?? []) title.parentElement.setAttribute("role", "img");
}

/** Fetch the table in words while it is open; other viewers are not sent it. */
function reread() {
  const words = room()?.querySelector("[data-words][open]");
  clearTimeout(reading);
  if (words) reading = setTimeout(async () => {
    const answer = await fetch(words.dataset.words);
    if (answer.ok) words.querySelector("pre").textContent = await answer.text();
  }, 200);
}

async function turnPage() {
  const focused = document.activeElement, over = room().classList.contains("over");
  try {
    await show(location.href);
    line.have = room().dataset.have;
    turn();
  } catch {
    return line.drop(); // the next connection begins with the page as it is then
  }
  hide();
  refocus(focused);
  if (over) return;
  announce((room().querySelector("#over-title") ?? room().querySelector("#question"))?.textContent);
  if (room().classList.contains("over")) sound("end");
}

/** In a scene, the latest line of the log replaces the question and the ticker. */
function tell(item) {
  room().dataset.told = spoken(item);
  const ticker = room().querySelector('[data-place="ticker"]');
  if (queue.playing && ticker) ticker.replaceChildren(...item.cloneNode(true).childNodes);
}

/** Announce what is new to screen readers and in the tab's title. */
function told(came, state, asked) {
  const fresh = (came.log ?? []).filter((item) => !item.classList.contains("chapter"));
  const lines = fresh.map(spoken).reverse(), race = fresh.findLast((item) => item.classList.contains("race"));
  if (race) room().dataset.times = spoken(race);
  if (fresh.length) tell(fresh[0]);
  if (fresh.length) room().querySelectorAll(".log .fresh").forEach((item) => item.classList.remove("fresh"));
  fresh.forEach((item) => item.classList.add("fresh"));
  announce(...lines, ...(came.chat ?? []).map(spoken));
  const mine = room().querySelector("[data-mine]")?.dataset.mine === "yes";
  document.title = (mine ? `● ${room().dataset.turn} · ` : "") + room().dataset.title;
  if (mine && (state !== "yes" || asked !== sentence())) {
    announce(labelled(room().dataset.turn, sentence()));
    sound("turn");
    call(`${room().dataset.turn} · ${room().dataset.title}`, sentence());
  } else if (came.chat?.length) sound("talk");
  else if (lines.length && !queue.playing) sound("line");
}

/** Keep keyboard users among the choices: the pressed button disappears, and the next ones take its place. */
function refocus(focused) {
  if (focused !== document.body && !focused?.isConnected) focusLost = true;
  if (!focusLost || document.activeElement !== document.body) {
    focusLost = focusLost && document.activeElement === document.body;
    return;
  }
  const next = room().querySelector("#offers button, .foot-place button, .foot-place a");
  if (next) {
    next.focus({ preventScroll: true });
    focusLost = false;
  }
}

function received(message) {
  if (message.type === "acknowledged" && message.message) banner(message.message);
  if (message.type === "acknowledged" && room().querySelector(".talk-window")) chooseAgain();
  if (message.type === "announcement") tellAnnouncement(message.words);
  if (["scene", "fragments", "page"].includes(message.type)) queue.add(message, { followed: true });
}

/** Show what the operator tells everyone, as on pages that are loaded from now on. */
function tellAnnouncement(words) {
  const place = document.getElementById("announcement");
  const shown = place.querySelector("bdi");
  if (shown.textContent !== words) shown.textContent = words; // screen readers read a change, even to the same text
  place.hidden = !words;
}

/** While a ballot's talk window is open, the choice is stored and can be changed. */
function chooseAgain() {
  room().querySelectorAll('[data-place="actions"] .sent').forEach((form) => form.classList.remove("sent"));
  refresh();
}

function refused(message, command) {
  room().querySelectorAll(".sent").forEach((form) => form.classList.remove("sent"));
  const field = /** @type {HTMLInputElement} */ (room().querySelector("#talk"));
  if (command?.type === "say" && field && !field.value) field.value = command.text;
  banner(message.message);
  if (command?.type === "plan") giveUp();
  refresh();
}

function lost(sentence) {
  tellPolled(false);
  banner(sentence || room().dataset.lost, { lasting: true });
}

/** The connection is open again. */
function opened() {
  tellPolled(false);
  banner(room().dataset.found, { good: true });
}

/** Sockets are blocked here, or `limited`: the page polls for changes, and shows that it does. */
function polled(limited) {
  banner("");
  tellPolled(true);
  for (const reason of document.querySelectorAll("#polled > span")) reason.hidden = (reason.className === "limited") !== Boolean(limited);
}

function tellPolled(isSo) {
  document.getElementById("polled").hidden = !isSo;
}

async function found() {
  queue.skip({ all: true });
  await queue.running;
  await show(location.href);
  return room().dataset.have;
}

document.addEventListener("plan", ({ detail }) => line.send({ type: "plan", ...detail }));
document.addEventListener("speak", ({ detail }) => line.send({ type: "speak", ...detail }));
document.addEventListener("commit", ({ detail }) => line.send({ type: "play", ...detail }));

document.addEventListener("change", (event) => {
  const { form } = /** @type {HTMLInputElement} */ (event.target);
  if (form && "atOnce" in form.dataset) form.requestSubmit();
});

/** Combine fields of a list, `codes-0`, `codes-1` …, into that list, without empty ones. */
function listed(fields) {
  const lists = {}, rest = {};
  for (const [field, value] of Object.entries(fields)) {
    const [, name] = /^(.+)-\d+$/.exec(field) ?? [];
    if (!name) rest[field] = value;
    else (lists[name] ??= []).push(...(value ? [value] : []));
  }
  return { ...rest, ...lists };
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!line || !form.dataset.live) return;
  event.preventDefault();
  if (form.classList.contains("sent")) return;
  /** @type {Record<string, FormDataEntryValue | number | boolean>} */
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  delete fields.command_id;
  for (const name of NUMBERS) if (name in fields) fields[name] = Number(fields[name]);
  if ("allow" in fields) fields.allow = fields.allow === "true";
  line.send({ type: form.dataset.live, ...listed(fields) });
  if (form.dataset.live === "say") /** @type {HTMLInputElement} */ (form.querySelector("[name=text]")).value = "";
  else if (!("again" in form.dataset)) form.classList.add("sent");
});
