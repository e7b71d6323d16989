/** Which function of the response a program observes, from its values at placeholders. */
import {
  affineSteps,
  type ResponseStep,
  type ResponseTransform,
  transformed,
} from "./response_transform.ts";

/** Functions that are known by their values, but for a factor and a term behind them. */
const known: readonly (readonly ResponseStep[])[] = [
  [],
  [{ kind: "log" }],
  [{ kind: "log1p" }],
  [{ kind: "exp" }],
  [{ kind: "expm1" }],
  [{ kind: "logit" }],
  [{ kind: "reciprocal" }],
  ...[0.5, 2, 3, 1 / 3, 0.25, -0.5, -2].map((by) => [{ kind: "power", by } as const]),
];

/** Relative distance at which numbers of different libraries are the same function's. */
const tolerance = 1e-11;

/**
 * The function whose values at all placeholders are those observed; `undefined` if none of the
 * known functions is. Scores are of that function, with its slope, so that a program which observes
 * another one elsewhere gains nothing by it.
 *
 * @param placeholders responses given to the program, several times.
 * @param observed values that it observed, each time as many.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { recogniseTransform } from "./recognised_transform.ts";
 * const given = [[0.1, 0.5, 0.7], [0.2, 0.4, 0.9]];
 * const found = recogniseTransform(given, given.map((ys) => ys.map((y) => 2 * Math.log(y) - 1)));
 * assert.deepEqual(found, [{ kind: "log" }, { kind: "multiply", by: 2 }, { kind: "add", by: -1 }]);
 * ```
 */
export function recogniseTransform(
  placeholders: readonly (readonly number[])[],
  observed: readonly (readonly number[])[],
): ResponseTransform | undefined {
  const [given, found] = [placeholders.flat(), observed.flat()];
  if (given.length !== found.length || given.length < 3) return undefined;
  if (observed.some((own, k) => own.length !== placeholders[k].length)) return undefined;
  if (given.every((y, i) => y === found[i])) return [];
  for (const steps of known) {
    const images = given.map((y) => transformed(steps, y));
    const affine = affineBetween(images, found);
    if (affine) return [...steps, ...affine];
  }
  return undefined;
}

/** factor · x + term that takes all of `from` to `to`. */
function affineBetween(
  from: readonly number[],
  to: readonly number[],
): ResponseStep[] | undefined {
  if (![...from, ...to].every(Number.isFinite)) return undefined;
  const [low, high] = [from.indexOf(Math.min(...from)), from.indexOf(Math.max(...from))];
  const factor = (to[high] - to[low]) / (from[high] - from[low]);
  if (!Number.isFinite(factor) || factor === 0) return undefined;
  const raw = to[low] - factor * from[low];
  const size = Math.max(...to.map(Math.abs));
  const term = Math.abs(raw) < tolerance * size ? 0 : raw;
  const steps = affineSteps(factor, term);
  const holds = from.every((x, i) =>
    Math.abs(transformed(steps, x) - to[i]) <= tolerance * Math.max(size, Math.abs(to[i]))
  );
  return holds ? steps : undefined;
}
