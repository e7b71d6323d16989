/** Parameters of `simulate` that say how data sets are drawn, and which of them a space kind has. */
import { listed } from "../../src/base/listed.ts";
import type { z } from "../../src/base/zod.ts";
import {
  growthSimulation,
  type RegressionFamily,
  scoredFamilies,
  simulation,
  type SpaceKind,
} from "../../src/gfn/settings/mod.ts";

/** Keys that say how data sets are drawn; those that are left out depend on the space kind. */
export const drawnShape: Readonly<Record<string, z.ZodOptional>> = {
  ...leftOut(growthSimulation.shape),
  ...leftOut(simulation.shape),
};

function leftOut(
  shape: Readonly<Record<string, z.ZodDefault<z.ZodType>>>,
): Record<string, z.ZodOptional> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => {
      const usual = JSON.stringify(value.parse(undefined));
      return [
        key,
        value.unwrap().optional().describe(`${value.description} (default: ${usual})`),
      ];
    }),
  );
}

/** Keys whose meaning depends on one another. */
interface Given {
  readonly space: SpaceKind;
  readonly families?: readonly string[];
  readonly family?: unknown;
  readonly rewards: string;
  readonly data_sets: number;
  readonly tables: readonly { readonly learn: boolean }[];
  readonly most_predictors: number;
  readonly predictors?: unknown;
}

/** Refuses keys of another space kind, families that are not scored, more predictors than the vocabulary. */
export function checkDrawn(given: Given, context: z.RefinementCtx): void {
  const { space, families, family, most_predictors, predictors, rewards } = given;
  const refuse = (path: readonly PropertyKey[], message: string) =>
    context.addIssue({ code: "custom", path: [...path], message });
  const { error } = simulationSchema(space).safeParse(drawnKeys(given));
  for (const issue of error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys") refuse(issue.path, issue.message);
    else issue.keys.forEach((key) => refuse([key], `space "${space}" has none: leave it out`));
  }
  if (given.data_sets === 0 && !given.tables.some(({ learn }) => learn)) {
    refuse(["data_sets"], "nothing to learn from: wanted data sets, or a table with learn = true");
  }
  const known = scoredFamilies(space, family as RegressionFamily | undefined);
  if (families && families.toSorted().join() !== known.toSorted().join()) {
    refuse(["families"], `space "${space}" is scored for ${listed(known)} here: write these`);
  }
  if (space === "regression" && rewards === "engine") {
    refuse(["rewards"], "regressions are scored without executions: leave it out");
  }
  const most = Array.isArray(predictors) ? predictors[1] : 0;
  if (most > most_predictors) refuse(["predictors"], "wanted at most most_predictors");
}

/** How data sets of a space kind are drawn. */
export function simulationSchema(space: SpaceKind) {
  return space === "growth" ? growthSimulation : simulation;
}

/** The parameters that say how data sets are drawn, of those that were given. */
export function drawnKeys(given: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([key, value]) => key in drawnShape && value !== undefined),
  );
}
