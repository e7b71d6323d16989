/** Spaces of growth as a policy for many data sets is asked about them: sizes, ages, places in its vocabulary. */
import { type Dataset, responseColumn } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import { growthAnswers, growthFamilies, growthPlace } from "../../src/gfn/train/mod.ts";
import type { CandidateSpace } from "../evaluation/candidates.ts";
import type { ProgramTarget } from "../ports/values.ts";
import type { AskedSpace } from "./asked_space.ts";

/**
 * Sizes, ages and programs of a space of growth.
 *
 * @throws InputError `amortised/space` for another kind of space, `amortised/family` for a curve or a noise
 * that the vocabulary has not.
 */
export function askedGrowth(target: ProgramTarget, space: CandidateSpace): AskedSpace {
  const { questions } = space.meaning;
  const ages = agesOf(target);
  const programs = Int32Array.from(space.candidates, ({ answers }) => {
    const said = Object.fromEntries(questions.map(({ question }, q) => [question, answers[q]]));
    const place = growthPlace(said);
    if (place < 0) throw strangeProgram(said);
    return place;
  });
  const sizes = responseColumn(target.dataset)!.values;
  const rows = { rows: sizes.length, columns: [ages], y: sizes };
  return { rows, programs, answers: growthAnswers };
}

/** The column that the programs of a space of growth call `age`. */
function agesOf({ environment, dataset }: ProgramTarget): Float64Array {
  const { name, fromData, template } = environment.spec as GrammarSpec;
  const written = /^ *age = data\[("(?:[^"\\]|\\.)*")\]/m.exec(template ?? "");
  if (!fromData || name !== "growth" || !written) throw otherSpace();
  return columnOf(dataset, JSON.parse(written[1]));
}

function columnOf({ columns }: Dataset, name: string): Float64Array {
  const found = columns.find((column) => column.name === name);
  if (!found) throw new Error(`internal: no column ${name}`);
  return found.values;
}

function otherSpace(): Error {
  const message =
    "Cannot use the policy: it answers about curves of growth, and the space is another";
  const hint =
    "--space growth with a formula such as size ~ age; or --policy regression for predictors";
  return inputError("amortised/space", message, undefined, hint);
}

function strangeProgram({ curve, family }: Readonly<Record<string, string>>): Error {
  const message = `Cannot use the policy: it was not trained on ${curve} with the family ${family}`;
  const hint = `--families ${growthFamilies.join(",")}, or leave out --policy`;
  return inputError("amortised/family", message, undefined, hint);
}
