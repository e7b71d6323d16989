/** Loops that add to adjoints; a scalar operand receives the sum over all lanes. */

// The order of summation is part of the result: lanes with even and with odd index are summed
// apart, each in ascending order, and the two sums are added at the end.

/** g[d] += sign · g[y], lane by lane or summed. */
export function addScaled(
  g: Float64Array,
  n: number,
  d: number,
  mask: number,
  y: number,
  sign: number,
): void {
  if (mask === 0) g[d] += sign * sumOf(g, n, y);
  else for (let i = 0; i < n; i++) g[d + i] += sign * g[y + i];
}

/** g[d] += g[y] · m[f], lane by lane or summed. */
export function addProduct(
  m: Float64Array,
  g: Float64Array,
  n: number,
  d: number,
  mask: number,
  y: number,
  f: number,
  fMask: number,
): void {
  if (mask === 0) g[d] += fMask === 0 ? m[f] * sumOf(g, n, y) : dotOf(g, m, n, y, f);
  else if (fMask === 0) addMultiple(g, n, d, y, m[f]);
  else for (let i = 0; i < n; i++) g[d + i] += g[y + i] * m[f + i];
}

function addMultiple(g: Float64Array, n: number, d: number, y: number, factor: number): void {
  for (let i = 0; i < n; i++) g[d + i] += g[y + i] * factor;
}

/** Sum of `n` lanes. */
export function sumOf(g: Float64Array, n: number, y: number): number {
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    even += g[y + i];
    odd += g[y + i + 1];
  }
  if (i < n) even += g[y + i];
  return even + odd;
}

function dotOf(g: Float64Array, m: Float64Array, n: number, y: number, f: number): number {
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    even += g[y + i] * m[f + i];
    odd += g[y + i + 1] * m[f + i + 1];
  }
  if (i < n) even += g[y + i] * m[f + i];
  return even + odd;
}
