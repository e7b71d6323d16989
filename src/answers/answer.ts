/** Makes an answer of scored programs: probabilities with intervals, effects, and sentences. */
import { notAsked } from "../base/not_asked.ts";
import { RandomStream } from "../base/random.ts";
import { exp } from "../numerics/math/mod.ts";
import type { Answer, AnsweredQuestion } from "./answer_schema.ts";
import {
  bootstrap,
  type Bootstraps,
  effectDraws,
  type Groups,
  type Probabilities,
} from "./bootstraps.ts";
import { answerElpd, differenceOf, parametersApart } from "./difference.ts";
import { engineNoise } from "./engine_noise.ts";
import { priorSensitivity, type ScaledPrior } from "./prior_sensitivity.ts";
import { spreadOf } from "./quantiles.ts";
import type { AskedQuestion, ScoredSpace } from "./scored_space.ts";
import { sentencesOf } from "./sentences.ts";
import { stackingWeights } from "./stacking.ts";
import { unprovedOf } from "./unproved.ts";
import { type Bounds, UnscoredMass } from "./unscored.ts";
import { normalised, summedBy } from "./weights.ts";
import { modelFormula } from "./model_formula.ts";
import { sensitivityOf } from "./wider_priors.ts";
import { leadByChance, searchBias } from "./winner.ts";

/** Models that an answer lists. */
const mostModels = 10;

/** A space whose rewards are sums over rows. */
type RowwiseSpace = ScoredSpace & { readonly pointwise: Float64Array };

/**
 * The answer of a space of scored programs. The same space gives the same bits: bootstraps are
 * drawn from streams of their own.
 *
 * @param space at least one program with a score.
 */
export function answerOf(space: ScoredSpace): Answer {
  const weights = normalised(space.logReward);
  const models = modelsOf(space.questions, weights.length);
  const rowwise = space.pointwise && space.rows > 1 ? space as RowwiseSpace : undefined;
  const parameters = space.questions.map((_, q) => parametersOf(space, q, weights));
  const boots = rowwise &&
    bootstrap(rowwise, weights, { groups: models, parameters }, {
      rows: new RandomStream("answer", "bootstrap"),
      fits: new RandomStream("answer", "fits"),
      effects: new RandomStream("answer", "effects"),
    });
  const scaled = priorSensitivity(space, weights);
  const noise = engineNoise(space, weights, new RandomStream("answer", "engine"));
  const scored = space.derivations.reduce((sum, one) => sum + one, 0);
  const priorMass = space.logPrior.reduce((sum, one) => sum + exp(one), 0);
  const { failedAtMost, raised, raisedAtFloor } = unprovedOf(space);
  const unscored = new UnscoredMass(space);
  const questions = space.questions.map((_, q) =>
    questionOf(space, q, { weights, boots, unscored, scaled, parameters })
  );
  const answer = {
    format: 1 as const,
    programs: space.programs,
    scored,
    failed: space.failed,
    failed_at_most: failedAtMost === null ? null : share(failedAtMost),
    raised,
    raised_at_floor: share(raisedAtFloor),
    models: models.count,
    complete: scored + space.failed === space.programs,
    unscored_prior: Math.min(1, Math.max(0, 1 - priorMass)),
    rows: space.rows,
    unit: space.unit,
    formula: space.formula ?? null,
    questions,
    effects: effectsOf(space, { weights, boots, unscored }),
    ...modelsPart(space, rowwise, { weights, boots, unscored, models }),
    bootstrap_tv: boots ? spreadOf(boots.tv) : null,
    engine_tv: spreadOf(noise),
    prior_sensitivity: sensitivityOf(space, questions),
    prior_scaling: scaled.map(({ power, tv }) => ({ power, tv: share(tv) })),
    winner: rowwise && boots ? winnerOf(rowwise, boots) : null,
    confirmation: space.confirmation ?? null,
  };
  return { ...answer, sentences: sentencesOf(answer) };
}

/** Weights of the scored programs, how rows move them, and the programs that have none. */
interface Weighted {
  readonly weights: Float64Array;
  readonly boots?: Bootstraps;
  readonly unscored: UnscoredMass;
}

function questionOf(
  space: ScoredSpace,
  q: number,
  { weights, boots, unscored, scaled, parameters }: Weighted & {
    readonly scaled: readonly ScaledPrior[];
    readonly parameters: readonly number[];
  },
): AnsweredQuestion {
  const { question, answers, given } = space.questions[q];
  const count = answers.length;
  const target = summedBy(weights, given, count);
  const flat = summedBy(scaled.find(({ power }) => power === 0)!.weights, given, count);
  const order = orderOf(space.questions[q], target);
  const open = unscored.isOpen(q, target);
  const within = (ends: Bounds, a: number) => unscored.ofAnswer(q, a, ends);
  return {
    question,
    answers: order.map((a) => ({
      answer: answers[a].answer,
      prior: share(answers[a].prior),
      scored: scoredOf(space, given, a),
      ...shareOf(
        target[a],
        spreadsOf(given.includes(a) ? boots : undefined, ({ answers }) => answers[q], a, count),
        open ? (ends) => within(ends, a) : undefined,
      ),
    })),
    difference: differenceBetween(space, q, weights, {
      likeliest: likeliestOf(space.questions[q], target),
      parameters: parameters[q],
    }),
    flat_prior: Object.fromEntries(
      order.map((a) => [answers[a].answer, open ? null : share(flat[a])]),
    ),
  };
}

/** Programs with a score that answer so, each parametrisation for itself. */
function scoredOf({ derivations }: ScoredSpace, given: Int32Array, a: number): number {
  return derivations.reduce((sum, one, k) => sum + (given[k] === a ? one : 0), 0);
}

/** Answers by falling probability, `not asked` last. */
function orderOf({ answers }: AskedQuestion, target: Float64Array): number[] {
  const isAsked = (a: number) => answers[a].answer !== notAsked;
  return [...answers.keys()].sort((a, b) =>
    Number(isAsked(b)) - Number(isAsked(a)) || target[b] - target[a] || a - b
  );
}

/** Answers that programs with a score give, the likeliest first. */
function likeliestOf(question: AskedQuestion, target: Float64Array): number[] {
  return orderOf(question, target)
    .filter((a) => target[a] > 0 && question.answers[a].answer !== notAsked);
}

/** Number of parameters by which the two likeliest answers to a question differ. */
function parametersOf(space: ScoredSpace, q: number, weights: Float64Array): number {
  const { given, answers } = space.questions[q];
  const target = summedBy(weights, given, answers.length);
  const [first, second] = likeliestOf(space.questions[q], target);
  if (!space.parameters || second === undefined) return 1;
  const sums = summedBy(weights.map((one, k) => one * space.parameters![k]), given, answers.length);
  const apart = parametersApart(sums[first] / target[first], sums[second] / target[second]);
  return Number.isFinite(apart) ? apart : 1; // of some program the number is not known
}

/** Difference of the two likeliest answers; null where there is one, or terms of rows are unknown. */
function differenceBetween(
  { pointwise, rows, questions }: ScoredSpace,
  q: number,
  weights: Float64Array,
  { likeliest: [first, second], parameters }: {
    readonly likeliest: readonly number[];
    readonly parameters: number;
  },
): AnsweredQuestion["difference"] {
  if (!pointwise || second === undefined) return null;
  const { answers, given } = questions[q];
  const [one, other] = [first, second].map((a) =>
    answerElpd({ pointwise, rows }, weights, given, a)
  );
  const { elpd, deciding, ...rest } = differenceOf(one, other, parameters);
  const names = { answer: answers[first].answer, other: answers[second].answer };
  const few = deciding && { rows: [...deciding.rows], elpd_difference: deciding.elpd };
  return { ...names, elpd_difference: elpd, ...rest, parameters, deciding: few };
}

/** The middle 90 % of replicates: of rows alone, and with the errors of fits. */
interface Spreads {
  readonly rows: Bounds;
  readonly whole: Bounds;
}

/** Spread of each column of replicates `[replicates, count]`. */
function spreadsOf(
  boots: Bootstraps | undefined,
  tableOf: (of: Probabilities) => Float64Array,
  column: number,
  count: number,
): Spreads | undefined {
  if (!boots) return undefined;
  const [rows, whole] = [boots.ofRows, boots.whole].map((of) =>
    spreadOf(columnOf(tableOf(of), column, count))
  );
  return { rows, whole };
}

/**
 * A probability with its interval. Where programs without a score could change it, it is no number:
 * then `lo` and `hi` bound it on the data at hand, and the whole interval on other data.
 */
function shareOf(
  target: number,
  spreads: Spreads | undefined,
  within: ((ends: Bounds) => Bounds) | undefined,
) {
  const point = { lo: target, hi: target };
  const whole = spreads?.whole;
  if (within) return { target: null, ...ends(within(point)), ...wholeEnds(within(whole ?? point)) };
  return { target: share(target), ...ends(spreads?.rows), ...wholeEnds(whole) };
}

function ends(of: Bounds | undefined) {
  return of ? { lo: share(of.lo), hi: share(of.hi) } : { lo: null, hi: null };
}

function wholeEnds(of: Bounds | undefined) {
  const { lo, hi } = ends(of);
  return { whole_lo: lo, whole_hi: hi };
}

/** One column of a table `[rows, count]`. */
function columnOf(table: Float64Array, column: number, count: number): Float64Array {
  const rows = table.length / count;
  return Float64Array.from({ length: rows }, (_, row) => table[row * count + column]);
}

/** Programs that give the same answer to every question are one model. */
function modelsOf(questions: readonly AskedQuestion[], programs: number): Groups {
  const known = new Map<string, number>();
  const of = Int32Array.from({ length: programs }, (_, k) => {
    const key = questions.map(({ given }) => given[k]).join(" ");
    known.set(key, known.get(key) ?? known.size);
    return known.get(key)!;
  });
  return { of, count: known.size };
}

function modelsPart(
  space: ScoredSpace,
  rowwise: RowwiseSpace | undefined,
  { weights, boots, unscored, models }: Weighted & { readonly models: Groups },
): Pick<Answer, "likeliest" | "stacking_gap"> {
  const { of, count } = models;
  const stacked = rowwise && stackingWeights(rowwise.pointwise, rowwise.rows);
  const sums = (values: Float64Array) => summedBy(values, of, count);
  const target = sums(weights);
  const prior = sums(space.logPrior.map((one) => exp(one)));
  const stacking = stacked && sums(stacked.weights);
  const mean = boots && sums(boots.mean);
  const literals = space.literals && sums(weights.map((one, k) => one * space.literals![k]));
  const programs = sums(Float64Array.from(space.derivations));
  const order = [...target.keys()].sort((a, b) => target[b] - target[a] || a - b);
  const answersOf = (m: number) =>
    space.questions.map(({ answers, given }) => answers[given[of.indexOf(m)]].answer);
  const asked = space.questions.map(({ question }) => question);
  return {
    likeliest: order.slice(0, mostModels).map((m) => ({
      answers: answersOf(m),
      model: modelFormula(space.formula, asked, answersOf(m)),
      programs: programs[m],
      prior: share(prior[m]),
      ...shareOf(
        target[m],
        spreadsOf(boots, ({ groups }) => groups, m, count),
        unscored.isOpenAtAll ? (ends) => unscored.ofScored(ends) : undefined,
      ),
      stacking: stacking ? share(stacking[m]) : null,
      pseudo_bma_plus: mean ? share(mean[m]) : null,
      literals: literals && target[m] > 0 ? literals[m] / target[m] : null,
    })),
    stacking_gap: stacked?.gap ?? null,
  };
}

function effectsOf(
  { effects }: ScoredSpace,
  { weights, boots, unscored }: Weighted,
): Answer["effects"] {
  return effects.flatMap((effect, e) => {
    const { term, against, at, ratio, programs, mean } = effect;
    const own = Float64Array.from(programs, (k) => weights[k]);
    const total = own.reduce((sum, one) => sum + one, 0);
    if (!(total > 0)) return [];
    const average = own.reduce((sum, one, j) => sum + one * mean[j], 0) / total;
    const drawn = boots && boots.effects[e].length > 1 ? boots.effects[e] : undefined;
    const { lo, hi } = spreadOf(drawn ?? effectDraws(effect, weights));
    const held = unscored.isOpenAtAll ? null : share(total);
    return [{
      term,
      against,
      mean: average,
      lo,
      hi,
      at,
      ratio: ratioOf(ratio, [average, lo, hi]),
      share: held,
    }];
  });
}

function ratioOf(
  name: string | null,
  effect: readonly number[],
): Answer["effects"][number]["ratio"] {
  const [mean, lo, hi] = effect.map(exp);
  return name === null ? null : { name, mean, lo, hi };
}

function winnerOf(
  { pointwise, rows, searched, derivations, failed }: RowwiseSpace,
  boots: Bootstraps,
): Answer["winner"] {
  const elpd = new Float64Array(pointwise.length / rows);
  pointwise.forEach((value, at) => elpd[Math.floor(at / rows)] += value);
  const { lead, byChance } = leadByChance(elpd);
  const listed = derivations.reduce((sum, one) => sum + one, failed);
  const tried = Math.max(searched ?? 0, listed);
  return {
    same_in_bootstraps: share(boots.sameWinner),
    expected_bias: boots.optimism,
    lead,
    lead_by_chance: byChance,
    searched: tried,
    search_bias: searchBias(tried),
  };
}

/** Sums of weights may be off 1 by rounding. */
function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
