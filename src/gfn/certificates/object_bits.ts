/** Objects as sets of bits, one for each of their parts, so that two objects have a distance. */
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { endOf } from "./ancestor_graph.ts";

/** Bits of one kind beyond which places share one. */
const mostBits = 1024;

/** Bits by which objects are compared. */
export const views = ["places", "counts", "both"] as const;

/** One of {@linkcode views}. */
export type View = (typeof views)[number];

/** Bit sets of equal length, one behind the other. */
export interface ObjectBits {
  /** Words of 32 bits of one object. */
  readonly width: number;
  /** The words that hold `places`; the others hold `counts`. */
  readonly split: number;
  /** `[objects, width]`. */
  readonly words: Uint32Array;
}

/**
 * The bits of objects. Places: the numbers that describe the end state where an environment has such
 * (a coordinate, a letter in its place), else which action stands in which place. Counts: one bit for
 * the first, second, … time that an action is taken, wherever, so that cells of a grid differ in as
 * many bits as there are steps between them.
 */
export function objectBits(
  environment: Environment,
  objects: readonly Pick<TerminalObject, "actions">[],
): ObjectBits {
  const { features, actionNames, maxActions } = environment;
  const size = actionNames.length * maxActions;
  const split = wordsFor(features?.size ?? size);
  const width = split + wordsFor(size);
  const words = new Uint32Array(objects.length * width);
  const encoded = new Float32Array(features?.size ?? 0);
  objects.forEach(({ actions }, x) => {
    const set = (first: number, end: number, bit: number) => {
      const place = bit % (32 * (end - first));
      words[x * width + first + (place >> 5)] |= 1 << (place & 31);
    };
    if (features) {
      encoded.fill(0);
      features.encode(endOf(environment, actions), encoded, 0);
      encoded.forEach((value, i) => value !== 0 && set(0, split, i));
    }
    const taken = new Map<number, number>();
    actions.slice(0, -1).forEach((action, t) => {
      const before = taken.get(action) ?? 0;
      taken.set(action, before + 1);
      if (!features) set(0, split, t * actionNames.length + action);
      set(split, width, before * actionNames.length + action);
    });
  });
  return withoutConstants({ width, split, words });
}

/** The same without words that all objects have alike: distances stay, and take less time. */
function withoutConstants({ width, split, words }: ObjectBits): ObjectBits {
  const kept = Array.from({ length: width }, (_, w) => w).filter((w) => {
    for (let at = w; at < words.length; at += width) if (words[at] !== words[w]) return true;
    return false;
  });
  if (kept.length === 0) kept.push(0);
  const packed = new Uint32Array(words.length / width * kept.length);
  for (let x = 0; x < words.length / width; x++) {
    kept.forEach((w, k) => packed[x * kept.length + k] = words[x * width + w]);
  }
  return { width: kept.length, split: kept.filter((w) => w < split).length, words: packed };
}

function wordsFor(bits: number): number {
  return Math.ceil(Math.min(bits, mostBits) / 32);
}

/** Bits in which two objects differ. */
export function distance(
  { words, width, split }: ObjectBits,
  view: View,
  a: number,
  b: number,
): number {
  const end = view === "places" ? split : width;
  let sum = 0;
  for (let i = view === "counts" ? split : 0; i < end; i++) {
    sum += ones(words[a * width + i] ^ words[b * width + i]);
  }
  return sum;
}

/** Bits that are 1 (Warren 2012, Hacker's Delight, section 5-1). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
