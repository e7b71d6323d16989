/** How wide text is in a sans-serif font, so that nothing has to be drawn to lay a picture out. */

import { visible } from "../visible_text.ts";

/** Widths in ems by class of letters: those of DejaVu Sans, which is among the widest. */
const classes: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'|!\u2009]/, 0.34],
  [/[ftrI()[\]{}/\\"\-\s*]/, 0.45],
  [/[mwMW%@…—‖]/, 1],
  [/[A-ZΔΣ+=<>~−±×]/, 0.8],
  [/[\u0020-\u024f\u0370-\u03ff\u2010-\u203f]/, 0.635],
];

/** Width in pixels of one line of text. */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const letter of visible(text)) {
    ems += classes.find(([those]) => those.test(letter))?.[1] ?? 1;
  }
  return ems * fontSize;
}

/** Text in lines of at most so many letters, broken between words, or within one that is longer: after a
 * mark, if it has one. */
export function linesOf(text: string, most: number): string[] {
  const words = visible(text).trim().split(/\s+/).flatMap((word) => piecesOf(word, most));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= most) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.length > 0 ? lines : [""];
}

function piecesOf(word: string, most: number): string[] {
  const letters = [...word];
  if (letters.length <= most) return [word];
  const mark = letters.slice(0, most).findLastIndex((letter) => /[_./:,–-]/.test(letter));
  if (mark > 0) {
    const rest = letters.slice(mark + 1).join("");
    return [letters.slice(0, mark + 1).join(""), ...piecesOf(rest, most)];
  }
  const pieces: string[] = [];
  for (let at = 0; at < letters.length; at += most) {
    pieces.push(letters.slice(at, at + most).join(""));
  }
  return pieces;
}
