/** Leave-one-out from importance draws of a distribution that is fitted to the posterior. */
import { RandomStream } from "../../base/random.ts";
import { type LaplaceApproximation, laplaceApproximation } from "../inference/mcmc/laplace.ts";
import { laplaceProposal } from "./proposals/laplace_proposal.ts";
import { distance, mirrored, modesOf } from "./proposals/modes.ts";
import { MixtureProposal } from "./proposals/mixture_proposal.ts";
import type { NormalDensities } from "./proposals/normal_densities.ts";
import {
  drawFrom,
  type DrawRequest,
  type Proposal,
  type ProposalDraws,
} from "./proposals/proposal.ts";
import { normalised } from "./proposals/weights.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import { largest, type PointwiseLikelihood, SobolNets } from "../../numerics/math/mod.ts";
import {
  type Candidate,
  candidatesAmong,
  deletionsAt,
  type EvidenceWithout,
  isDistant,
  type Leavable,
  mayBeDistant,
  withoutObservation,
} from "./distant_rows.ts";
import { SequentialError } from "./sequential_error.ts";
import type { Symmetry } from "./symmetries.ts";
import { pointwiseLogLikelihood, type PositionSet } from "./posterior.ts";
import {
  fitToDraws,
  fitToLeaveOneOut,
  fitToPosterior,
  type LeaveOneOutFit,
} from "./proposal_fit.ts";
import {
  averagesOf,
  evidenceOf,
  type ImportanceEstimate,
  trusted,
  type WeightedAverages,
  withCells,
} from "./importance_estimate.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Times that the proposal is refitted because an estimate is unreliable. Measured: of 5,217
 * executions of the growth grammar one then needs more than 100,000 evaluations.
 */
const maxProposalRefits = 6;

/** Refits of the proposal for a posterior without an observation. A round number. */
const maxEvidenceRefits = 4;

/** Stopping rule and limits of importance sampling. */
export interface ImportanceGoal {
  /** Chains that would be drawn; their draws are added up. */
  readonly chains: number;
  /** Draws per chain to begin with. */
  readonly draws: number;
  /** Monte Carlo standard error of the total, nats, above which drawing goes on. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
  /** Maps that may take modes to modes. */
  readonly images?: () => readonly Symmetry[];
}

/**
 * Estimates p(y_i | y_-i) = E[w] / E[w / L_i] from draws of a proposal that is fitted to the posterior
 * and those that lack an observation (adaptive importance sampling: Cappé et al. 2008; Cornuet et al.
 * 2012), with weights w = posterior / proposal. Only draws that the proposal was not fitted to count,
 * so that the nets that they come in are independent and their spread is the error.
 *
 * @returns `undefined` where chains have to be drawn: where there is no mode; where the posterior has
 * too many coordinates or a shape that the proposal does not have; where few draws dominate the estimate
 * draws, or its error stays too large.
 */
export function* importanceLoo(
  density: Leavable,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  if (!isSuitable(density, goal)) return undefined;
  const modes = modesOf(density, [...goal.seedKey, "importance"], budget, goal.images);
  return yield* importanceFrom(density, modes, goal, budget);
}

/** Importance sampling from known modes, best first; mirror images have a fit each. */
export function* importanceFrom(
  density: Leavable,
  modes: readonly LaplaceApproximation[],
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  if (!isSuitable(density, goal) || modes.length === 0) return undefined;
  const stream = new RandomStream(...goal.seedKey, "importance");
  const apart = mirrored(modes, goal.images?.() ?? []);
  const proposals = [...new Set([...apart, ...modes])].map(laplaceProposal);
  const sampling = new Sampling(density, proposals, goal, stream, budget, apart);
  const found = (yield* sampling.learn()) ? yield* sampling.estimate() : undefined;
  return found && { ...found, modes: apart.length };
}

/**
 * Importance sampling with a proposal fitted to chains: for posteriors that no fit to importance
 * draws approximates.
 */
export function* importanceByChains(
  density: Leavable,
  set: PositionSet,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  if (!isSuitable(density, goal)) return undefined;
  const logLikelihood = pointwiseLogLikelihood(density, set);
  const alike = new Float64Array(set.chains * set.draws);
  const first = fitToDraws(set.positions, set.dimension, alike, [logLikelihood]);
  if (!first) return undefined;
  const stream = new RandomStream(...goal.seedKey, "importance by chains");
  const sampling = new Sampling(density, [first.proposal], goal, stream, budget);
  sampling.use(first);
  return yield* sampling.estimate();
}

function isSuitable(
  { dimension, observations, factorises }: PointwiseLikelihood,
  goal: ImportanceGoal,
) {
  const cells = observations * Math.max(roundDraws(dimension), goal.chains * goal.draws);
  const small = 0 < dimension && dimension <= thresholds.maxImportanceDimension &&
    cells <= thresholds.maxImportanceCells;
  return small && factorises !== false;
}

function roundDraws(dimension: number): number {
  return Math.max(thresholds.minRoundDraws, thresholds.roundDrawsPerCoordinate * dimension);
}

/** Draws of one posterior, and the proposal they come from. */
class Sampling {
  readonly #density: Leavable;
  readonly #goal: ImportanceGoal;
  readonly #nets: SobolNets;
  readonly #budget: GradientBudget;
  /** Around modes beside the best. */
  #others: readonly Proposal[];
  /** The best mode and its mirror images, each with a fit of its own; one if there are no others. */
  readonly #modes: readonly LaplaceApproximation[];
  #proposal: Proposal;
  /** Near what is averaged over. */
  #normals: NormalDensities | undefined;
  /** Observations that have been looked at, and those whose posteriors have draws of their own. */
  readonly #seen = new Set<number>();
  readonly #without = new Map<number, EvidenceWithout>();

  constructor(
    density: Leavable,
    [first, ...others]: readonly Proposal[],
    goal: ImportanceGoal,
    stream: RandomStream,
    budget: GradientBudget,
    modes: readonly LaplaceApproximation[] = [],
  ) {
    this.#density = density;
    this.#modes = modes;
    this.#others = others;
    this.#proposal = this.#withOthers(first);
    this.#goal = goal;
    this.#nets = new SobolNets(stream, density.dimension + 1);
    this.#budget = budget;
  }

  /** Fits the proposal in rounds, at last to posteriors without an observation; returns whether it fits. */
  *learn(): Generator<void, boolean> {
    const rounds = yield* this.#approach(roundDraws(this.#density.dimension));
    if (!rounds) return false;
    return (yield* this.#leaveOut(rounds[rounds.length - 1])) && this.#refit(rounds);
  }

  /**
   * Draws from posteriors without an observation, where they are distant from the one of these draws; returns whether
   * that succeeds.
   */
  *#leaveOut(drawn: ProposalDraws): Generator<void, boolean> {
    if (!this.#density.without) return true;
    const found = candidatesAmong(drawn).filter((one) => !this.#seen.has(one.observation));
    for (const { observation } of found) this.#seen.add(observation);
    const distant = this.#distantAmong(found, drawn);
    if (distant.length + this.#without.size > thresholds.mostDistant) return false;
    const targetMcse = thresholds.distantErrorShare * this.#goal.targetMcse /
      Math.sqrt(distant.length);
    const goal = { ...this.#goal, targetMcse };
    for (const [i, lacking] of distant) {
      const one = yield* evidenceOfPosterior(lacking, i, goal, this.#budget);
      if (!one) return false;
      this.#without.set(i, one);
    }
    return true;
  }

  /** Those whose posteriors are distant, with these. */
  #distantAmong(
    found: readonly Candidate[],
    drawn: ProposalDraws,
  ): readonly (readonly [number, PointwiseLikelihood])[] {
    if (found.length === 0) return [];
    const top = likeliest(drawn);
    const whole = this.#modes.at(0) ?? laplaceApproximation(this.#density, top, this.#budget);
    const deletions = whole && deletionsAt(this.#density, whole, this.#budget);
    return found.flatMap(({ observation: i, isInexact }) => {
      if (!isInexact && !(deletions && mayBeDistant(deletions[i]))) return [];
      const lacking = withoutObservation(this.#density, i, top);
      return isInexact || isDistant(whole!, lacking, this.#budget) ? [[i, lacking] as const] : [];
    });
  }

  /** log p(y) from draws that are fitted to this posterior; fitted again while their weights have a heavy tail. */
  *evidence(): Generator<void, EvidenceWithout | undefined> {
    for (let refits = 0; refits <= maxEvidenceRefits; refits++) {
      const { drawn, found } = yield* this.#evidenceOfFit();
      if (found) return found;
      if (!drawn || !this.#refit([drawn])) return undefined;
    }
    return undefined;
  }

  /** Draws until the error is small enough, or a tail is too heavy. */
  *#evidenceOfFit(): Generator<void, { drawn?: ProposalDraws; found?: EvidenceWithout }> {
    const most = Math.min(thresholds.maxImportanceDraws, thresholds.maxImportanceCells);
    let earlier: ProposalDraws | undefined;
    for (let wanted = this.#goal.chains * this.#goal.draws;;) {
      const drawn = yield* this.#draw(inNets(wanted, most, earlier));
      if (!drawn) return {};
      const found = evidenceOf(drawn, this.#normals);
      if (!found || found.shape > thresholds.maxDistantShape) return { drawn };
      if (found.mcse <= this.#goal.targetMcse) return { drawn, found };
      if (drawn.count === most) return {};
      wanted = nextCount(drawn.count, found.mcse / this.#goal.targetMcse);
      earlier = drawn;
    }
  }

  /**
   * Fits the proposal to the posterior, in rounds of `count` draws; returns the last two rounds, if it
   * fits.
   */
  *#approach(count: number): Generator<void, readonly ProposalDraws[] | undefined> {
    let rounds: readonly ProposalDraws[] = [];
    for (let round = 1;; round++) {
      const drawn = yield* this.#draw({ count, netSize: count });
      if (!drawn) return undefined;
      rounds = [...rounds.slice(-1), drawn];
      const efficiency = efficiencyOf(drawn);
      if (round >= thresholds.minRounds && efficiency >= thresholds.goodEfficiency) return rounds;
      if (round === thresholds.maxRounds) {
        return efficiency >= thresholds.minLastEfficiency ? rounds : undefined;
      }
      const next = fitToPosterior(this.#nearest(rounds, 0));
      if (!next) return undefined;
      this.#fitOthers(rounds);
      this.#proposal = this.#withOthers(next);
    }
  }

  /** Fits the proposal to these draws; returns whether that succeeds. */
  #refit(drawn: readonly ProposalDraws[]): boolean {
    const next = fitToLeaveOneOut(this.#nearest(drawn, 0), this.#without);
    if (next) this.use(next);
    return next !== undefined;
  }

  /** Other modes as draws that are nearest to each say, if these are enough for a fit. */
  #fitOthers(rounds: readonly ProposalDraws[]): void {
    this.#others = this.#others.map((kept, k) => {
      if (k + 1 >= this.#modes.length) return kept;
      const own = this.#nearest(rounds, k + 1);
      const worth = own.reduce((sum, one) => sum + effectiveOf(one), 0);
      return worth < thresholds.minFitDraws ? kept : fitToPosterior(own) ?? kept;
    });
  }

  /** Draws with the weights of those that are nearest to a mode; as they are where there is one. */
  #nearest(rounds: readonly ProposalDraws[], k: number): readonly ProposalDraws[] {
    return this.#modes.length < 2 ? rounds : rounds.map((one) => nearestTo(one, this.#modes, k));
  }

  /** Draws from another proposal from now on. */
  use({ proposal, normals }: LeaveOneOutFit): void {
    this.#proposal = this.#withOthers(proposal);
    this.#normals = normals;
  }

  /** The proposal, and a share of draws around each other mode. */
  #withOthers(proposal: Proposal): Proposal {
    return this.#others.reduce(
      (sum: Proposal, other) => new MixtureProposal(sum, other, thresholds.otherModeShare),
      proposal,
    );
  }

  /**
   * Draws until the error is small enough. Refits the proposal if the draws degenerate to one or have too heavy a
   * tail, and once if more than twice the initial draws would be needed. A refitted proposal may miss regions
   * that the one before it found: from the second refit on, a share of draws is from all before.
   */
  *estimate(): Generator<void, ImportanceEstimate | undefined> {
    for (let refits = 0; refits <= maxProposalRefits; refits++) {
      const { drawn, averages } = yield* this.#drawOn(refits === 0);
      if (!drawn) return undefined;
      const estimate = averages && trusted(drawn, averages, this.#without);
      if (estimate) return withCells(this.#density, estimate, drawn, averages.variates);
      const former = this.#proposal;
      if (!this.#refit([drawn])) return undefined;
      if (refits > 0) {
        this.#proposal = new MixtureProposal(this.#proposal, former, thresholds.formerShare);
      }
    }
    return undefined;
  }

  /** Draws until the error is small enough, or the proposal should be refitted. */
  *#drawOn(isFirst: boolean): Generator<void, Drawn> {
    const { chains, draws, targetMcse } = this.#goal;
    const first = chains * draws;
    const most = Math.min(
      thresholds.maxImportanceDraws,
      Math.floor(thresholds.maxImportanceCells / this.#density.observations),
    );
    const error = new SequentialError();
    let earlier: ProposalDraws | undefined;
    for (let wanted = first;;) {
      const drawn = yield* this.#draw(inNets(wanted, most, earlier));
      if (!drawn) return {};
      const { count } = drawn;
      if (!(yield* this.#leaveOut(drawn))) return {};
      const averages = averagesOf(drawn, this.#normals, this.#without);
      if (!(averages.mcse < Infinity)) return {};
      const mcse = error.errorAfter(count, averages.mcse);
      const isDominated = averages.largest > thresholds.dominantShare &&
        averages.mcse > thresholds.negligibleError;
      if (isDominated && (isFirst || count >= thresholds.laterDrawsMultiple * first)) {
        return { drawn };
      }
      const enough = mcse <= (count < most ? 1 : thresholds.lastErrorFactor) * targetMcse;
      if (!isDominated && enough) return { drawn, averages: { ...averages, mcse } };
      if (count === most) return {};
      wanted = isDominated ? 2 * count : nextCount(count, mcse / targetMcse);
      if (isFirst && wanted > thresholds.maxFirstMultiple * first) return { drawn };
      earlier = drawn;
    }
  }

  #draw(request: DrawRequest): Generator<void, ProposalDraws | undefined> {
    return drawFrom(this.#proposal, this.#density, request, this.#nets, this.#budget);
  }
}

/** log p(y_-i), by draws of the posterior without observation `i`; the goal is that of its error. */
function* evidenceOfPosterior(
  lacking: PointwiseLikelihood,
  i: number,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, EvidenceWithout | undefined> {
  const key = [...goal.seedKey, "without", i];
  const modes = modesOf(lacking, key, budget);
  if (modes.length === 0) return undefined;
  const stream = new RandomStream(...key, "importance");
  const own = { ...goal, seedKey: key };
  const proposals = modes.map(laplaceProposal);
  const sampling = new Sampling(lacking, proposals, own, stream, budget, modes.slice(0, 1));
  return (yield* sampling.learn()) ? yield* sampling.evidence() : undefined;
}

/** The draw with the largest density. */
function likeliest({ logDensities, positions, dimension: d }: ProposalDraws): Float64Array {
  const best = logDensities.indexOf(largest(logDensities));
  return positions.slice(best * d, (best + 1) * d);
}

/** Result of drawing on: nothing if it took too many draws; averages if they are good enough. */
interface Drawn {
  readonly drawn?: ProposalDraws;
  readonly averages?: WeightedAverages;
}

function efficiencyOf(drawn: ProposalDraws): number {
  return effectiveOf(drawn) / drawn.count;
}

/** Effective number of draws of weights. */
function effectiveOf({ logWeights }: ProposalDraws): number {
  return logWeights.some((w) => w > -Infinity) ? normalised(logWeights).effective : 0;
}

/** The draws, without the weights of those that are nearer to another mode. */
function nearestTo(
  drawn: ProposalDraws,
  modes: readonly LaplaceApproximation[],
  k: number,
): ProposalDraws {
  const { count, positions, logWeights } = drawn;
  const d = positions.length / count;
  const own = Float64Array.from(logWeights, (weight, s) => {
    const at = positions.subarray(s * d, (s + 1) * d);
    const away = modes.map((mode) => distance(mode, at));
    return away.every((other) => away[k] <= other) ? weight : -Infinity;
  });
  return { ...drawn, logWeights: own };
}

/** Draws at which the error will be small enough: half as many more at least, and four times at most. */
function nextCount(count: number, excess: number): number {
  const { maxCountGrowth, minCountGrowth, countMargin } = thresholds;
  return Math.ceil(
    count * Math.min(maxCountGrowth, Math.max(minCountGrowth, countMargin * excess * excess)),
  );
}

/** The next draws towards `wanted` in all, in whole nets whose size is a power of two. */
function inNets(wanted: number, most: number, earlier?: ProposalDraws): DrawRequest {
  const from = earlier?.count ?? 0;
  const more = Math.min(wanted, most) - from;
  let netSize = 1;
  while (netSize * thresholds.netsAtOnce * Math.SQRT2 < more) netSize *= 2;
  const count = Math.min(most, from + netSize * Math.ceil(more / netSize));
  return { count, netSize, ...(earlier ? { earlier } : {}) };
}
