// @ts-check
// What scripts say to the site, and bytes as they are written there.

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

export async function post(address, body = undefined) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(address, { method: "POST", body: sent, headers: { Accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error("refused"), { sentence: answer.sentence });
  return answer;
}
