/** The page's texts and times in the person's language. */

let translations = {};
let locale = "en-US";
let formats = new Map();

/** Set the language; `words` maps English texts to translations. */
export function setLanguage(language, words) {
  translations = words;
  locale = language;
  formats = new Map();
  document.documentElement.lang = language;
}

/** Translate a text of the page and fill its `{name}` placeholders. */
export function say(text, params = {}) {
  return (translations[text] ?? text).replace(/\{(\w+)\}/g, (placeholder, name) => params[name] ?? placeholder);
}

/** Mark a text for extraction; it is translated later. */
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

/** Format a time; `shape` is "R" or a key of `SHAPES`, which includes the styles of `<t:...>`. */
export function time(moment, shape) {
  const date = new Date(moment);
  if (shape === "R") return distance(date);
  // Creating a formatter takes longer than drawing a message.
  if (!formats.has(shape)) formats.set(shape, new Intl.DateTimeFormat(locale, SHAPES[shape]));
  return formats.get(shape).format(date);
}

function distance(date) {
  let value = (date - Date.now()) / 1000;
  for (const [size, unit] of RELATIVE_STEPS) {
    if (Math.abs(value) < size) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(value), unit);
    value /= size;
  }
  return time(date, "D");
}

/** Join names: "Bert and Clara". */
export const listing = (items) => new Intl.ListFormat(locale).format(items);
