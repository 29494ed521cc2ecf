// @ts-check
// The matches played on this device: stored only there, shown on the home page, deleted with one press.

import { ROOT } from "../site/post.js";
import { device } from "../site/storage.js";

const KEY = "tavola.matches", MOST = 200, SHOWN = 5;

/** @returns {{ room: string, game: string, title: string, place: number, players: number, points: number, at: number }[]} */
function matches() {
  const kept = device.parsed(KEY);
  return Array.isArray(kept) ? kept.filter((match) => match?.game) : [];
}

/** Store a finished match, once. */
export function remember(room) {
  const told = room.querySelector("[data-played]")?.dataset.played, known = matches();
  if (!told) return;
  const match = JSON.parse(told);
  if (known.some((other) => other.room === match.room)) return;
  device.keep(KEY, JSON.stringify([{ ...match, at: Date.now() }, ...known].slice(0, MOST)));
}

/** Show the stored matches if the page has a place for them. */
export function showHistory() {
  const place = document.getElementById("history"), known = matches();
  if (!place) return;
  place.hidden = !known.length;
  if (!known.length) return;
  place.querySelector("tbody").replaceChildren(...figures(known).map(row));
  place.querySelector("ol").replaceChildren(...known.slice(0, SHOWN).map(entry));
  place.querySelector("[data-forget]").addEventListener("click", () => {
    device.forget(KEY);
    showHistory();
  }, { once: true });
}

/** By game: matches played, matches won, and the most points. */
function figures(known) {
  const games = new Map();
  for (const { game, place, points } of known) {
    const sum = games.get(game) ?? { game, played: 0, won: 0, best: points };
    games.set(game, { game, played: sum.played + 1, won: sum.won + Number(place === 1), best: Math.max(sum.best, points) });
  }
  return [...games.values()].sort((one, other) => other.played - one.played);
}

/** The game's present title on the home page, or else the one it was played under. */
const titleOf = (game, otherwise) => document.querySelector(`#game-${CSS.escape(game)} h3`)?.textContent ?? otherwise;

function row({ game, played, won, best }) {
  const made = document.createElement("tr"), known = matches().find((match) => match.game === game);
  for (const [place, words] of [titleOf(game, known?.title ?? game), played, won, best].entries()) {
    const cell = document.createElement(place ? "td" : "th");
    cell.textContent = String(words);
    made.append(cell);
  }
  return made;
}

function entry({ room, game, title, place, players, points, at }) {
  const made = document.createElement("li"), link = document.createElement("a");
  const day = new Date(at).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short" });
  link.href = `${ROOT}/r/${encodeURIComponent(room)}`;
  link.textContent = titleOf(game, title);
  const facts = document.createElement("span");
  facts.className = "facts";
  facts.textContent = ` ${place} / ${players} · ${String(points).replace("-", "\u2212")} · ${day}`;
  made.append(link, facts);
  return made;
}
