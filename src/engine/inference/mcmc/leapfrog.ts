/** The leapfrog integrator on states in slots, in the coordinates of a metric. */
import type { LogDensity } from "../../../numerics/math/mod.ts";
import type { StateBuffers } from "./state_buffers.ts";

/** States, and what they move in. Sums over coordinates keep even and odd ones apart. */
export interface Space {
  readonly buffers: StateBuffers;
  /** From a state to the next in the buffers. */
  readonly stride: number;
  /** Whether the metric's factor is a triangle. */
  readonly dense: boolean;
  readonly density: LogDensity;
}

/** One step from slot `from` to its neighbour in `direction`; returns the energy there. */
export function leapfrog(
  space: Space,
  from: number,
  direction: 1 | -1,
  stepSize: number,
): number {
  const { buffers, stride, density } = space;
  const to = from + direction;
  const step = direction * stepSize;
  halfKick(space, from * stride, to * stride, 0.5 * step);
  if (space.dense) driftDense(space, from * stride, to * stride, step);
  else driftDiagonal(space, from * stride, to * stride, step);
  const value = density.logDensity(buffers.positions, buffers.gradients, to * stride);
  buffers.logDensities[to] = value;
  whiten(space, to);
  return 0.5 * kick(space, from, to, 0.5 * step) - value;
}

/** First half kick. */
function halfKick({ buffers, stride }: Space, from: number, to: number, halfStep: number): void {
  const { momenta: r, whiteGradients: u } = buffers;
  for (let k = 0; k < stride; k++) r[to + k] = r[from + k] + halfStep * u[from + k];
}

/** Drift with a diagonal factor. */
function driftDiagonal({ buffers, stride }: Space, from: number, to: number, step: number): void {
  const { positions: q, momenta: r, factor } = buffers;
  for (let k = 0; k < stride; k++) q[to + k] = q[from + k] + step * factor[k] * r[to + k];
}

/** Drift with a lower triangular factor. */
function driftDense({ buffers, stride }: Space, from: number, to: number, step: number): void {
  const { positions: q, momenta: r, factor } = buffers;
  for (let i = 0, row = 0; i < stride; i++, row += stride) {
    let even = 0;
    let odd = 0;
    for (let k = 0; k <= i; k += 2) {
      even += factor[row + k] * r[to + k];
      odd += factor[row + k + 1] * r[to + k + 1];
    }
    q[to + i] = q[from + i] + step * (even + odd);
  }
}

/** Second half kick; extends the running sums; returns the squared momentum. */
function kick(space: Space, from: number, to: number, halfStep: number): number {
  const { buffers, stride } = space;
  const { momenta: r, whiteGradients: u, sums } = buffers;
  // Forwards S[to] = S[from] + r[to]; backwards S[to − 1] = S[to] − r[to].
  const sign = to > from ? 1 : -1;
  const known = (sign > 0 ? from : to) * stride;
  const next = (sign > 0 ? to : to - 1) * stride;
  const at = to * stride;
  for (let k = 0; k < stride; k++) {
    r[at + k] += halfStep * u[at + k];
    sums[next + k] = sums[known + k] + sign * r[at + k];
  }
  return squaredMomentum(space, to);
}

/** |momentum|² of a slot. */
export function squaredMomentum({ buffers: { momenta }, stride }: Space, slot: number): number {
  const at = slot * stride;
  let even = 0;
  let odd = 0;
  for (let k = at; k < at + stride; k += 2) {
    even += momenta[k] * momenta[k];
    odd += momenta[k + 1] * momenta[k + 1];
  }
  return even + odd;
}

/** Computes Lᵀ gradient of a slot. */
export function whiten({ buffers, stride, dense }: Space, slot: number): void {
  const at = slot * stride;
  const { gradients: g, whiteGradients: u, factor, transposed } = buffers;
  if (!dense) {
    for (let k = 0; k < stride; k++) u[at + k] = factor[k] * g[at + k];
    return;
  }
  for (let k = 0, row = 0; k < stride; k++, row += stride) {
    let even = 0;
    let odd = 0;
    for (let i = k & ~1; i < stride; i += 2) {
      even += transposed[row + i] * g[at + i];
      odd += transposed[row + i + 1] * g[at + i + 1];
    }
    u[at + k] = even + odd;
  }
}
