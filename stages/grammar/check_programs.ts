/** Checks the programs of an environment before anything is executed. */
import { type Column, type Dataset, makeDataset } from "../../src/base/dataset.ts";
import { type Diagnostic, InputError } from "../../src/base/diagnostic.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";
import {
  type CheckBudget,
  checkGrammarPrograms,
  type ProgramsReport,
} from "../../src/gfn/grammar/programs.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/spec.ts";
import type { CheckResult } from "../../src/engine/ir/program.ts";
import { type CheckOptions, checkProgram } from "../../src/engine/pymc/check.ts";

/**
 * Checks the programs that a grammar derives on the data that they are to explain, or else on
 * stand-ins that have the columns which the programs ask for: so a fault of the grammar is found at
 * its place in the grammar's file.
 *
 * @param budget how many are checked; every production is among them.
 * @returns how many there are and were checked, and warnings, such as programs that are one model.
 * @throws InputError naming the production whose text makes an ill-formed program.
 */
export function checkPrograms(
  spec: GrammarSpec,
  environment: Environment,
  data?: Dataset,
  budget?: CheckBudget,
): ProgramsReport {
  const tried = data ? [data] : standIns(environment);
  return checkGrammarPrograms(spec, (text) => checkOnAny(text, tried), budget);
}

/** The first answer that accepts the program, or what the first data set has against it. */
function checkOnAny(text: string, tried: readonly Dataset[]): CheckResult {
  let first: CheckResult | undefined;
  for (const data of tried) {
    // Whether rows have an order, or a time, is for the target to say.
    const ordered = { rows: "ordered", time: { first: data.rows } } as const;
    const result = checkProgram(text, data, undefined, ordered);
    if (result.ok) return result;
    first ??= result;
  }
  return first!;
}

/**
 * Checks that the programs fit a data set: the first program of every production.
 *
 * @throws InputError with every distinct finding.
 */
export function checkAgainstData(
  environment: Environment,
  dataset: Dataset,
  options: CheckOptions = {},
): void {
  const findings = new Map<string, Diagnostic>();
  for (const { text, features } of firstOfEachFeature(environment)) {
    const result = checkProgram(text, dataset, undefined, options);
    if (result.ok) continue;
    for (const { code, message, hint } of result.diagnostics) {
      const why = `Cannot score the programs on data set "${dataset.name}": ${message}`;
      const where = `${why} (first in ${features.join(", ")})`;
      findings.set(message, { code, severity: "error", message: where, hint });
    }
  }
  if (findings.size > 0) throw new InputError([...findings.values()]);
}

/** Objects that are looked at for their features before some are enough. */
const mostForFeatures = 5_000;

function* firstOfEachFeature(environment: Environment): Generator<TerminalObject> {
  const seen = new Set<string>();
  const isMany = (environment.count ?? 0) > mostForFeatures;
  // Those that have every production come first.
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

/**
 * Three rows of every column that some program reads, observed ones as responses: predictors as
 * numbers that lie unevenly (of whole ones a period of 1 makes constants, and programs one model that
 * are not), as whole numbers, and as names of levels.
 */
function standIns(environment: Environment): readonly Dataset[] {
  const roles = rolesOf(environment);
  const numbers = (predictors: readonly number[]) =>
    [...roles].map(([name, role]): Column => {
      const values = role === "response" ? [1, 2, 3] : predictors;
      return { name, role, type: "real", values: Float64Array.from(values) };
    });
  const levels = numbers([1, 2, 3]).map((column): Column => {
    if (column.role === "response") return column;
    const categories = ["a", "b", "c"];
    return { ...column, type: "category", values: Float64Array.of(0, 1, 2), categories };
  });
  const all = [numbers([1, 2.3, 4.1]), numbers([1, 2, 3]), levels];
  return all.map((columns) => makeDataset("stand-in", columns));
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
