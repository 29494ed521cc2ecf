// @ts-check
// Passkeys: requests of the site to this device, and the device's answers.

import { ROOT, bytes, post, text } from "../site/post.js";

/** Create a passkey on this device with the site's options. */
async function made(options) {
  options.challenge = bytes(options.challenge);
  options.user.id = bytes(options.user.id);
  for (const known of options.excludeCredentials ?? []) known.id = bytes(known.id);
  const credential = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey: options }));
  const told = /** @type {AuthenticatorAttestationResponse} */ (credential.response);
  return { clientDataJSON: text(told.clientDataJSON), attestationObject: text(told.attestationObject), credential };
}

/** Sign in with a passkey of this device, chosen by its owner. */
async function shown(options) {
  options.challenge = bytes(options.challenge);
  const credential = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey: options }));
  const told = /** @type {AuthenticatorAssertionResponse} */ (credential.response);
  return {
    clientDataJSON: text(told.clientDataJSON), authenticatorData: text(told.authenticatorData),
    signature: text(told.signature), userHandle: text(told.userHandle), credential,
  };
}

async function come(way) {
  const options = await post(`/account/passkey/${way}/options`);
  const { credential, ...response } = await (way === "enter" ? shown : made)(options);
  const answer = { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
  const { to } = await post(`/account/passkey/${way}`, answer);
  location.assign(ROOT + to);
}

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.target.closest?.("[data-passkey]"));
  if (!button) return;
  const trouble = document.querySelector(".keep-trouble");
  trouble.hidden = button.disabled = true;
  try {
    await come(button.dataset.passkey);
  } catch (error) {
    trouble.textContent = error.sentence ?? trouble.dataset.trouble;
    trouble.hidden = false;
  }
  button.disabled = false;
});
