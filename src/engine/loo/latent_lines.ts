/** Lines along which latents are integrated: one for each element, with the observations that see it. */
import type { RowLatents } from "../../numerics/math/mod.ts";

/** Elements of a latent that observations see, in the order in which observations see them first. */
export interface LatentLines {
  /** Coordinate of each line's element in the unconstrained vector `[lines]`. */
  readonly coordinates: Int32Array;
  /** Line of every observation `[observations]`. */
  readonly lineOf: Int32Array;
  /** Observations of every line, rising. */
  readonly members: readonly (readonly number[])[];
  /** Observations that share their line with another, rising. */
  readonly sharing: Int32Array;
  /** Place of every observation among these, or −1 `[observations]`. */
  readonly placeOf: Int32Array;
}

/**
 * The lines of a latent.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { latentLines } from "./latent_lines.ts";
 * const write = () => {};
 * const elementOfRow = Int32Array.of(2, 0, 2);
 * const latents = { offset: 5, elements: 4, elementOfRow, logPrior: write, logJoint: write };
 * const { coordinates, lineOf, members, sharing } = latentLines(latents);
 * assert.deepEqual([...coordinates], [7, 5]);
 * assert.deepEqual([...lineOf], [0, 1, 0]);
 * assert.deepEqual(members, [[0, 2], [1]]);
 * assert.deepEqual([...sharing], [0, 2]);
 * ```
 */
export function latentLines({ offset, elementOfRow }: RowLatents): LatentLines {
  const elements = [...new Set(elementOfRow)];
  const lineOfElement = new Map(elements.map((element, line) => [element, line]));
  const lineOf = elementOfRow.map((element) => lineOfElement.get(element)!);
  const members = elements.map((): number[] => []);
  lineOf.forEach((line, i) => members[line].push(i));
  const rows = lineOf.map((_, i) => i);
  const sharing = rows.filter((i) => members[lineOf[i]].length > 1);
  const placeOf = new Int32Array(rows.length).fill(-1);
  sharing.forEach((i, place) => placeOf[i] = place);
  const coordinates = Int32Array.from(elements, (element) => offset + element);
  return { coordinates, lineOf, members, sharing, placeOf };
}
