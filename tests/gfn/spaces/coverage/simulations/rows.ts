/** Draws of rows, as simulations need them. */
import { fillNormal } from "../../../../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../../../../src/base/random.ts";

/** A stream for one set of one space. */
export function streamOf(space: string, seed: number, set: number): RandomStream {
  return new RandomStream("spaces", space, seed, set);
}

/** Standard normal draws. */
export function normals(random: RandomStream, count: number): Float64Array {
  const out = new Float64Array(count);
  fillNormal(random, out);
  return out;
}

/** Draws of a uniform distribution. */
export function uniforms(random: RandomStream, count: number, from = 0, to = 1): Float64Array {
  return Float64Array.from({ length: count }, () => from + (to - from) * random.uniform());
}
