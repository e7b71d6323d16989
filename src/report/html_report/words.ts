/** Numbers and lists in the sentences of the page. */
import { percent } from "../../answers/mod.ts";

/** Whole percents, but for what is close to 0 or 1, on one line. */
export function share(value: number): string {
  return tied(percent(value));
}

/** A share for a cell of a table, where there is no room for words. */
export function shortShare(value: number): string {
  return share(value).replace("less than", "<").replace("more than", ">");
}

/** `7 to 56 %`, or nothing where there is no interval. */
export function shareRange(lo: number | null, hi: number | null): string {
  if (lo === null || hi === null) return "";
  const from = share(lo);
  const to = share(hi);
  return from === to ? from : `${from.replace("\u00a0%", "")} to ${to}`;
}

/** A range for a cell of a table. */
export function shortRange(lo: number | null, hi: number | null): string {
  return shareRange(lo, hi).replaceAll("less than", "<").replaceAll("more than", ">");
}

/** `5,216`. */
export function many(n: number): string {
  return n.toLocaleString("en");
}

/** `1 row`, `5,216 rows`. */
export function counted(n: number, what: string): string {
  return `${many(n)} ${what}${n === 1 ? "" : "s"}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** With a sign that is as wide as a plus. */
export function signed(value: number, digits = 1): string {
  const text = Math.abs(value).toFixed(digits);
  return `${value < 0 && Number(text) !== 0 ? "−" : ""}${text}`;
}

/** A text whose numbers stay on the line of their percent sign and of their error. */
export function tied(text: string): string {
  return text.replace(/(\d) %/g, "$1\u00a0%").replace(/ ± /g, "\u00a0±\u00a0");
}

/** A number in at most five digits, without zeros at its end. */
export function plain(value: number): string {
  const short = Number(value.toPrecision(5));
  const size = Math.abs(short);
  const text = size !== 0 && (size < 1e-4 || size >= 1e7) ? short.toExponential() : `${short}`;
  return text.replace("-", "−");
}
