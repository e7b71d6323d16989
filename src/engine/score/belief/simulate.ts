/** Simulation of a theory: latents from their priors, and responses at rows given latents. */
import { priorDraws } from "../../inference/predict/draws.ts";
import type { NewRows } from "../predictions.ts";
import { TheoryRows } from "./rows.ts";
import { type Design, type NamedDraws, namesOf, theoryAt } from "./theory.ts";

/**
 * Draws the latents of a theory from their priors.
 *
 * @param key of the random stream: the same key gives the same latents.
 * @param at rows at which the program is read; one of halves and zeros if left out.
 * @throws InputError if the program cannot be read at rows of the design.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { simulateLatents, simulateRows } from "./simulate.ts";
 * const theory = `import pymc as pm
 *
 * with pm.Model() as model:
 *     slope = pm.Normal("slope", 0, 1)
 *     pm.Normal("y", slope * data["x"], 0.1, observed=data["y"])
 * `;
 * const design = [
 *   { name: "x", role: "predictor", type: "real" },
 *   { name: "y", role: "response", type: "real" },
 * ] as const;
 * const latents = simulateLatents(theory, design, 1, ["episode", 1]);
 * const at = { rows: 2, columns: new Map([["x", Float64Array.of(1, 2)]]) };
 * const [first, second] = simulateRows(theory, design, latents, at, ["episode", 1, "turn", 1]);
 * const slope = latents.parameters[0][0];
 * assert(Math.abs(first - slope) < 1 && Math.abs(second - 2 * slope) < 1);
 * ```
 */
export function simulateLatents(
  text: string,
  design: Design,
  draws: number,
  key: readonly (string | number)[],
  at: NewRows = middle(design),
): NamedDraws {
  const { program, dataset } = theoryAt(text, design, at);
  const { parameters } = priorDraws(program, dataset, draws, [...key, "latents"]);
  return { names: namesOf(program), draws, parameters };
}

/**
 * A response of every row for each draw of the latents `[draws, rows]`: prior predictive if these are the prior's,
 * posterior predictive if they are a posterior's.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { simulateLatents, simulateRows } from "./simulate.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const design = [{ name: "y", role: "response", type: "real" }] as const;
 * const at = { rows: 5, columns: new Map() };
 * const latents = simulateLatents(text, design, 2, ["seed"], at);
 * const response = simulateRows(text, design, latents, at, ["seed"]);
 * assert.equal(response.length, 2 * 5); // draws × rows
 * ```
 *
 * @param key of the random stream.
 * @throws InputError if the program cannot be read at these rows.
 */
export function simulateRows(
  text: string,
  design: Design,
  latents: NamedDraws,
  at: NewRows,
  key: readonly (string | number)[],
): Float64Array {
  return new TheoryRows(text, design, latents, at).simulate(key);
}

/** A row at which a program is read for its latents alone. */
function middle(design: Design): NewRows {
  const own = design.filter(({ role }) => role === "predictor")
    .map(({ name, type }) => [name, Float64Array.of(type === "real" ? 0.5 : 0)] as const);
  return { rows: 1, columns: new Map(own) };
}
