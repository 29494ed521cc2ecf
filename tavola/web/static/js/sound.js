// @ts-check
// A few quiet tones, made on the spot, a small palette for each world. Off unless switched on.

const PALETTES = {
  oars: { wave: "sine", root: 196, breath: 500 },
  canvas: { wave: "triangle", root: 220, breath: 900 },
  glass: { wave: "sine", root: 523, breath: 0 },
  pen: { wave: "triangle", root: 330, breath: 2400 },
  trumpet: { wave: "sawtooth", root: 262, breath: 0 },
  wood: { wave: "sine", root: 262, breath: 0 },
};
/** Tones as [part of the root, seconds after]. */
const SOUNDS = {
  turn: [[2, 0], [3, 0.12]],
  event: [[1, 0]],
  scene: [[1, 0], [1.5, 0.09]],
  talk: [[2.5, 0]],
  end: [[1.5, 0], [2, 0.14], [2.25, 0.28], [3, 0.42]],
};
const LOUD = { sine: 0.06, triangle: 0.05, sawtooth: 0.018 };
let context;

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => context?.resume());

export function sound(name) {
  if (document.documentElement.dataset.sound !== "on") return;
  context ??= new AudioContext();
  const palette = PALETTES[document.getElementById("room")?.dataset.sounds] ?? PALETTES.wood;
  for (const [part, after] of SOUNDS[name]) tone(palette, palette.root * part, context.currentTime + after);
  if (palette.breath && name !== "talk") breath(palette.breath, context.currentTime);
}

/** Loud at once, then fading: a source into the speakers. */
function faded(source, loud, start, long) {
  const loudness = new GainNode(context, { gain: 0 });
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(loud, start + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + long);
  source.connect(loudness).connect(context.destination);
}

function tone({ wave }, frequency, start) {
  const source = new OscillatorNode(context, { type: wave, frequency });
  faded(source, LOUD[wave], start, 0.35);
  source.start(start);
  source.stop(start + 0.4);
}

/** A breath of noise: an oar in the water, a sail, a pen on paper. */
function breath(frequency, start) {
  const length = 0.25, buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  buffer.getChannelData(0).forEach((_, place, samples) => { samples[place] = Math.random() * 2 - 1; });
  const noise = new AudioBufferSourceNode(context, { buffer });
  const colour = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.8 });
  noise.connect(colour);
  faded(colour, 0.03, start, length);
  noise.start(start);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-sound-switch]");
  if (!button) return;
  const to = document.documentElement.dataset.sound === "on" ? "off" : "on";
  document.documentElement.dataset.sound = to;
  for (const each of document.querySelectorAll("[data-sound-switch]")) each.setAttribute("aria-pressed", String(to === "on"));
  sound("turn");
  await fetch("/settings", { method: "POST", body: new URLSearchParams({ sound: to }) });
});
