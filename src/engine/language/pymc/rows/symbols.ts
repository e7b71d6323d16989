/** Symbols for the elements of arrays: equal where two expressions are one, whatever their values. */
import type { ArrayValue } from "../../ir/array_value.ts";

/** A symbol of two. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ Math.imul(b, -1640531535), -2048144789);
  h ^= h >>> 13;
  h = Math.imul(h, -1028477387);
  return h ^ (h >>> 16);
}

/** A symbol of a text. */
export function symbolOf(text: string): number {
  let h = text.length;
  for (let i = 0; i < text.length; i++) h = mix(h, text.charCodeAt(i));
  return h;
}

/** Symbols of the elements of one array as it stands in two graphs. */
export interface Twin {
  readonly first: Int32Array;
  readonly second: Int32Array;
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/** The symbol of a number that is known: of its bits. */
export function symbolOfNumber(value: number): number {
  double[0] = value === 0 ? 0 : value;
  return mix(words[0], words[1]);
}

/** Symbols of numbers that are known, each by itself. */
export function symbolsByValue(values: Float64Array): Int32Array {
  return Int32Array.from(values, symbolOfNumber);
}

/** How far numbers may differ that sums in another order have made. */
const [ofSpread, ofSize, least] = [1e-7, 1e-12, 1e-14];
/** Numbers are one number within so many times what rounding has moved any of them. */
const ofRounding = 10;

/**
 * Symbols of numbers that are known: equal numbers have equal symbols, in both arrays. Numbers that sums
 * in another order have moved are recognised by their rank. Undefined if the arrays do not hold the same numbers.
 */
export function symbolsOfNumbers(first: Float64Array, second: Float64Array): Twin | undefined {
  const size = first.length;
  if (size !== second.length) return undefined;
  const [own, other] = [ascending(first), ascending(second)];
  const at = (k: number) => [first[own[k]], second[other[k]]] as const;
  let moved = 0;
  for (let k = 0; k < size; k++) {
    const [a, b] = at(k);
    if (!Object.is(a, b) && a !== b) moved = Math.max(moved, Math.abs(a - b));
  }
  if (!(moved <= tolerance(first, own))) return undefined;
  const out = { first: new Int32Array(size), second: new Int32Array(size) };
  let symbol = size === 0 ? 0 : symbolOfNumber(first[own[0]]);
  for (let k = 0; k < size; k++) {
    const [before, here] = [first[own[Math.max(0, k - 1)]], first[own[k]]];
    if (here !== before && !(here - before <= ofRounding * moved)) symbol = symbolOfNumber(here);
    out.first[own[k]] = symbol;
    out.second[other[k]] = symbol;
  }
  return out;
}

function tolerance(values: Float64Array, order: Int32Array): number {
  if (values.length === 0) return 0;
  const [low, high] = [values[order[0]], values[order[values.length - 1]]];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const rounding = ofSize * (Number.isFinite(size) ? size : 0) + least;
  const spread = high - low;
  return values.length === 1
    ? 1e-9 * size + least
    : ofSpread * (Number.isFinite(spread) ? spread : 0) + rounding;
}

function ascending(values: Float64Array): Int32Array {
  const order = Int32Array.from(values, (_, i) => i);
  return order.sort((a, b) => values[a] - values[b] || a - b);
}

/**
 * L Lᵀ for a triangular factor L, which depends on the order of its rows where its matrix does not: a
 * factor stands here for any square root of its matrix. Other arrays stay what they are.
 */
export function squaredFactor(array: ArrayValue): Float64Array {
  const { values, shape } = array;
  const [n, m] = shape;
  if (shape.length !== 2 || n !== m || n < 2) return values;
  const [lower, upper] = [isTriangular(values, n, false), isTriangular(values, n, true)];
  if (lower === upper) return values; // diagonal, or neither
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      const last = Math.min(i, j);
      for (let k = 0; k <= last; k++) {
        sum += lower
          ? values[i * n + k] * values[j * n + k]
          : values[k * n + i] * values[k * n + j];
      }
      out[i * n + j] = sum;
    }
  }
  return out;
}

/** Whether all numbers on one side of the diagonal are 0 and those on it are positive. */
function isTriangular(values: Float64Array, n: number, upper: boolean): boolean {
  for (let i = 0; i < n; i++) {
    if (!(values[i * (n + 1)] > 0)) return false;
    for (let j = i + 1; j < n; j++) {
      if (values[upper ? j * n + i : i * n + j] !== 0) return false;
    }
  }
  return true;
}
