// @ts-check
// The note pad: saved while the player writes. Unsaved text survives a reload; two devices never overwrite each other.

import { tab } from "../site/storage.js";

const WAIT = 700, AGAIN = 5000;
const pad = () => /** @type {HTMLFormElement} */ (document.querySelector("#pad"));
const field = () => /** @type {HTMLTextAreaElement} */ (pad()?.querySelector("textarea"));
const shownVersion = () => Number(/** @type {HTMLInputElement} */ (pad().querySelector("[name=version]")).value);
const draftKey = () => `tavola.pad.${pad().dataset.room}`;
let timer, known = null, saving = false;

/** Update after the page was shown: `known` is the version that the field's text is based on. */
export function settlePad() {
  if (!field() || known?.field === field()) return;
  known = { field: field(), version: shownVersion() };
  const draft = tab.parsed(draftKey());
  if (typeof draft?.words !== "string" || draft.words === field().value) return tab.forget(draftKey());
  field().value = draft.version === known.version ? draft.words : both(field().value, draft.words);
  save();
}

/** Merge both versions: the other one, and below it the lines that only this one has. */
function both(theirs, own) {
  const lines = theirs.split("\n");
  return [...lines, ...own.split("\n").filter((line) => line && !lines.includes(line))].join("\n").trim();
}

function tell(words) {
  pad().querySelector("[role=status]").textContent = words;
}

function keepDraft() {
  tab.keep(draftKey(), JSON.stringify({ words: field().value, version: known.version }));
}

async function save() {
  clearTimeout(timer);
  if (!field() || saving) return;
  saving = true;
  const words = field().value;
  keepDraft();
  try {
    const sent = new URLSearchParams({ words, version: String(known.version) });
    const response = await fetch(pad().action, { method: "POST", body: sent, keepalive: true, headers: { Accept: "application/json" } });
    answered(words, await response.json(), response.ok);
  } catch {
    if (pad()) tell(pad().dataset.unsaved);
    timer = setTimeout(save, AGAIN);
  }
  saving = false;
}

function answered(words, answer, kept) {
  if (!field()) return;
  if (kept) {
    known.version = answer.version;
    tell(pad().dataset.saved);
    if (field().value === words) tab.forget(draftKey());
    else timer = setTimeout(save, WAIT);
  } else if (answer.kind === "OtherNotes") {
    known.version = answer.version;
    field().value = both(answer.words, field().value);
    tell(pad().dataset.both);
    timer = setTimeout(save, WAIT);
  } else {
    tell(answer.sentence);
  }
}

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  keepDraft();
  clearTimeout(timer);
  timer = setTimeout(save, WAIT);
});

document.addEventListener("submit", (event) => {
  if (event.target !== pad() || !known) return;
  event.preventDefault();
  save();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden && field() && tab.read(draftKey())) save();
});
