/** Checks the programs of an environment before anything is executed. */
import { type Column, type Dataset, makeDataset } from "../../src/base/dataset.ts";
import { type Diagnostic, InputError } from "../../src/base/diagnostic.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import {
  type CheckBudget,
  checkGrammarPrograms,
  type GrammarSpec,
  objectsToCheck,
  type ProgramsReport,
} from "../../src/gfn/grammar/mod.ts";
import { defaultSchedule } from "../../src/engine/score/execution/mod.ts";
import type { CheckedText } from "../../src/executor/checks.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { type CheckedOn, checkTexts } from "../common/check_programs.ts";

/**
 * Checks the programs that a grammar derives on the data that they are to explain, or else on
 * stand-ins that have the columns which the programs ask for, and responses in the support of each
 * kind of family: so a fault of the grammar is found at
 * its place in the grammar's file.
 *
 * @param budget how many are checked; every production is among them.
 * @returns how many there are and were checked, and warnings, such as programs that are one model.
 * @throws InputError naming the production whose text makes an ill-formed program.
 */
export async function checkPrograms(
  context: StageContext,
  spec: GrammarSpec,
  environment: Environment,
  { data, ...budget }: CheckBudget & { readonly data?: Dataset } = {},
): Promise<ProgramsReport> {
  const texts = Array.from(objectsToCheck(environment, budget), ({ text }) => text);
  const found = await checkOnAny(context, texts, data ? [data] : standIns(environment));
  const undecided = [...found.values()].filter((one) => one.undecided).length;
  if (undecided > 0) context.log(undecidedPrograms(undecided), "warning");
  return checkGrammarPrograms(spec, (text) => {
    const one = found.get(text)!;
    return one.undecided ? { ok: true, program: { hash: text } } : one;
  }, budget);
}

/** Of each text the first answer that accepts it, or what the first data set has against it. */
async function checkOnAny(
  context: StageContext,
  texts: readonly string[],
  tried: readonly Dataset[],
): Promise<ReadonlyMap<string, CheckedText>> {
  const found = new Map<string, CheckedText>();
  let left = texts;
  for (const dataset of tried) {
    // Whether rows have an order, or a time, is for the target to say.
    const time = { column: "", first: dataset.rows, ahead: 1 };
    const schedule = { ...defaultSchedule, rows: "ordered", time } as const;
    const answers = await checkTexts(context, left, { dataset, schedule });
    for (const [text, one] of answers) if (one.ok || !found.has(text)) found.set(text, one);
    left = [...answers].filter(([, one]) => !one.ok && !one.undecided).map(([text]) => text);
  }
  return found;
}

/** Nothing is known of them, so nothing of their grammar is refused. */
function undecidedPrograms(count: number): string {
  return `${count} programs could not be checked: each ended the worker that tried, by its time, ` +
    "its memory or a crash; they are tried again when they are executed";
}

/**
 * Checks that the programs fit a data set: the first program of every production.
 *
 * @throws InputError with every distinct finding.
 */
export async function checkAgainstData(
  context: StageContext,
  environment: Environment,
  on: CheckedOn,
): Promise<void> {
  const findings = new Map<string, Diagnostic>();
  const objects = [...firstOfEachFeature(environment)];
  const found = await checkTexts(context, objects.map(({ text }) => text), on);
  for (const { text, features } of objects) {
    const result = found.get(text)!;
    if (result.ok || result.undecided) continue;
    for (const { code, message, hint } of result.diagnostics) {
      const why = `Cannot score the programs on data set "${on.dataset.name}": ${message}`;
      const where = `${why} (first in ${features.join(", ")})`;
      findings.set(message, { code, severity: "error", message: where, hint });
    }
  }
  if (findings.size > 0) throw new InputError([...findings.values()]);
}

/** Objects that are searched for their features before some are enough. */
const mostForFeatures = 5_000;

function* firstOfEachFeature(environment: Environment): Generator<TerminalObject> {
  const seen = new Set<string>();
  const isMany = (environment.count ?? 0) > mostForFeatures;
  // Objects that have every production come first.
  const most = environment.actionNames.length + 100;
  const objects = isMany && environment.some?.(most) || environment.enumerate();
  for (const object of objects) {
    const fresh = object.features.filter((feature) => !seen.has(feature));
    for (const feature of fresh) seen.add(feature);
    if (fresh.length > 0) yield object;
  }
}

/** How a program reads a column, with what it observes by it; a Gaussian process observes its `y`. */
const reading =
  /(observed\s*=\s*|(?<=marginal_likelihood\([^\n]*\b)y\s*=\s*)?data\[\s*(["'])([^"']+)\2\s*\]/g;

/** Three rows of a column. */
type Rows = Pick<Column, "type" | "values" | "categories">;

const real = (...values: readonly number[]): Rows => ({
  type: "real",
  values: Float64Array.from(values),
});
const levels: Rows = {
  type: "category",
  values: Float64Array.of(0, 1, 2),
  categories: ["a", "b", "c"],
};

/**
 * Responses that between them lie in the support of every family: numbers and counts from 1 on, yes
 * and no, shares, counts with a zero, codes of levels.
 */
const responses: readonly Rows[] = [
  real(1, 2, 3),
  { type: "binary", values: Float64Array.of(0, 1, 1) },
  real(0.2, 0.5, 0.7),
  { type: "count", values: Float64Array.of(0, 1, 2) },
  levels,
];

/**
 * Predictors: numbers that lie unevenly (of whole ones a period of 1 makes constants, and programs one
 * model that are not), whole numbers, names of levels.
 */
const predictors: readonly Rows[] = [real(1, 2.3, 4.1), real(1, 2, 3), levels];

/** Every pair of a response and predictors, in the columns that some program reads. */
function standIns(environment: Environment): readonly Dataset[] {
  const roles = rolesOf(environment);
  return responses.flatMap((response) =>
    predictors.map((predictor) => {
      const columns = [...roles].map(([name, role]): Column => {
        return { name, role, ...role === "response" ? response : predictor };
      });
      return makeDataset("stand-in", columns);
    })
  );
}

/** Every column that some program reads; observed ones are responses. */
function rolesOf(environment: Environment): Map<string, "predictor" | "response"> {
  const roles = new Map<string, "predictor" | "response">();
  for (const { text } of firstOfEachFeature(environment)) {
    for (const [, observed, , name] of text.matchAll(reading)) {
      if (observed || !roles.has(name)) roles.set(name, observed ? "response" : "predictor");
    }
  }
  return roles;
}
