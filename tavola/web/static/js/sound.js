// A few quiet tones, made on the spot. Off unless switched on.

const SOUNDS = {
  turn: [[523, 0], [784, 0.12]],
  event: [[262, 0]],
  talk: [[659, 0]],
  end: [[392, 0], [494, 0.14], [587, 0.28], [784, 0.42]],
};
let context;

for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => context?.resume());

export function sound(name) {
  if (document.documentElement.dataset.sound !== "on") return;
  context ??= new AudioContext();
  for (const [pitch, after] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
    const loudness = new GainNode(context, { gain: 0 });
    const start = context.currentTime + after;
    loudness.gain.linearRampToValueAtTime(0.06, start + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.35);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.4);
  }
}
