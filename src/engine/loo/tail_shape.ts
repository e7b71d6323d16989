/** How heavy the tail of importance ratios is. */
import { fitPareto } from "./pareto.ts";
import { quickselect } from "./quickselect.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Ratios of that sample more than expected that are taken for a tail. Speed alone, two standard
 * deviations of the count; every value gives the same bits.
 */
const tailMargin = 4;

/**
 * Ratios of the sample that locates where a tail begins. Speed alone: a second pass finds those
 * that it misses, with the same bits.
 */
const tailSample = 32;

/** Ratios that may be in the tail; grown when needed. */
let candidates = new Float64Array(512);
/** Sample of ratios; of the threshold's length. */
let sample = new Float64Array(0);

/**
 * Pareto k of independent ratios, ≥ 0: the shape of a generalised Pareto distribution fitted to the
 * ⌊3 √S⌋ largest (Vehtari et al. 2024, arXiv:1507.02646, section 3.2). 0 where they are all equal, ∞
 * where they cannot be fitted.
 */
export function tailShape(ratios: Float64Array): number {
  const draws = ratios.length;
  const length = Math.min(Math.floor(draws / 5), Math.floor(3 * Math.sqrt(draws)));
  if (length < thresholds.minTail) return Infinity;
  const kept = keepLargest(ratios, length + 1);
  if (kept <= length) return Infinity;
  const cut = kept - length - 1;
  quickselect(candidates, kept, cut);
  const tail = candidates.subarray(cut + 1, kept).sort();
  if (!(tail[length - 1] - tail[0] > 0)) return 0;
  for (let s = 0; s < length; s++) tail[s] -= candidates[cut];
  const { k, sigma } = fitPareto(tail);
  return Math.abs(k) < Infinity && sigma > 0 ? k : Infinity;
}

/**
 * Copies the ratios of which at least `wanted` are the largest to the candidates, and returns their
 * number: those above one that is low enough by a sample. To sort them out by comparing with one
 * number needs no guesses of the processor, which halves the time.
 */
function keepLargest(ratios: Float64Array, wanted: number): number {
  if (candidates.length < ratios.length) candidates = new Float64Array(ratios.length);
  const kept = copyFrom(ratios, lowEnough(ratios, wanted));
  return kept >= wanted ? kept : copyFrom(ratios, -Infinity);
}

/** A ratio that probably at least `wanted` are not below. */
function lowEnough(ratios: Float64Array, wanted: number): number {
  const size = tailSample;
  if (sample.length !== size) sample = new Float64Array(size);
  const step = ratios.length / size;
  for (let k = 0; k < size; k++) sample[k] = ratios[Math.floor(k * step)];
  sample.sort();
  const rank = Math.ceil(size * wanted / ratios.length) + tailMargin;
  return sample[Math.max(0, size - rank)];
}

function copyFrom(ratios: Float64Array, least: number): number {
  let kept = 0;
  for (let s = 0; s < ratios.length; s++) {
    candidates[kept] = ratios[s];
    kept += ratios[s] >= least ? 1 : 0;
  }
  return kept;
}
