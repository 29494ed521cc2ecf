// @ts-check
// Requests of scripts to the site, and base64url as the site writes bytes.

/** The path below which the site is, such as `/games`; empty for the root of its host. */
export const ROOT = new URL(import.meta.url).pathname.split("/static/")[0];

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null} buffer */
export function text(buffer) {
  if (!buffer) return null;
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** An id under which a command is carried out once, however often it is sent. */
export const newId = () => crypto.randomUUID?.() ?? `c-${Date.now()}-${Math.random().toString(36).slice(2)}`;

/** Give the forms of a page ids: those without one, or `again` all of them. */
export function nameForms(again = false) {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=command_id]"))) {
    if (again || !field.value) field.value = newId();
  }
}

/** Send JSON to a path of the site; return its answer, or throw an error with the site's `sentence`. */
export async function post(path, body = undefined) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(ROOT + path, { method: "POST", body: sent, headers: { Accept: "application/json", "X-Command-Id": newId() } });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error("refused"), { sentence: answer.sentence });
  return answer;
}
