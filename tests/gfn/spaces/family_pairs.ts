/** Pairs of families on simulated data, with both greatest log likelihoods, and the engine's scores of both. */
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule, scoreNow } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import type { SpaceSpec } from "../../../src/gfn/spaces/space_spec.ts";

/** A response that one of two families made; nats. */
export interface FamilyPair {
  readonly space: "regression" | "survival" | "growth";
  readonly inner: string;
  readonly outer: string;
  /** Which of them made the response; `either` where they nearly coincide. */
  readonly truth: "inner" | "outer" | "either";
  /** Parameter of the simulation. */
  readonly at: string;
  /** How many the outer family has more. */
  readonly parameters: number;
  /** Log likelihood at its maximum, by family. */
  readonly greatest: Readonly<Record<string, number>>;
  readonly y: readonly number[];
  readonly x: readonly number[];
  /** Trials. */
  readonly n?: readonly number[];
}

/** A real data set, and the greatest log likelihoods of its families. */
export interface RealPair {
  readonly name: string;
  readonly formula: string;
  readonly families: readonly string[];
  readonly greatest: readonly number[];
  readonly response: string;
  readonly columns: Readonly<Record<string, readonly (number | string)[]>>;
  readonly levels: Readonly<Record<string, readonly string[]>>;
}

const golden = new URL("../../golden/family_pairs.json", import.meta.url);

/** Cases of `tools/golden/family_pairs.py`. */
export const { cases: familyPairs, real: realPairs } = JSON.parse(
  Deno.readTextFileSync(golden),
) as { readonly cases: readonly FamilyPair[]; readonly real: readonly RealPair[] };

/** Title of a case. */
export function titleOf({ space, inner, outer, truth, at }: FamilyPair): string {
  return `${inner} and ${outer} on data of ${truth}, ${at} (${space})`;
}

/** The data of a case. */
function datasetOf({ y, x, n, inner }: FamilyPair): Dataset {
  const isCount = /poisson|binomial/.test(inner);
  const column = (name: string, role: Column["role"], values: readonly number[]): Column => ({
    ...{ name, role, type: "real", values: Float64Array.from(values) },
  });
  const own = isCount ? { type: "count" as const } : { resolution: "continuous" as const };
  return makeDataset("pair", [
    { ...column("y", "response", y), ...own },
    column("x", "predictor", x),
    ...n ? [{ ...column("n", "trials", n), type: "count" as const }] : [],
  ]);
}

/** ELPD of both families, inner first; NaN where a program has no score. */
export function scoresOf(pair: FamilyPair): readonly number[] {
  const { space, n, inner, outer } = pair;
  return scored(datasetOf(pair), [inner, outer], {
    space,
    formula: `y ${n ? "| trials(n) " : ""}~ x`,
    ...(space === "growth" && { curves: ["linear"] }),
  });
}

/** ELPD of the families of a real data set, in their order. */
export function realScoresOf({ formula, families, response, columns, levels }: RealPair) {
  const made = Object.entries(columns).map(([name, values]): Column => {
    const isCategory = Object.hasOwn(levels, name);
    const codes = values.map((one) => isCategory ? levels[name].indexOf(String(one)) : Number(one));
    const type = isCategory ? "category" : families.includes("poisson") ? "count" : "real";
    return {
      ...{ name, role: name === response ? "response" : "predictor", type },
      values: Float64Array.from(codes),
      ...(isCategory && { categories: levels[name] }),
      ...(name === response && type === "real" && { resolution: "continuous" as const }),
    };
  });
  return scored(makeDataset("real", made), families, { space: "regression", formula });
}

function scored(
  dataset: Dataset,
  families: readonly string[],
  spec: Omit<SpaceSpec, "families">,
): readonly number[] {
  const grammar = spaceGrammar(dataset, { ...spec, families });
  const objects = [...grammarEnvironment(grammar).enumerate()];
  return families.map((family) => {
    const { text } = objects.find(({ text, features }) =>
      features.includes(family) && !/relative = mu/.test(text)
    )!;
    return scoreNow(text, dataset, defaultSchedule).score?.elpdLoo ?? NaN;
  });
}
