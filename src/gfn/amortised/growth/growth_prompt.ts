/** Data sets of growth as prompts: a policy for many data sets is asked by the numbers of one. */
import type { Prompt } from "../../environments/environment.ts";
import { growthSizes } from "./growth_sizes.ts";
import type { GrowthSummary } from "./growth_summary.ts";

/** The prompt of a data set: its tokens are all its numbers. */
export function growthPrompt(summary: GrowthSummary, id: string): Prompt {
  const { rows, data, programs, features, foretold } = summary;
  return { id, tokens: [rows, 1, programs.length, ...data, ...programs, ...features, ...foretold] };
}

/** Reads the numbers that {@linkcode growthPrompt} wrote. */
function growthSummary({ tokens: numbers }: Prompt): GrowthSummary {
  const [rows, , count] = numbers;
  let from = 3;
  const take = (size: number) => Float64Array.from(numbers.slice(from, from += size));
  return {
    rows,
    data: take(growthSizes.data),
    programs: Int32Array.from(take(count)),
    features: take(count * growthSizes.program),
    foretold: take(count),
  };
}

const known = new WeakMap<Prompt, GrowthSummary>();

/** The numbers of the data set that a prompt is, of all its programs or of those that are asked. */
export function askedGrowth(prompt: Prompt): GrowthSummary {
  const before = known.get(prompt);
  if (before) return before;
  const summary = growthSummary(prompt);
  known.set(prompt, summary);
  return summary;
}

/** The same prompt, of which some programs alone are asked: a policy then answers given that it is one of them. */
export function growthAmong(prompt: Prompt, programs: readonly number[]): Prompt {
  const whole = askedGrowth(prompt);
  const restricted = { ...prompt };
  const places = programs.map((program) => whole.programs.indexOf(program));
  const features = new Float64Array(places.length * growthSizes.program);
  places.forEach((m, i) => {
    const own = whole.features.subarray(m * growthSizes.program, (m + 1) * growthSizes.program);
    features.set(own, i * growthSizes.program);
  });
  known.set(restricted, {
    ...whole,
    features,
    programs: Int32Array.from(programs),
    foretold: Float64Array.from(places, (m) => whole.foretold[m]),
  });
  return restricted;
}
