// @ts-check
// Quiet sounds, synthesised from a game's declarations. None is played before the player asks for them; they are offered
// when a match is over, never during one.

import { ROOT } from "../site/post.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const NOISE = 2; // seconds
const FAINT = 0.0001;
let context, noise;
const palettes = new Map();

const wanted = () => document.documentElement.dataset.sound === "on";

/** Open the audio context: browsers allow it only after a touch on the page. */
function wake() {
  if (!wanted()) return null;
  palette();
  context ??= new AudioContext();
  return context.resume();
}

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake);

/** The sounds of the page's game, by name. */
function palette() {
  const address = document.getElementById("room")?.dataset.sounds;
  if (!address) return {};
  if (!palettes.has(address)) palettes.set(address, fetch(address).then((answer) => answer.json()).catch(() => ({})));
  return palettes.get(address);
}

/** Play a sound of the game, if sounds are wanted and the page has been touched. */
export async function sound(name) {
  if (!wanted() || context?.state !== "running") return;
  for (const part of (await palette())[name] ?? []) play(part, context.currentTime + part.after / 1000);
}

/** Play the sound of a scene's frame, unless the scene is skipped. */
export function soundOf(frame, hurried) {
  if (frame.sound && !hurried && !still.matches && !document.hidden) sound(frame.sound);
}

function play({ source, begins, ends, lasts, rise, loudness, sharpness }, start) {
  const end = start + lasts / 1000, volume = new GainNode(context, { gain: FAINT });
  volume.gain.setValueAtTime(FAINT, start);
  volume.gain.exponentialRampToValueAtTime(loudness, start + rise / 1000);
  volume.gain.exponentialRampToValueAtTime(FAINT, end);
  volume.connect(context.destination);
  if (source === "noise") {
    const band = new BiquadFilterNode(context, { type: "bandpass", Q: sharpness });
    glide(band.frequency, begins, ends, start, end);
    sounds(hiss(), band, start, end);
    band.connect(volume);
  } else {
    const tone = new OscillatorNode(context, { type: source });
    glide(tone.frequency, begins, ends, start, end);
    sounds(tone, volume, start, end);
  }
}

function glide(pitch, begins, ends, start, end) {
  pitch.setValueAtTime(begins, start);
  pitch.exponentialRampToValueAtTime(ends, end);
}

function sounds(source, into, start, end) {
  source.connect(into);
  source.start(start);
  source.stop(end);
}

function hiss() {
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate * NOISE, context.sampleRate);
    noise.getChannelData(0).forEach((_, place, samples) => { samples[place] = Math.random() * 2 - 1; });
  }
  return new AudioBufferSourceNode(context, { buffer: noise });
}

// Settings

/** Offer sounds on the last screen to players who have never answered. */
export function settleSound() {
  const offer = document.getElementById("hear");
  if (offer) offer.hidden = document.documentElement.dataset.sound !== "unasked";
}

async function choose(answer) {
  document.documentElement.dataset.sound = answer;
  for (const each of document.querySelectorAll("[data-sound-switch]")) each.setAttribute("aria-pressed", String(answer === "on"));
  settleSound();
  const saved = fetch(`${ROOT}/settings`, { method: "POST", keepalive: true, body: new URLSearchParams({ sound: answer }) });
  await wake();
  await sound("turn");
  await saved;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-sound-switch], [data-hear]");
  if (button) choose(button.dataset.hear ?? (wanted() ? "off" : "on"));
});
