// @ts-check
// The matches played on this device: kept in it alone, shown on the first page, forgotten by one press.

import { device } from "./storage.js";

const KEY = "tavola.matches", MOST = 200, SHOWN = 5;

/** @returns {{ room: string, game: string, title: string, place: number, players: number, points: number, at: number }[]} */
function matches() {
  const kept = device.parsed(KEY);
  return Array.isArray(kept) ? kept.filter((match) => match?.game) : [];
}

/** Keep a match that is over, once. */
export function remember(room) {
  const told = room.querySelector("[data-played]")?.dataset.played, known = matches();
  if (!told) return;
  const match = JSON.parse(told);
  if (known.some((other) => other.room === match.room)) return;
  device.keep(KEY, JSON.stringify([{ ...match, at: Date.now() }, ...known].slice(0, MOST)));
}

/** Show what is kept, where a page has room for it. */
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

/** By game: how many were played, won, and the most points. */
function figures(known) {
  const games = new Map();
  for (const { game, place, points } of known) {
    const sum = games.get(game) ?? { game, played: 0, won: 0, best: points };
    games.set(game, { game, played: sum.played + 1, won: sum.won + Number(place === 1), best: Math.max(sum.best, points) });
  }
  return [...games.values()].sort((one, other) => other.played - one.played);
}

/** What the shelf calls a game now; else what it was called when it was played. */
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
  link.href = `/r/${encodeURIComponent(room)}`;
  link.textContent = titleOf(game, title);
  const facts = document.createElement("span");
  facts.className = "facts";
  facts.textContent = ` ${place} / ${players} · ${String(points).replace("-", "\u2212")} · ${day}`;
  made.append(link, facts);
  return made;
}
