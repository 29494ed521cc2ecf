// @ts-check
// Find a part of a movable board by its name, which it has as `data-find`.

import { about } from "./bubble.js";
import { lookAt } from "./zoom.js";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
const parts = (field) => [...(field.closest(".board")?.querySelectorAll("[data-find]") ?? [])];

/** Offer the names of all parts while the field is used. */
function offer(field) {
  const names = parts(field).map((part) => part.dataset.find).sort((one, other) => one.localeCompare(other));
  field.list?.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), { value: name })));
}

/** The part that the text means: its full name or, on Enter, the only one that begins with it. */
function meant(field, entered) {
  const written = plain(field.value);
  if (!written) return null;
  const found = parts(field).filter((part) => plain(part.dataset.find).startsWith(written));
  const whole = found.find((part) => plain(part.dataset.find) === written);
  return whole ?? (entered && found.length ? found[0] : null);
}

function find(field, entered) {
  const part = meant(field, entered);
  if (!part) return;
  lookAt(part);
  setTimeout(() => about(part), 400);
  if (entered) field.select();
}

document.addEventListener("focusin", ({ target }) => target instanceof Element && target.matches("[data-finds]") && offer(target));
document.addEventListener("input", (/** @type {InputEvent} */ event) => {
  if (event.target instanceof Element && event.target.matches("[data-finds]") && !(event.inputType ?? "").startsWith("delete")) find(event.target, false);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target instanceof Element && event.target.matches("[data-finds]")) {
    event.preventDefault();
    find(event.target, true);
  }
});
