/** Programs of a space as an answer needs them: one for each model in several parametrisations. */
import { sha256 } from "../../src/base/digest.ts";
import { exp, logSumExp } from "../../src/numerics/math/mod.ts";
import type { Execution, Score } from "../../src/engine/score/execution/mod.ts";
import {
  elpdHoldoutJudge,
  elpdLfoJudge,
  elpdLooJudge,
  type Judge,
  type Judgement,
  literalsJudge,
  logPriorJudge,
} from "../../src/engine/score/judges/mod.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import { type GrammarMeaning, type GrammarSpec, meaningOf } from "../../src/gfn/grammar/mod.ts";
import type { Row } from "../../src/pipeline/contract/mod.ts";
import type { ProgramTarget } from "../ports/values.ts";

/** Derivations that write one model, and what they answer. */
export interface Candidate {
  /** Place of the first of them in the order of the environment. */
  readonly index: number;
  /** In the order of the environment; the first that can be scored stands for all. */
  readonly members: readonly TerminalObject[];
  /** Of all members together. */
  readonly logPrior: number;
  /** One for each question. */
  readonly answers: readonly string[];
}

/** Every model of a space. */
export interface CandidateSpace {
  readonly meaning: GrammarMeaning;
  readonly candidates: readonly Candidate[];
  /** Derivations. */
  readonly programs: number;
}

/** The models that these objects write, in the order of their first members. */
export function candidatesOf(
  environment: Environment,
  objects: readonly TerminalObject[],
): CandidateSpace {
  const meaning = meaningOfEnvironment(environment);
  const said = objects.map(({ features, text }, index) => {
    const { model, answers } = meaning.of(features);
    return { index, model: features.length > 0 ? model : text, answers };
  });
  const candidates = [...Map.groupBy(said, ({ model }) => model).values()].map((own) => {
    const members = own.map(({ index }) => objects[index]);
    const logPrior = logSumExp(Float64Array.from(members, (one) => one.logPrior));
    return { index: own[0].index, members, logPrior, answers: own[0].answers };
  });
  return { meaning, candidates, programs: objects.length };
}

/** Meaning of a grammar; other environments have none but their programs. */
function meaningOfEnvironment({ kind, spec }: Environment): GrammarMeaning {
  if (kind === "grammar") return meaningOf(spec as GrammarSpec);
  return {
    questions: [],
    effects: {},
    against: {},
    at: {},
    ratios: {},
    of: (features) => ({ answers: [], model: features.join(" ") }),
  };
}

/** The event with the questions of a space, from which an answer begins. */
export function spaceEvent(
  { meaning, candidates, programs }: CandidateSpace,
  target: ProgramTarget,
  searched?: number,
): Row {
  const questions = meaning.questions.map(({ question }, q) => {
    const priors = new Map<string, number>();
    for (const { answers, logPrior } of candidates) {
      priors.set(answers[q], (priors.get(answers[q]) ?? 0) + exp(logPrior));
    }
    return { question, answers: [...priors].map(([answer, prior]) => ({ answer, prior })) };
  });
  const prior_weight = target.rule.terms
    .reduce((sum, { judge, weight }) => judge.name === logPriorJudge.name ? sum + weight : sum, 0);
  const formula = meaning.formula === undefined ? {} : { formula: meaning.formula };
  const asked = { questions, prior_weight, ...formula, ...(searched && { searched }) };
  const detail = { programs, candidates: candidates.length, ...asked };
  const message = `${programs} programs over ${questions.length} questions`;
  return { level: "info", kind: "space", message, detail };
}

/** Representative of a model: one of its members, and the judgements of all that have a score. */
export interface TriedCandidate {
  readonly object: TerminalObject;
  readonly execution: Execution;
  /** `[members]`. */
  readonly judgements: readonly Judgement[];
}

/**
 * The log reward of all members of a model by their own scores, not raised to the floor of the
 * target: an answer takes no reward for evidence that is a device of learning. −∞ where the target
 * has no value for the program.
 */
export function ownLogReward(judgements: readonly Judgement[]): number {
  return logSumExp(Float64Array.from(judgements, (one) => one.unraised ?? one.logReward));
}

/** The row of `candidate`: outcome of a model. */
export function candidateRow(
  { index, members, logPrior, answers }: Candidate,
  { object, execution, judgements }: TriedCandidate,
  target: ProgramTarget,
): Row {
  const { score, status } = execution;
  const named = {
    idx: index,
    program: sha256(object.text),
    programs: members.length,
    features: object.features,
    answers,
    status,
    log_prior: logPrior,
  };
  const own = ownLogReward(judgements);
  if (!score || own === -Infinity) return named;
  return {
    ...named,
    log_reward: own,
    ...(judgements.some(({ raised }) => raised) && {
      raised_to: logSumExp(Float64Array.from(judgements, ({ logReward }) => logReward)),
    }),
    ...rowwise(score, target),
  };
}

/** Judges whose opinion is a sum over rows: each given all others, or those before it. */
const judgesOfRows: readonly Judge[] = [elpdLooJudge, elpdLfoJudge];

/** Monte Carlo error of what a judge of an execution says. */
function errorOf(score: Score, judge: Judge): number {
  const own = judge === elpdHoldoutJudge ? score.holdoutMcse : score.evidenceMcse;
  return own ?? score.rewardMcse ?? score.mcse;
}

/** Contribution of each row to the log reward, where that is a sum over rows. */
function rowwise(score: Score, { rule: { terms } }: ProgramTarget): Row {
  const data = terms.filter(({ judge }) => judge.uses === "execution");
  const ofRows = data.filter(({ judge }) => judge !== literalsJudge);
  const isSum = ofRows.length > 0 && ofRows.every(({ judge }) => judgesOfRows.includes(judge));
  const factor = ofRows.reduce((sum, { weight }) => sum + weight, 0);
  const error = ofRows.reduce((sum, { judge, weight }) => sum + weight * errorOf(score, judge), 0);
  const pointwise = score.rewardPointwise ?? score.elpdPointwise;
  return {
    p_loo: score.pLoo,
    mcse: Math.abs(error),
    unit: score.unit,
    ...(score.literals !== undefined && { literals: score.literals }),
    ...(isSum && pointwise && { pointwise: pointwise.map((one) => factor * one) }),
  };
}
