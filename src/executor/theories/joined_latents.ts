/** Latents of several worlds as draws of one. */
import type { LatentsJson } from "./messages.ts";

/** @param worlds at least one; all have the same names. */
export function joinedLatents(worlds: readonly LatentsJson[]): LatentsJson {
  const [{ names, parameters }] = worlds;
  const columns = parameters.map((_, k) => worlds.flatMap((one) => one.parameters[k]));
  return { names, draws: worlds.length, parameters: columns };
}
