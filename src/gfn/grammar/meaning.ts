/** Meaning of a derivation in words: its answer to every question, and the model that it writes. */
import { notAsked } from "../../base/not_asked.ts";
import { compileGrammar } from "./compile.ts";
import { wordsOf } from "./nested/model_key.ts";
import type { ClauseSpec, GrammarSpec, HoleSpec, ProductionSpec } from "./spec.ts";

/** Answer of a clause that is not taken, unless the clause gives one. */
const outAnswer = "out";

/** A question and all answers that derivations may give to it, in the order of the file. */
export interface Question {
  /** Text of the question in the grammar. */
  readonly question: string;
  /** Answers, each once. */
  readonly answers: readonly string[];
}

/** Answers and model of one derivation. */
export interface Meaning {
  /** One answer for each question of the grammar, in their order. */
  readonly answers: readonly string[];
  /** Equal for derivations that are parametrisations of one model. */
  readonly model: string;
}

/** A grammar as its reports speak of it. */
export interface GrammarMeaning {
  /** Questions, in the order of the holes. */
  readonly questions: readonly Question[];
  /** Variables by the term whose effect they are. */
  readonly effects: Readonly<Record<string, string>>;
  /** Level of a category that an effect is compared with, by term. */
  readonly against: Readonly<Record<string, string>>;
  /** Left side and terms of all programs, where there is a formula. */
  readonly formula?: string;
  /** Point at which the effects of a product's factors hold, by term. */
  readonly at: Readonly<Record<string, string>>;
  /** Name of the exponential of an effect, such as an odds ratio, by term. */
  readonly ratios: Readonly<Record<string, string>>;
  /** Meaning of a derivation, from the names of its productions. */
  of(features: readonly string[]): Meaning;
}

/** One answer to one question. */
type Answer = readonly [question: string, answer: string];

/**
 * Questions, answers and models of a grammar. The productions of a hole answer the question of the
 * hole, which is the hole's name if it has no other; those of a nuisance, and numbers within bounds,
 * answer none. Where several of a question are chosen, the answer names them all.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { meaningOf } from "./meaning.ts";
 * const production = (name: string, label: { answer?: string; class?: string }) => ({
 *   name, weight: 1, text: "", requires: [], requiresAny: [], excludes: [], ...label,
 * });
 * const meaning = meaningOf({
 *   format: 1, name: "pooling", template: "{effects}", exit: 1, clauses: [],
 *   holes: [{
 *     name: "effects", type: "statements", question: "how much pooling?",
 *     productions: [
 *       production("complete", {}),
 *       production("centred", { class: "partial" }),
 *       production("noncentred", { class: "partial" }),
 *     ],
 *   }],
 * });
 * assert.deepEqual(meaning.questions, [
 *   { question: "how much pooling?", answers: ["complete", "partial"] },
 * ]);
 * assert.equal(meaning.of(["centred"]).model, meaning.of(["noncentred"]).model);
 * ```
 */
export function meaningOf(spec: GrammarSpec): GrammarMeaning {
  const given = new Map(
    spec.holes.flatMap((hole) =>
      hole.productions.map((one) => [one.name, answersOf(hole, one)] as const)
    ),
  );
  const classes = new Map(
    spec.holes.flatMap(({ productions }) =>
      productions.map((one) => [one.name, one.class ?? one.name] as const)
    ),
  );
  const words = wordsOf(compileGrammar(spec), (name) => classes.get(name) ?? name);
  const left = spec.clauses.map((clause) => leftOut(spec, clause));
  const questions = questionsOf(
    [...left.map(({ answer }) => answer), ...given.values()].flat(),
    spec,
  );
  return {
    questions,
    effects: spec.effects ?? {},
    against: spec.against ?? {},
    ...(spec.formula !== undefined && { formula: spec.formula }),
    at: spec.at ?? {},
    ratios: spec.ratios ?? {},
    of(features) {
      const chosen = features.flatMap((name) => given.get(name) ?? []);
      const untaken = left.filter(({ names }) => !features.some((name) => names.has(name)));
      const answers = [...chosen, ...untaken.flatMap(({ answer }) => answer)];
      return {
        answers: questions.map(({ question }) => answerTo(question, answers)),
        model: [...new Set(words(features))].sort().join(" "),
      };
    },
  };
}

/**
 * The part of a grammar that derivations depend on, without the words of its reports: naming a
 * question leaves policies valid.
 */
export function walked(spec: GrammarSpec): GrammarSpec {
  const { effects: _, against: __, formula: ___, at: ____, ...more } = spec;
  const { ratios: _r, fromData: _d, ...rest } = more;
  return {
    ...rest,
    holes: spec.holes.map(({ question: _, nuisance: __, productions, ...hole }) => ({
      ...hole,
      productions: productions.map(({ answer: _, answers: __, class: ___, ...production }) =>
        production
      ),
    })),
    clauses: spec.clauses.map(({ answer: _, ...clause }) => clause),
  };
}

/** Answers of a production: to the question of its hole, unless that is a nuisance, and to others. */
function answersOf(hole: HoleSpec, { name, answer, answers = {}, class: model }: ProductionSpec) {
  const own: Answer[] = hole.nuisance ? [] : [[questionOf(hole), answer ?? model ?? name]];
  return [...own, ...Object.entries(answers)];
}

function questionOf({ question, name }: HoleSpec): string {
  return question ?? name;
}

/** Answer of a clause where none of its hole's productions is chosen. */
function leftOut({ holes }: GrammarSpec, { hole, answer = outAnswer }: ClauseSpec) {
  const own = holes.find(({ name }) => name === hole)!;
  const given: Answer[] = own.nuisance ? [] : [[questionOf(own), answer]];
  return { answer: given, names: new Set(own.productions.map(({ name }) => name)) };
}

/** Questions in the order of the holes, then those that productions alone name. */
function questionsOf(given: readonly Answer[], { holes }: GrammarSpec): Question[] {
  const own = holes.filter(({ nuisance, number }) => !nuisance && !number).map(questionOf);
  const names = new Set([...own, ...given.map(([question]) => question)]);
  return [...names].map((question) => ({
    question,
    answers: [...new Set(given.filter(([one]) => one === question).map(([, answer]) => answer))],
  }));
}

function answerTo(question: string, given: readonly Answer[]): string {
  const own = new Set(given.filter(([one]) => one === question).map(([, answer]) => answer));
  return own.size === 0 ? notAsked : [...own].join(" + ");
}
