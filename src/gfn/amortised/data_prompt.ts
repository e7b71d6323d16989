/** Data sets as prompts: a policy for many data sets is asked with the pooled numbers of one. */
import { digestOf } from "../../base/digest.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { Prompt } from "../environments/environment.ts";
import { type ProgramSummaries, summarisePrograms } from "./program_summaries.ts";
import { type DataSummary, featureSizes } from "./summary.ts";

/**
 * The prompt of a data set: its tokens are rows, predictors and all pooled numbers.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "./standard_rows.ts";
 * import { summarise } from "./summary.ts";
 * import { dataPrompt } from "./data_prompt.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * const prompt = dataPrompt(summarise(rows), "mine");
 * assert.equal(prompt.id, "mine");
 * ```
 *
 * @param id Names it; the digest of its numbers if left out.
 */
export function dataPrompt(summary: DataSummary, id?: string): Prompt {
  const { rows, predictors, data, tokens, pairs, correlations, forecasts = [] } = summary;
  const numbers = [rows, predictors, ...data, ...tokens, ...pairs, ...correlations, ...forecasts];
  return { id: id ?? digestOf(numbers).slice(0, 16), tokens: numbers };
}

/** A prompt as a network reads it: the programs of its data set, all unless some alone are asked. */
export interface AskedData {
  /** Pooled numbers of the data set. */
  readonly summary: DataSummary;
  /** Numbers of the programs that are asked. */
  readonly programs: ProgramSummaries;
}

const known = new WeakMap<Prompt, AskedData>();

/**
 * The data set that {@linkcode dataPrompt} wrote, with numbers of all its programs.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "./standard_rows.ts";
 * import { summarise } from "./summary.ts";
 * import { askedData, dataPrompt } from "./data_prompt.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * const { summary } = askedData(dataPrompt(summarise(rows)));
 * assert.equal(summary.predictors, 2);
 * ```
 */
export function askedData(prompt: Prompt): AskedData {
  const before = known.get(prompt);
  if (before) return before;
  if (predictorsOf(prompt) === undefined) throw nothingAsked();
  const summary = dataSummary(prompt);
  const asked = { summary, programs: summarisePrograms(summary) };
  known.set(prompt, asked);
  return asked;
}

/**
 * The same prompt, restricted to some programs: the policy answers conditional on this set. Rewards of
 * all others are not computed, so that training need not list 2^p programs.
 *
 * @param best The best of all programs, as `everyBegun` has it.
 */
export function askedAmong(
  prompt: Prompt,
  summary: DataSummary,
  programs: ArrayLike<number>,
  best: number,
): Prompt {
  const restricted = { ...prompt };
  known.set(restricted, { summary, programs: summarisePrograms(summary, programs, best) });
  return restricted;
}

/** Predictors of the data set that is asked about; undefined if the prompt is about none. */
export function predictorsOf({ tokens }: Prompt): number | undefined {
  return tokens.length > 1 ? tokens[1] : undefined;
}

/** The pooled numbers that {@linkcode dataPrompt} wrote. */
export function dataSummary({ tokens: numbers }: Prompt): DataSummary {
  const [rows, p] = numbers;
  const { data, predictor, pair } = featureSizes;
  let from = 2;
  const take = (count: number) => Float64Array.from(numbers.slice(from, from += count));
  const summary = {
    rows,
    predictors: p,
    data: take(data),
    tokens: take(p * predictor),
    pairs: take(p * p * pair),
    correlations: take((p + 1) * (p + 1)),
  };
  return from < numbers.length ? { ...summary, forecasts: take(2 ** p) } : summary;
}

function nothingAsked(): Error {
  const message = "Cannot ask a policy for many data sets about none: the prompt has no numbers";
  return inputError(
    "amortised/prompt",
    message,
    undefined,
    "make it by dataPrompt(summarise(rows))",
  );
}
