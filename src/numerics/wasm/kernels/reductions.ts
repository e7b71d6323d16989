/** Sum and largest of the four lanes of a vector. */
import { f32, f32x4 } from "../assembler.ts";
import type { Code, Local } from "../assembler.ts";

/**
 * (l₀ + l₁) + (l₂ + l₃).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, f32x4, Kernel } from "../assembler.ts";
 * import { laneSum } from "./reductions.ts";
 * const kernel = new Kernel("sumOfFour", "f32");
 * const [at] = kernel.integers(1);
 * const vector = kernel.local("v128");
 * kernel.define([vector.set(f32x4.load(at.get))], laneSum(vector));
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * new Float32Array(host.memory.buffer).set([1, 2, 3, 4]);
 * const { sumOfFour } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(sumOfFour(0), 10);
 * ```
 */
export function laneSum(vector: Local<"v128">): Code<"f32"> {
  const [a, b, c, d] = [0, 1, 2, 3].map((lane) => f32x4.lane(vector.get, lane));
  return f32.add(f32.add(a, b), f32.add(c, d));
}

/**
 * The largest lane.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, f32x4, Kernel } from "../assembler.ts";
 * import { laneMax } from "./reductions.ts";
 * const kernel = new Kernel("mostOfFour", "f32");
 * const [at] = kernel.integers(1);
 * const vector = kernel.local("v128");
 * kernel.define([vector.set(f32x4.load(at.get))], laneMax(vector));
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * new Float32Array(host.memory.buffer).set([1, 7, 3, 4]);
 * const { mostOfFour } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(mostOfFour(0), 7);
 * ```
 */
export function laneMax(vector: Local<"v128">): Code<"f32"> {
  const [a, b, c, d] = [0, 1, 2, 3].map((lane) => f32x4.lane(vector.get, lane));
  return f32.max(f32.max(a, b), f32.max(c, d));
}
