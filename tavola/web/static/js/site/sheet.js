// @ts-check
// A sheet over the page for rules and answers, without leaving the table. Its links also work without scripts.

import { fetched } from "./page.js";

const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));

/** Show the main part of another page of the site in the sheet. */
export async function open(address) {
  const page = await fetched(address);
  const close = document.createElement("button");
  close.className = "button small close";
  close.textContent = sheet.dataset.close;
  close.addEventListener("click", () => sheet.close());
  sheet.replaceChildren(close, ...page.querySelector("main").childNodes);
  if (!sheet.open) sheet.showModal();
  const anchor = new URL(address, location.href).hash.slice(1);
  const target = anchor && sheet.querySelector(`#${CSS.escape(anchor)}`);
  if (target) target.scrollIntoView();
  else sheet.scrollTop = 0;
  sheet.querySelector("#why-answer li")?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement} */ (event.target.closest?.("a[href]"));
  if (event.target === sheet) sheet.close();
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const inside = sheet.contains(link);
  if (inside && (link.classList.contains("later") || new URL(link.href).pathname === location.pathname)) {
    event.preventDefault();
    sheet.close();
  } else if ("sheet" in link.dataset || (inside && link.pathname.endsWith("/rules"))) {
    event.preventDefault();
    open(link.href).catch(() => location.assign(link.href));
  }
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("sheet" in form.dataset)) return;
  event.preventDefault();
  const address = `${form.action}?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`;
  open(address).catch(() => location.assign(address));
});
