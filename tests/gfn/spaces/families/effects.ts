/** Whether the 90 % interval of an effect holds the one that data were made with. */
import { finish } from "../../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { fitChecked, withChains } from "../../../../src/engine/score/fit.ts";
import { parameterDraws } from "../../../../src/engine/score/predictive.ts";
import { grammarEnvironment } from "../../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../../src/gfn/spaces/space.ts";
import { simulatedFamilies, simulatedSet } from "./simulated.ts";

/** An effect of one data set: by its posterior's mean and standard deviation, as reports have it. */
export interface EffectRecord {
  readonly family: string;
  readonly set: number;
  /** Null where the program has no draws. */
  readonly mean: number | null;
  readonly sd: number | null;
}

/** The effect in the program of one family on one of its data sets; undefined where it has no draws. */
export function effectOf(family: string, set: number): EffectRecord | undefined {
  const dataset = simulatedSet(family, set);
  const { space, trials } = simulatedFamilies[family];
  const left = space === "survival" ? "y | event(d)" : trials ? "y | trials(n)" : "y";
  const families = [family.replace(/^survival_/, "")];
  const grammar = spaceGrammar(dataset, { space, formula: `${left} ~ x`, families });
  const [{ text }] = grammarEnvironment(grammar).enumerate();
  const checked = checkProgram(text, dataset);
  if (!checked.ok) throw new Error(`${family}: ${checked.diagnostics[0].message}`);
  const fit = finish(fitChecked(checked.program, dataset, defaultSchedule));
  const sampled = fit.kind === "failure" ? fit : finish(withChains(fit, defaultSchedule));
  if (sampled.kind === "failure") return undefined;
  const at = checked.program.parameters.findIndex(({ name }) => name === "b_x");
  const values = parameterDraws(sampled).parameters[at];
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
  return { family, set, mean, sd };
}
