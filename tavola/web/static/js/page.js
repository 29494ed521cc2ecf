// @ts-check
// Whole pages without loading them: fetched, and their main part turned into the one we have.

import { fill } from "./morph.js";

const PATIENCE = 15000;

/** Fetch a page of ours as a document; an answer that is late or no page of ours is an error. */
export async function fetched(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) });
  if (response.headers.has("X-Traceback")) location.reload(); // an author sees what was raised, until it is mended
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!response.ok || !page.querySelector("main")) throw new Error(`no page at ${address}`);
  return page;
}

/** Show another page in place of this one. */
export async function show(address, { keepAddress = true } = {}) {
  const page = await fetched(address);
  // Another language was chosen in another tab: the line still speaks the old one.
  if (page.documentElement.lang !== document.documentElement.lang) {
    history.replaceState(null, "", address);
    return location.reload();
  }
  const main = document.querySelector("main");
  fill(main, [...page.querySelector("main").childNodes]);
  document.title = page.title;
  if (!keepAddress) history.replaceState(null, "", address);
  document.dispatchEvent(new CustomEvent("shown"));
}

let hiding;

/** Say something at the foot of the page, for a while or until it is taken back. */
export function banner(text, { good = false, lasting = false } = {}) {
  const place = document.getElementById("banner");
  place.textContent = text;
  place.hidden = !text;
  place.classList.toggle("good", good);
  clearTimeout(hiding);
  if (text && !lasting) hiding = setTimeout(() => { place.hidden = true; }, good ? 1800 : 6000);
}

/** Let a screen reader say it, when it has nothing more urgent to say. */
export function announce(...sentences) {
  const place = document.getElementById("announcer");
  for (const sentence of sentences.filter(Boolean)) {
    const line = document.createElement("p");
    line.textContent = sentence;
    place.append(line);
    setTimeout(() => line.remove(), 8000);
  }
}
