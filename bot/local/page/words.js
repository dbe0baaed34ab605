/** The page's own words and times, in the language of the person who looks. */

let known = {};
let chosen = "en-US";
let made = new Map();

/** From now on speak a language; `words` has what is translated, by the English of it. */
export function speak(language, words) {
  known = words;
  chosen = language;
  made = new Map();
  document.documentElement.lang = language;
}

/** A sentence of the page; `{name}` in it is one of the facts. */
export function say(text, facts = {}) {
  return (known[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

/** The sentence itself, for a table that is read later. */
export const msg = (text) => text;

const SHAPES = {
  day: { day: "numeric", month: "long", year: "numeric" },
  clock: { hour: "2-digit", minute: "2-digit" },
  whole: { dateStyle: "medium", timeStyle: "medium" },
  short: { dateStyle: "medium", timeStyle: "short" },
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const RELATIVE_STEPS = [[60, "second"], [60, "minute"], [24, "hour"], [30, "day"], [12, "month"], [Infinity, "year"]];

/** A moment in words: by its shape, as `<t:...>` names them, or "day", "clock", "whole", "short". */
export function time(moment, shape) {
  const date = new Date(moment);
  if (shape === "R") return distance(date);
  // Making one of these takes longer than drawing a message.
  if (!made.has(shape)) made.set(shape, new Intl.DateTimeFormat(chosen, SHAPES[shape]));
  return made.get(shape).format(date);
}

function distance(date) {
  let value = (date - Date.now()) / 1000;
  for (const [size, unit] of RELATIVE_STEPS) {
    if (Math.abs(value) < size) return new Intl.RelativeTimeFormat(chosen, { numeric: "auto" }).format(Math.round(value), unit);
    value /= size;
  }
  return time(date, "D");
}

/** Names as a list: "Bert and Clara". */
export const listing = (items) => new Intl.ListFormat(chosen).format(items);
