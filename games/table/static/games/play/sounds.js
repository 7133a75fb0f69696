// Short sounds made on the spot; off unless the player has switched them on.
import { options } from "../options.js";

/** @typedef {"draw" | "remove" | "refuse" | "win"} Sound */
/** @type {Record<Sound, [number, number][]>} frequency in hertz and start in seconds of each tone */
const TONES = { draw: [[260, 0]], remove: [[520, 0], [780, 0.06]], refuse: [[150, 0]], win: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36]] };

/** @type {AudioContext | undefined} */
let context;

/** @param {Sound} sound */
export function play(sound) {
  if (!options().has("sounds")) return;
  context ??= new AudioContext();
  for (const [frequency, after] of TONES[sound]) tone(context, frequency, context.currentTime + after);
}

/** @param {AudioContext} audio @param {number} frequency @param {number} at */
function tone(audio, frequency, at) {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.frequency.value = frequency;
  oscillator.type = "triangle";
  gain.gain.setValueAtTime(0.08, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.18);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.2);
}
