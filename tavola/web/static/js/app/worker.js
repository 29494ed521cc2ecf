// @ts-check
// The worker of the installed page and of notifications: offline it shows the shell, rules, and the last boards with their
// age. It also shows pushed notifications, and the number of waiting matches on the app's icon.

/** @type {any} */
const scope = self;
/** The path below which the site is, such as `/games`; empty for the root of its host. */
const ROOT = new URL(".", scope.location).pathname.slice(0, -1);
const SHELL = "shell", BOARDS = "boards", RULES = "rules";
const MOST_BOARDS = 12;
/** Number of releases whose files are stored: a board of the previous one needs its own styles. */
const MOST_RELEASES = 2;
const SHELL_PATHS = /^\/(static\/|seats\.css$|games\/[^/]+\/(style\.css|sounds\.json|picture\/))/;
const BOARD_PATHS = /^\/(mine|r\/[a-z]+)?$/;
/** The path of an address within the site; empty for an address outside. */
function within(address) {
  const { origin, pathname } = new URL(address, scope.location);
  return origin === scope.location.origin && pathname.startsWith(`${ROOT}/`) ? pathname.slice(ROOT.length) : "";
}
const RULES_PATHS = /^\/games\/[^/]+\/rules$/;
/** What the installed page opens: it leads to one of the boards that are shown offline instead, the first that is stored. */
const START = "/start", STARTS = ["/mine", "/"];
/** Paths that sign the user in or out, or change the account. */
const DOORS = /^\/(account|seat)\b/;
const SEEN_AT = "X-Seen-At";
/** The pages that a notification opens. */
const NOTICE_PATHS = /^\/(mine|r\/[a-z]+)$/;
const ICON = "/static/icons/icon-192.png";

scope.addEventListener("install", () => scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));

// The page that was open before the worker existed sends the list of its parts.
scope.addEventListener("message", (event) => event.waitUntil(keepOpenPage(event.data)));

scope.addEventListener("fetch", (event) => {
  const { request } = event, path = within(request.url);
  if (!path) return;
  if (request.method === "POST" && DOORS.test(path)) event.waitUntil(Promise.all([BOARDS, RULES].map((name) => caches.delete(name))));
  if (request.method !== "GET") return;
  if (RULES_PATHS.test(path)) event.respondWith(keptPart(event, RULES));
  else if (request.mode === "navigate") event.respondWith(page(event, new URL(request.url)));
  else if (SHELL_PATHS.test(path)) event.respondWith(keptPart(event, SHELL));
});

scope.addEventListener("push", (event) => event.waitUntil(showNotice(event.data)));
scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});
scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

/** Browsers demand that every push is shown. A later notification of a match replaces the earlier one. */
async function showNotice(data) {
  const { title, body, language, tag, path } = noticeIn(data);
  await scope.registration.showNotification(title, { body, lang: language, tag, renotify: true, icon: ROOT + ICON, data: { path: ROOT + path } });
  badge(); // nothing waits for it: not every browser answers
}

/** Show on the app's icon how many matches wait for the player. */
async function badge() {
  const answer = await fetch(`${ROOT}/mine/waiting`).catch(() => null);
  if (answer?.ok) scope.navigator.setAppBadge?.((await answer.json()).count).catch(() => {}); // a browser may forbid it
}

function noticeIn(data) {
  try {
    const told = data.json();
    if (NOTICE_PATHS.test(told.path)) return told;
  } catch { /* an unreadable push is shown all the same */ }
  return { title: "Tavola", body: "", language: "", tag: "day", path: "/mine" };
}

/** Focus the window in which a page is already open, or open a new one. */
async function openPage(path) {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((open) => new URL(open.url).pathname === path);
  await (there ? there.focus() : scope.clients.openWindow(path));
}

/** Close the notifications of a match that the player is looking at. */
async function closeNotices(path) {
  for (const shown of await scope.registration.getNotifications()) if (shown.data?.path === path) shown.close();
}

/** A push service has given the browser another address. */
async function renew({ oldSubscription, newSubscription }) {
  if (!oldSubscription) return;
  const made = newSubscription ?? await scope.registration.pushManager.subscribe(oldSubscription.options);
  const body = JSON.stringify({ ...made.toJSON(), replaces: oldSubscription.endpoint });
  await fetch(`${ROOT}/push`, { method: "POST", body });
}

async function keepOpenPage({ page: path, parts, rules = [] }) {
  const cache = await caches.open(SHELL);
  const ours = parts.filter((part) => SHELL_PATHS.test(within(part)));
  await Promise.allSettled(ours.map((part) => cache.add(part)));
  // Rules are stored again each time: the reader may have chosen another language.
  const known = await caches.open(RULES), asked = Date.now(), boards = new Set([path, `${ROOT}/mine`].filter((each) => BOARD_PATHS.test(within(each))));
  await Promise.allSettled(rules.flatMap((each) => [known.add(each), cache.add(each.replace(/(@\d+)?\/rules$/, "/style.css"))]));
  for (const each of boards) await keepBoard(each, await fetch(each, { headers: { Accept: "text/html" } }), asked);
}

/** The stored response, whatever the headers of its request; nothing if there is none or the browser throws. */
async function keptIn(name, asked) {
  try {
    return await (await caches.open(name)).match(asked, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** Network first; the stored response is the fallback. A full disk must not break the page. */
async function keptPart(event, name) {
  const { request } = event, known = await keptIn(name, request);
  try {
    const response = await fetch(request);
    const same = known && known.headers.get("ETag") === response.headers.get("ETag");
    if (response.ok && !same) event.waitUntil(keepPart(name, request, response.clone()));
    return response;
  } catch (failure) {
    if (known) return known;
    throw failure;
  }
}

async function keepPart(name, request, response) {
  const cache = await caches.open(name);
  await cache.put(request.url, response); // one for each address, whatever the headers
  await forgetReleases(cache);
}

const releaseOf = ({ url }) => within(url).match(/^\/static\/([0-9a-f]{16})\//)?.[1];

/** Stored responses are in the order in which they were stored: keep the last releases. */
async function forgetReleases(cache) {
  const kept = await cache.keys(), releases = [...new Set(kept.map(releaseOf).filter(Boolean))];
  const gone = new Set(releases.slice(0, -MOST_RELEASES));
  await Promise.all(kept.filter((request) => gone.has(releaseOf(request))).map((request) => cache.delete(request)));
}

async function page(event, address) {
  const asked = Date.now();
  event.waitUntil(closeNotices(address.pathname));
  try {
    const response = await fetch(event.request);
    if (BOARD_PATHS.test(within(address)) && !address.search) {
      event.waitUntil(keepBoard(address.pathname, response.clone(), asked));
    }
    return response;
  } catch (failure) {
    for (const path of within(address) === START ? STARTS : [within(address)]) {
      const kept = await keptIn(BOARDS, ROOT + path);
      if (kept) return oldPage(kept);
    }
    throw failure;
  }
}

/** A board is as old as its request: one requested earlier does not replace a later one. */
async function keepBoard(path, response, asked) {
  if (!response.ok || !response.headers.get("Content-Type")?.startsWith("text/html")) return;
  const headers = new Headers(response.headers), body = await response.text();
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set(SEEN_AT, String(asked));
  const cache = await caches.open(BOARDS), known = await cache.match(path);
  if (Number(known?.headers.get(SEEN_AT)) > asked) return;
  await cache.put(path, new Response(body, { headers })); // last in the order again
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST_BOARDS)).map((old) => cache.delete(old)));
}

/** Links to the stored rules, in the words of their titles. */
async function rulesLinks() {
  const kept = await (await caches.open(RULES)).matchAll();
  const links = kept.map(async (rules) => `<a href="${new URL(rules.url).pathname}">${(await rules.text()).match(/<title>(.*) · Tavola</)?.[1]}</a>`);
  return (await Promise.all(links)).join(" ");
}

/** A stored board is never shown as a new one: it shows its age, and nothing on it can be pressed. */
async function oldPage(kept) {
  const text = await kept.text(), language = text.match(/<html lang="(\w+)"/)?.[1];
  const seen = new Date(Number(kept.headers.get(SEEN_AT)));
  const time = seen.toLocaleString(language === "en" ? "en-GB" : language, { dateStyle: "medium", timeStyle: "short" });
  const words = text.match(/<main [^>]*data-old="([^"]*)"/)?.[1].replace("{time}", time);
  const marked = text.replace("<html ", `<html data-seen-at="${seen.getTime()}" `)
    .replace("<main ", `<div class="old"><p role="status">${words}</p>${await rulesLinks()}</div><main inert `);
  return new Response(marked, { headers: kept.headers });
}
