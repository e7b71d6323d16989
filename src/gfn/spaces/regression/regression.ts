/** A space of regressions as a grammar: one program for each set of answers to its questions. */
import type { Dataset } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { nearest } from "../../../base/nearest.ts";
import type { GrammarSpec, HoleSpec, ProductionSpec } from "../../grammar/spec.ts";
import type { Formula, Part, Term } from "../formula/formula.ts";
import { Columns, moments, twoDigits, valuesBy } from "../writing/columns.ts";
import { literal } from "../writing/design.ts";
import type { FamilyName } from "./family_names.ts";
import {
  checkResponse,
  linkOf,
  type PredictorScale,
  predictorScale,
  statementsOf,
} from "./families.ts";
import { marginsOf } from "./margins.ts";
import { writeTerm, type WrittenTerm } from "./terms.ts";

/** What a space of regressions is made from. */
export interface RegressionSpace {
  readonly formula: Formula;
  /** Equally likely a priori, unless `priors` says otherwise. */
  readonly families: readonly FamilyName[];
  /**
   * Prior probabilities of a question's answers: of `in` for an optional term, by answer for
   * alternatives and `family`. Those of an interaction hold where its margins are in.
   */
  readonly priors?: Readonly<Record<string, number | Readonly<Record<string, number>>>>;
  /** False: interactions may be in without the terms that they are made of. */
  readonly margins?: boolean;
}

/**
 * The grammar of a space of regressions over a data set. Numbers of the data stand in its programs
 * as constants of two digits: means and spreads of predictors, and the scale of the response.
 *
 * @throws InputError where formula, families or priors do not suit the data.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { parseFormula } from "../formula/parse.ts";
 * import { regressionGrammar } from "./regression.ts";
 * const column = (name: string, role: "response" | "predictor", ...values: number[]) =>
 *   ({ name, role, type: "real" as const, values: Float64Array.from(values) });
 * const data = makeDataset("made", [
 *   column("y", "response", 1, 2, 4, 4.5, 6),
 *   column("x", "predictor", 1, 2, 3, 4, 5),
 * ]);
 * const formula = parseFormula("y ~ [x | poly(x, 2)]");
 * const grammar = regressionGrammar(data, { formula, families: ["normal", "student_t"] });
 * assert.deepEqual(grammar.holes.map(({ question }) => question), ["x | poly(x, 2)", "family"]);
 * ```
 */
export function regressionGrammar(dataset: Dataset, space: RegressionSpace): GrammarSpec {
  const { formula, families } = space;
  const columns = new Columns(dataset);
  const response = columns.response(formula.response.column);
  const link = linkOf(families, formula.response);
  const values = valuesBy(response, formula.response.by);
  for (const family of families) checkResponse(family, response, values);
  const { trials } = formula.response;
  const counted = trials === undefined ? undefined : columns.numbers(trials).values;
  const scale = predictorScale(link, values, counted);
  const builder = new Builder(columns, space, scale);
  formula.parts.forEach((part) => builder.part(part));
  const written = { response: formula.response, spread: moments(values) };
  builder.families(families.map((name) => [name, statementsOf(name, written)]));
  return builder.grammar();
}

/** Collects the holes and lines of the grammar. */
class Builder {
  readonly #lines: string[] = [];
  readonly #holes: HoleSpec[] = [];
  readonly #effects: Record<string, string> = {};
  readonly #names = new Set<string>();
  #coefficients = 0;

  constructor(
    readonly columns: Columns,
    readonly space: RegressionSpace,
    readonly scale: PredictorScale,
  ) {}

  part(part: Part): void {
    const written = part.alternatives.map((terms) => this.#together(terms));
    for (const { effects } of written) {
      for (const [label, variable] of effects) this.#effects[label] = variable;
    }
    this.#coefficients += Math.max(...written.map(({ coefficients }) => coefficients));
    if (!part.asked) this.#margins(part.source, part.alternatives[0]);
    if (!part.asked) this.#lines.push(...written[0].statements);
    else this.#ask(part, written.map(({ statements }) => statements.join("\n")));
  }

  families(written: readonly (readonly [FamilyName, readonly string[]])[]): void {
    const priors = this.#priors("family", written.map(([name]) => name));
    const productions = written.map(([name, statements], i) => ({
      ...this.#production(name, priors[i], statements.join("\n")),
      answer: name,
    }));
    this.#hole("family", "family", productions);
  }

  grammar(): GrammarSpec {
    this.#checkRows();
    this.#checkPriors();
    const { formula } = this.space;
    const { mean, scale } = this.scale;
    const [centre, width] = [mean, 2.5 * scale].map((x) => literal(twoDigits(x)));
    const start = formula.intercept
      ? [`intercept = pm.Normal("intercept", mu=${centre}, sigma=${width})`, "eta = intercept"]
      : ["eta = 0"];
    const body = [...start, ...this.#lines].map((line) => `    ${line}`);
    const header = ["import numpy as np", "import pymc as pm", "", "with pm.Model() as model:"];
    return {
      ...{ format: 1, name: "regression", exit: 1, clauses: [] },
      template: [...header, ...body].join("\n"),
      holes: this.#holes,
      ...(Object.keys(this.#effects).length > 0 && { effects: this.#effects }),
    };
  }

  #together(terms: readonly Term[]): WrittenTerm {
    const all = terms.map((term) => writeTerm(this.columns, term, this.scale));
    return {
      statements: all.flatMap(({ statements }) => statements),
      coefficients: all.reduce((sum, { coefficients }) => sum + coefficients, 0),
      effects: new Map(all.flatMap(({ effects }) => [...effects])),
    };
  }

  #ask({ source, names, alternatives }: Part, texts: readonly string[]): void {
    const isOptional = names.length === 1;
    const answers = isOptional ? ["in", "out"] : names;
    const priors = this.#priors(source, answers);
    const productions = texts.map((text, i): ProductionSpec => ({
      ...this.#production(names[i], priors[i], text),
      ...this.#margins(source, alternatives[i]),
      answer: answers[i],
    }));
    if (isOptional) {
      const out = this.#production(`no ${names[0]}`, priors[1], `# without ${names[0]}`);
      productions.unshift({ ...out, answer: "out" });
    }
    this.#hole(source, source, productions);
  }

  /** An interaction wants the terms that it is made of. */
  #margins(source: string, terms: readonly Term[]): Partial<ProductionSpec> {
    if (this.space.margins === false) return {};
    const wanted = marginsOf(terms, this.space.formula, source);
    const names = wanted.map((some) => some.map((name) => this.#productionOf(name)));
    const requires = names.filter(({ length }) => length === 1).flat();
    const several = names.filter(({ length }) => length > 1);
    if (several.length <= 1) return { requires, requiresAny: several[0] ?? [] };
    const message = `Cannot use ${source}: two of the terms that it is made of have alternatives`;
    const hint = "put them in brackets of their own, or margins = false";
    throw inputError("formula/margins", message, undefined, hint);
  }

  /** The production that has an alternative, in a hole that came before. */
  #productionOf(alternative: string): string {
    const name = nameOf(alternative);
    return this.#holes.flatMap(({ productions }) => productions)
      .find((production) => production.name === name || production.name.startsWith(`${name}_v`))!
      .name;
  }

  #production(called: string, weight: number, text: string): ProductionSpec {
    const name = this.#unique(nameOf(called));
    return { name, weight, text, requires: [], requiresAny: [], excludes: [] };
  }

  #hole(called: string, question: string, productions: readonly ProductionSpec[]): void {
    const name = this.#unique(`q_${nameOf(called)}`);
    this.#lines.push(`{${name}}`);
    this.#holes.push({ name, type: "statements", question, productions });
  }

  #unique(name: string): string {
    let unique = name;
    for (let k = 2; this.#names.has(unique); k++) unique = `${name}_v${k}`;
    this.#names.add(unique);
    return unique;
  }

  #priors(question: string, answers: readonly string[]): number[] {
    const prior = this.space.priors?.[question];
    if (prior === undefined) return answers.map(() => 1 / answers.length);
    if (typeof prior === "number" && answers[0] === "in") {
      return checked(question, [prior, 1 - prior]);
    }
    const table = typeof prior === "number" ? {} : prior;
    const missing = answers.find((answer) => table[answer] === undefined);
    const strange = Object.keys(table).find((answer) => !answers.includes(answer));
    if (missing === undefined && strange === undefined) {
      return checked(question, answers.map((answer) => table[answer]));
    }
    const message = `Cannot read the prior of "${question}": ` +
      (strange === undefined ? `"${missing}" has none` : `it has no answer "${strange}"`);
    throw inputError("space/prior", message, undefined, `answers: ${answers.join(", ")}`);
  }

  #checkPriors(): void {
    const questions = this.#holes.map(({ question }) => question!);
    for (const name of Object.keys(this.space.priors ?? {})) {
      if (questions.includes(name)) continue;
      const meant = nearest(name, questions);
      const message = `Cannot read the prior of "${name}": the formula has no such question`;
      const hint = `${meant ? `did you mean "${meant}"? ` : ""}questions: ${questions.join(", ")}`;
      throw inputError("space/prior", message, undefined, hint);
    }
  }

  #checkRows(): void {
    const { rows } = this.columns.dataset;
    if (this.#coefficients < rows) return;
    const message = `Cannot use the formula: it has up to ${this.#coefficients} coefficients, ` +
      `and the data ${rows} rows`;
    const hint = "leave terms out, or use (1 | g) for a column of many levels";
    throw inputError("formula/too-many", message, undefined, hint);
  }
}

function checked(question: string, priors: number[]): number[] {
  const sum = priors.reduce((total, prior) => total + prior, 0);
  if (priors.every((prior) => prior > 0) && Math.abs(sum - 1) < 1e-6) return priors;
  const message = `Cannot read the prior of "${question}": ${priors.join(" and ")} are no ` +
    "probabilities above 0 whose sum is 1";
  const hint = "take a term out of its brackets to have it always, or out of the formula";
  throw inputError("space/prior", message, undefined, hint);
}

/** A name of the grammar: lower-case letters, digits, underscores. */
function nameOf(source: string): string {
  const name = source.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return /^[a-z]/.test(name) ? name : `t_${name}`;
}
