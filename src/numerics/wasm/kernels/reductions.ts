/** Sum and largest of the four lanes of a vector. */
import { f32, f32x4 } from "../assembler.ts";
import type { Code, Local } from "../assembler.ts";

/** (l₀ + l₁) + (l₂ + l₃). */
export function laneSum(vector: Local<"v128">): Code<"f32"> {
  const [a, b, c, d] = [0, 1, 2, 3].map((lane) => f32x4.lane(vector.get, lane));
  return f32.add(f32.add(a, b), f32.add(c, d));
}

/** The largest lane. */
export function laneMax(vector: Local<"v128">): Code<"f32"> {
  const [a, b, c, d] = [0, 1, 2, 3].map((lane) => f32x4.lane(vector.get, lane));
  return f32.max(f32.max(a, b), f32.max(c, d));
}
