/** Answers of a policy for many data sets about the programs of one target, before any is executed. */
import { type Dataset, responseColumn } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { listed } from "../../src/base/listed.ts";
import { readRegular } from "../../src/base/regular_file.ts";
import {
  type AmortisedCard,
  type AmortisedFile,
  inclusionOf,
  type Likeness,
  likeness,
  normalised,
  questionSpaces,
  readAmortised,
  type Simulation,
  standardRows,
} from "../../src/gfn/train/mod.ts";
import type { PriorMean } from "../../src/gfn/evaluation/mod.ts";
import { elpdLooJudge, logPriorJudge } from "../../src/engine/score/judges/mod.ts";
import type { CandidateSpace } from "../evaluation/candidates.ts";
import type { ProgramTarget } from "../ports/values.ts";
import type { AnswerName, AskedSpace } from "./asked_space.ts";
import { askedGrowth } from "./policy_growth.ts";

/** A policy's answer about the programs of a target. */
export interface PolicyAnswer {
  readonly card: AmortisedCard;
  /** Whether its training had data like these. */
  readonly likeness: Likeness;
  /** Answers that have a probability, in their order: predictors that are in; curves and noises. */
  readonly answers: readonly AnswerName[];
  /** `[candidates]`: log P of each, nats; their sum of exponentials is 1. */
  readonly logShares: Float64Array;
  /** `[candidates]`: bits of the predictors that are in, or place in the vocabulary. */
  readonly programs: Int32Array;
  /** Places of the answers that a program gives. */
  readonly marks: (program: number) => readonly number[];
  /** `[answers]`: their probabilities. */
  readonly inclusion: Float64Array;
}

/** The file of a policy at a path. @throws InputError if it is none. */
export async function policyAt(path: string): Promise<AmortisedFile> {
  return await readAmortised(readRegular(path, mostBytes), path);
}

/** Bytes of a file that is read. */
const mostBytes = 1 << 26;

/**
 * The policy's answer.
 *
 * @throws InputError `amortised/space` where the questions are not those that it was trained on,
 * `amortised/target` where programs are weighed by something else, and for rows that it cannot read.
 */
export function policyAnswer(
  { card, answer }: AmortisedFile,
  target: ProgramTarget,
  space: CandidateSpace,
): PolicyAnswer {
  requireTarget(target);
  const isGrowth = card.space === "growth";
  const asked = isGrowth ? askedGrowth(target, space) : askedRegression(card, target, space);
  const kind = questionSpaces[card.space];
  const prompt = kind.prompt(asked.rows);
  const flows = answer(prompt);
  const { programs, answers } = asked;
  const logs = space.candidates.map(({ logPrior }, i) =>
    (flows[programs[i]] ?? -Infinity) + logPrior
  );
  const logShares = normalised(logs);
  return {
    card,
    likeness: likeness(card.detector, kind.detected(prompt)),
    answers,
    logShares,
    programs,
    marks: kind.marks,
    inclusion: inclusionOf(programs, logShares, answers.length, kind.marks),
  };
}

function askedRegression(
  card: AmortisedCard,
  { dataset }: ProgramTarget,
  space: CandidateSpace,
): AskedSpace {
  const asked = askedPredictors(card, dataset, space);
  const trials = requireFormula(card, dataset, space.meaning.formula);
  const programs = Int32Array.from(space.candidates, ({ answers }) => {
    return asked.reduce((sum, { place }, j) => answers[place] === "in" ? sum + 2 ** j : sum, 0);
  });
  return {
    rows: rowsOf(card, dataset, asked.map(({ column }) => column), trials),
    programs,
    answers: asked.map(({ question }) => ({ question, answer: "in" })),
  };
}

/**
 * Log rewards as the policy foretells them, for a surrogate to begin with: by all productions that some
 * programs have and others have not.
 */
export function foretoldBy(
  { logShares }: PolicyAnswer,
  { candidates }: CandidateSpace,
): PriorMean {
  const members = candidates.flatMap((one) => one.members);
  const names = [...new Set(members.flatMap(({ features }) => features))];
  const productions = names.filter((name) =>
    members.some(({ features }) => !features.includes(name))
  );
  const values: Record<number, number> = {};
  candidates.forEach(({ members }, i) => {
    for (const { features } of members) {
      const place = productions.reduce(
        (sum, name, j) => features.includes(name) ? sum + 2 ** j : sum,
        0,
      );
      values[place] = logShares[i];
    }
  });
  return { productions, values };
}

/** Requires a target of exp ELPD-LOO × prior, rows left out one by one, as the policy was trained on. */
function requireTarget({ rule: { terms }, schedule }: ProgramTarget): void {
  const isWhole = terms.length > 0 && terms.every(({ judge, weight }) => {
    return weight === 1 && (judge === elpdLooJudge || judge === logPriorJudge);
  });
  if (isWhole && schedule.unit !== "group") return;
  const found = isWhole
    ? "whole groups are left out"
    : `they are weighed by ${listed(terms.map(({ judge, weight }) => `${weight} ${judge.name}`))}`;
  const message =
    `Cannot use the policy: it was trained on ELPD-LOO of rows with a prior, and ${found}`;
  throw inputError(
    "amortised/target",
    message,
    undefined,
    "leave out --policy: every program is scored",
  );
}

interface AskedPredictor {
  readonly question: string;
  /** Among the answers of a candidate. */
  readonly place: number;
  readonly column: string;
}

/** Questions that are a column in or out; everything else has to be settled. */
function askedPredictors(
  card: AmortisedCard,
  dataset: Dataset,
  { meaning }: CandidateSpace,
): AskedPredictor[] {
  const asked: AskedPredictor[] = [];
  meaning.questions.forEach(({ question, answers }, place) => {
    if (question === "family") {
      const strange = answers.find((family) => !card.families.includes(family));
      if (strange !== undefined) throw strangeFamily(strange, card.families, answers);
      return;
    }
    const column = question.replace(/^`(.*)`$/, "$1");
    const isColumn = dataset.columns.some(({ name, role, type }) => {
      return name === column && role === "predictor" && type !== "category";
    });
    if (!isColumn || [...answers].sort().join() !== "in,out") {
      throw strangeQuestion(question, answers);
    }
    asked.push({ question, place, column });
  });
  if (asked.length === 0) throw strangeQuestion("none", []);
  if (asked.length > card.most_predictors) throw tooMany(asked.length, card.most_predictors);
  return asked;
}

/**
 * Programs have an intercept, nothing else in common, and explain the response as it is.
 *
 * @returns The column of trials; undefined where there are none.
 */
function requireFormula(
  { families }: AmortisedCard,
  dataset: Dataset,
  formula: string | undefined,
): string | undefined {
  const response = responseColumn(dataset)!.name;
  const [, left, , named] = /^(.*?)( \| trials\((.*)\))? ~ 1$/.exec(formula ?? "") ?? [];
  const takes = named === undefined || families.includes("binomial");
  if (takes && [response, `\`${response}\``].includes(left)) {
    return named?.replace(/^`(.*)`$/, "$1");
  }
  const message =
    `Cannot use the policy: all programs have "${formula ?? "no formula"}" in common, ` +
    `and it was trained on "${response} ~ 1"`;
  const hint =
    "put each predictor in brackets, [x], and leave the response as it is; or leave out --policy";
  throw inputError("amortised/space", message, undefined, hint);
}

function rowsOf(
  { simulation }: AmortisedCard,
  dataset: Dataset,
  columns: readonly string[],
  trials: string | undefined,
) {
  const valuesOf = (name: string) => dataset.columns.find((one) => one.name === name)!.values;
  const response = responseColumn(dataset)!;
  const { family } = simulation as Partial<Simulation>;
  return standardRows({
    columns: columns.map(valuesOf),
    y: response.values,
    ...(family && family !== "normal" && { family }),
    ...(trials !== undefined && { trials: valuesOf(trials) }),
  }, [...columns, response.name]);
}

/** Another file may know a family that this one does not. */
function strangeFamily(
  family: string,
  known: readonly string[],
  asked: readonly string[],
): Error {
  const message = `Cannot use the policy: it was not trained on the family ${family}`;
  const hint = asked.some((one) => known.includes(one))
    ? `--families ${known.join(" or ")}, or leave out --policy`
    : `it knows ${known.join(", ")}: name the file of the family, or leave out --policy`;
  return inputError("amortised/family", message, undefined, hint);
}

function strangeQuestion(question: string, answers: readonly string[]): Error {
  const message = answers.length === 0
    ? "Cannot use the policy: the formula asks nothing"
    : "Cannot use the policy: it answers whether a column of numbers is in or out, and " +
      `"${question}" is none: its answers are ${listed(answers)}`;
  const hint = "write [x] for columns of numbers, such as y ~ [x] + [z]; or leave out --policy";
  return inputError("amortised/space", message, undefined, hint);
}

function tooMany(asked: number, most: number): Error {
  const message =
    `Cannot use the policy: ${asked} predictors are asked about, at most ${most} were ` +
    "in its training";
  const hint = "ask fewer questions at once, or leave out --policy";
  return inputError("amortised/predictors", message, undefined, hint);
}
