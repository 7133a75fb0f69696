// Short sounds made on the spot, as loud as the player wants them; none by default.
import { volume } from "../options.js";

/** @typedef {"draw" | "remove" | "refuse" | "win"} Sound */
/** @type {Record<Sound, [number, number][]>} frequency in hertz and start in seconds of each tone */
const TONES = { draw: [[260, 0]], remove: [[520, 0], [780, 0.06]], refuse: [[150, 0]], win: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36]] };
const LOUDEST = 0.25, SILENT = 0.001;

/** @type {AudioContext | undefined} */
let context;

/** @param {Sound} sound */
export function play(sound) {
  const gain = LOUDEST * (volume() / 10) ** 2; // what the ear takes for even steps
  if (gain <= SILENT) return;
  context ??= new AudioContext();
  for (const [frequency, after] of TONES[sound]) tone(context, { frequency, gain, at: context.currentTime + after });
}

/** @param {AudioContext} audio @param {{ frequency: number, gain: number, at: number }} made */
function tone(audio, { frequency, gain, at }) {
  const [oscillator, amplifier] = [audio.createOscillator(), audio.createGain()];
  oscillator.frequency.value = frequency;
  oscillator.type = "triangle";
  amplifier.gain.setValueAtTime(gain, at);
  amplifier.gain.exponentialRampToValueAtTime(SILENT, at + 0.18);
  oscillator.connect(amplifier).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.2);
}
