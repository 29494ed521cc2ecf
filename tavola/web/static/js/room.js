// The room, live: forms go over the line, what changed comes back, and everything that happens is told.

import { dismiss } from "./choices.js";
import { apply } from "./morph.js";
import { announce, banner, show } from "./page.js";
import { mark, point, watch } from "./picture.js";
import { Line } from "./socket.js";
import { sound } from "./sound.js";

const NUMBERS = ["prompt_id", "seat", "about"];
const room = () => document.getElementById("room");
const watched = new WeakSet();
let line, late = 0, focusLost = false, reading, shown = Promise.resolve();

export function enter() {
  readClock();
  line = new Line(room().dataset.socket, { received, refused, lost, found });
  settle();
  scrollChat();
  line.open(room().dataset.have);
  setInterval(tick, 500);
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, point);
  document.addEventListener("toggle", reread, true);
  document.addEventListener("shown", () => { readClock(); settle(); scrollChat(); });
}

/** How far this device's clock is behind the server's, as the page came. */
function readClock() {
  late = Number(room()?.dataset.now ?? Date.now()) - Date.now();
}

/** After the page was shown anew: what only a script can add. */
function settle() {
  for (const picture of room()?.querySelectorAll(".picture") ?? []) {
    if (!watched.has(picture)) watch(picture);
    watched.add(picture);
  }
  mark();
  tick();
  room()?.querySelectorAll("[data-scriptless]").forEach((button) => { button.hidden = true; });
}

/** Show what was said last; who reads back is left alone while nobody talks. */
function scrollChat() {
  const chat = room()?.querySelector(".chat");
  if (chat) chat.scrollTop = chat.scrollHeight;
}

/** One after the other: what came after a page was asked for belongs on top of that page. */
function inTurn(work) {
  return (shown = shown.catch(() => {}).then(work));
}

function received(message) {
  if (message.type === "page") inTurn(turnPage);
  if (message.type === "fragments") inTurn(() => change(message));
}

function change(message) {
  const state = room().querySelector("[data-mine]")?.dataset.mine;
  const asked = room().querySelector(".asked")?.textContent;
  const focused = document.activeElement;
  const came = apply(room(), message);
  refocus(focused);
  settle();
  reread();
  if (came.chat?.length) scrollChat();
  told(came, state, asked);
}

/** The table in words is asked for while it is open, and not sent to who does not read it. */
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
  } catch {
    return line.drop(); // the next line begins with the page as it is then
  }
  dismiss();
  refocus(focused);
  if (over) return;
  const headline = room().querySelector("#over-title") ?? room().querySelector(".asked");
  announce(headline?.textContent);
  if (room().classList.contains("over")) {
    sound("end");
    headline?.scrollIntoView({ block: "nearest" });
  }
}

/** Tell what is new: to the ear, and in the title of the tab. */
function told(came, state, asked) {
  const lines = (came.log ?? []).map((item) => item.textContent).reverse();
  (came.log ?? []).forEach((item) => item.classList.add("fresh"));
  announce(...lines, ...(came.chat ?? []).map((item) => item.textContent));
  const prompt = room().querySelector("[data-mine]");
  const mine = prompt?.dataset.mine === "yes";
  document.title = (mine ? `● ${room().dataset.turn} · ` : "") + room().dataset.title;
  const question = room().querySelector(".asked")?.textContent;
  if (mine && (state !== "yes" || asked !== question)) {
    announce(`${room().dataset.turn}: ${question}`);
    sound("turn");
  } else if (came.chat?.length) sound("talk");
  else if (lines.length) sound("event");
}

/** Who plays by keyboard stays among the actions: the button pressed goes away, the next ones take its place. */
function refocus(focused) {
  if (focused !== document.body && !focused?.isConnected) focusLost = true;
  if (!focusLost || document.activeElement !== document.body) {
    focusLost = focusLost && document.activeElement === document.body;
    return;
  }
  const next = room().querySelector('[data-place="actions"] button, [data-place="gathering"] button');
  if (next) {
    next.focus({ preventScroll: true });
    focusLost = false;
  }
}

function refused(message, command) {
  room().querySelectorAll(".sent").forEach((form) => form.classList.remove("sent"));
  const field = room().querySelector("#talk");
  if (command?.type === "say" && field && !field.value) field.value = command.text;
  banner(message.message);
}

function lost() {
  banner(room().dataset.lost, { lasting: true });
}

async function found() {
  await inTurn(() => show(location.href));
  banner(room().dataset.found, { good: true });
  return room().dataset.have;
}

function tick() {
  for (const clock of room()?.querySelectorAll("[data-until]") ?? []) {
    const left = Math.max(0, Math.round((Number(clock.dataset.until) - Date.now() - late) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("short", left <= 10);
  }
}

document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form && "atOnce" in form.dataset) form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!line || !form.dataset.live) return;
  event.preventDefault();
  if (form.classList.contains("sent")) return;
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  delete fields.command_id;
  for (const name of NUMBERS) if (name in fields) fields[name] = Number(fields[name]);
  line.send({ type: form.dataset.live, ...fields });
  if (form.dataset.live === "say") form.querySelector("[name=text]").value = "";
  else form.classList.add("sent");
});
