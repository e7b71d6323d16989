/** The certificate of a policy whose objects cannot be counted: its measures, and its explorers. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { RandomStream } from "../../src/base/random.ts";
import { type Verdict, verdicts } from "../../src/base/verdicts.ts";
import { exp, logSumExp } from "../../src/numerics/math/mod.ts";
import {
  certify,
  explore,
  type Explored,
  type PolicyCertificate,
} from "../../src/gfn/certificates/mod.ts";
import { subSupportDistance } from "../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { describeConfirmation } from "../evaluation/confirmation.ts";
import { enumerateUpTo } from "../evaluation/enumerated.ts";
import { exactly, type Quantities, type Quantity } from "../evaluation/measure.ts";
import { scoredObjects } from "../common/scored_objects.ts";
import type { ProgramTarget, ScoredSet, Surrogate, TrainedPolicy } from "../ports/values.ts";
import { distanceToSurrogate } from "./surrogate_distance.ts";
import { type Estimates, listedLogZ, ownEstimates } from "./evaluate_by_sampling.ts";
import { judgeStreams } from "./judge_streams.ts";
import type { CertificateParams, SamplingParams } from "./params.ts";
import { type Rewarded, RewardsAsked } from "../common/rewards_asked.ts";

/** The verdict as a measure: its place in the list, so that a smaller one claims more; named by its method. */
function verdictQuantity(verdict: Verdict): Quantity {
  return { ...exactly(verdicts.indexOf(verdict)), method: verdict };
}

/**
 * The verdict of a count, from its total variation: exact, and both bounds are it; or bounded by
 * thoughts of the policy, whose interval they are.
 */
export function boundsOf({ value, interval, method }: Quantity): Quantities {
  const how = interval && method ? { method } : {};
  return {
    verdict: verdictQuantity(interval ? "bounded" : "exact"),
    tv_lower: { ...exactly(interval?.[0] ?? value), ...how },
    tv_upper: { ...exactly(interval?.[1] ?? value), ...how },
  };
}

/**
 * Explores, certifies and describes a policy; leaves an event of kind `explorer` for each explorer,
 * and one of kind `verdict`.
 *
 * @throws InputError if the budget is below one evaluation.
 */
export async function sampledCertificate(
  context: StageContext,
  trained: TrainedPolicy,
  rewarded: Rewarded & { readonly scored?: ScoredSet; readonly surrogate?: Surrogate },
  { certificate, sampling }: {
    readonly certificate: CertificateParams;
    readonly sampling: SamplingParams;
  },
): Promise<Estimates> {
  const { environment } = rewarded;
  const asked = new RewardsAsked(context, rewarded);
  const { seed, seeds = 1 } = certificate;
  const streams = await judgeStreams(context, trained, rewarded, seed);
  const options = {
    environment,
    ask: asked.ofAll.bind(asked),
    budget: budgetOf(trained, certificate),
    objects: enumerateUpTo(environment, certificate.list_at_most),
    given: scoredObjects(environment, rewarded.scored),
    samples: sampling.samples,
    certificates: seeds,
  };
  const all: Certified[] = [];
  for (let k = 0; k < seeds; k++) {
    const own = { ...options, random: (name: string) => streams(`certificate ${name}`, k) };
    const explored = await explore(own);
    all.push({ explored, found: await certify(trained.policy, explored, own) });
  }
  const { explored, found } = worstOf(all);
  describe(context, found, all.map((one) => one.found));
  if (rewarded.target?.dataset) await confirm(context, rewarded.target, found);
  context.log(`${found.verdict}: ${found.reason}`);
  const evaluations = all.reduce((sum, one) => sum + one.found.evaluations, 0);
  return {
    verdict: verdictQuantity(found.verdict),
    ...boundQuantities(found),
    ...unseenQuantities(found),
    ...ownEstimates(found.estimates, {
      n: found.samples,
      learned: trained.logZ,
      agree: found.verdict === "consistent",
      proved: found.verdict === "bounded",
      missed: found.missedAtMost,
      least: found.bounds.logZ,
      logZ: logZOf(explored, found.bounds.logZ),
      ...(found.klTargetPolicy && { klTargetPolicy: found.klTargetPolicy }),
    }),
    ...correlations(found),
    ...subSupports(streams("sub-supports"), found, sampling),
    certificate_evaluations: { ...exactly(evaluations), n: evaluations },
    log_reward_mcse: rewardError(found, asked),
    ...await distanceToSurrogate(trained, options.objects, rewarded),
  };
}

/** Distinct evaluations that the certificate may ask for. */
function budgetOf({ distinctEvaluations }: TrainedPolicy, params: CertificateParams): number {
  const budget = Math.max(Math.floor(params.share * distinctEvaluations), params.at_least);
  if (budget >= 1) return budget;
  const message = `Cannot certify with a budget of ${budget} evaluations: ` +
    `${params.share} of the ${distinctEvaluations} of training is below one`;
  const hint = "raise certificate.share or certificate.at_least";
  throw inputError("evaluate/certificate-budget", message, undefined, hint);
}

function boundQuantities({ bounds, samples, rewards }: PolicyCertificate): Quantities {
  const { logZ, totalVariation: { value, sampled }, klPolicyTarget } = bounds;
  const scored = `bound from ${rewards} rewards`;
  return {
    tv_lower: {
      value,
      mcse: 0,
      interval: [value, 1],
      n: sampled ? samples : rewards,
      method: sampled ? "bound at 95 % confidence" : scored,
    },
    log_z_lower: {
      value: logZ,
      mcse: 0,
      interval: [logZ, Infinity],
      n: rewards,
      method: scored,
    },
    ...(klPolicyTarget && {
      kl_policy_target_lower: {
        ...klPolicyTarget,
        interval: [klPolicyTarget.value - 1.959964 * klPolicyTarget.mcse, Infinity],
        n: samples,
        method: scored,
      },
    }),
  };
}

/** Unscored objects: their quantities stand beside every verdict. */
function unseenQuantities({ unseen, rewards }: PolicyCertificate): Quantities {
  const { prior, objects, of, draws, set } = unseen;
  return {
    unscored_prior: { ...exactly(prior), n: rewards, method: "prior of what was not scored" },
    ...(objects !== undefined && {
      unscored_objects: { ...exactly(objects), n: of!, method: "listed and not scored" },
    }),
    unseen_prior: {
      value: set,
      mcse: 0,
      interval: [0, set],
      n: draws,
      method: "bound at 95 % confidence",
    },
  };
}

/** log Z by objects that were drawn without asking the policy, where they can be enumerated. */
function logZOf({ explorations }: Explored, least: number): Quantity | undefined {
  const listed = explorations.find(({ name }) => name === "listed_sample");
  return listed?.logZ && listedLogZ(listed.logZ, listed.evaluations, least);
}

/** Holds the best of all that was scored against rows that nothing has read. */
async function confirm(
  context: StageContext,
  target: ProgramTarget,
  { known }: PolicyCertificate,
): Promise<void> {
  const scored = [...known.values()]
    .map(({ object, logReward }, index) => ({ object, logReward, index }));
  await describeConfirmation(context, target, scored);
}

/** Correlation of log P with log R on objects that independent searches found. */
function correlations({ correlation }: PolicyCertificate): Quantities {
  if (!correlation) return {};
  const { pearson, spearman, objects, never } = correlation;
  const without = never > 0 ? `, without ${never} that it never makes` : "";
  const how = { n: objects, method: `objects of explorers${without}` };
  return {
    ...(Number.isFinite(pearson) && { log_correlation: { ...exactly(pearson), ...how } }),
    ...(Number.isFinite(spearman) && { rank_correlation: { ...exactly(spearman), ...how } }),
  };
}

/** The mean divergence on random sets of scored objects, each normalised by itself. */
function subSupports(
  random: RandomStream,
  { known }: PolicyCertificate,
  { sub_supports: count, sub_support_size: size }: SamplingParams,
): Quantities {
  const all = [...known.values()];
  if (all.some(({ logP }) => logP === undefined)) return {};
  const distance = subSupportDistance(
    all.map(({ logReward }) => logReward),
    all.map(({ logP }) => logP!),
    { count, size, random },
  );
  return { tv_sub_support: { ...distance, n: count, method: `exact on sub-supports of ${size}` } };
}

/** Root mean square error of the recorded log rewards, weighed by the rewards. */
function rewardError({ known }: PolicyCertificate, asked: RewardsAsked): Quantity {
  const all = [...known.values()];
  const total = logSumExp([-Infinity, ...all.map(({ logReward }) => logReward)]);
  const square = all.reduce((sum, { object, logReward }) => {
    return sum + exp(logReward - total) * asked.mcseOf(object.text) ** 2;
  }, 0);
  return { ...exactly(Math.sqrt(square)), n: all.length, method: "recorded rewards" };
}

/** An exploration and its findings about the policy. */
interface Certified {
  readonly explored: Explored;
  readonly found: PolicyCertificate;
}

/** How bad a verdict is for a policy. */
const badness = { consistent: 0, unknown: 1, inconsistent: 2, bounded: 3 } as const;

/** The worst of several certificates, each of whose bounds has its share of the error. */
function worstOf(all: readonly Certified[]): Certified {
  const worseThan = (a: PolicyCertificate, b: PolicyCertificate) =>
    badness[a.verdict] - badness[b.verdict] ||
    a.bounds.totalVariation.value - b.bounds.totalVariation.value;
  return all.reduce((worst, one) => worseThan(one.found, worst.found) > 0 ? one : worst);
}

function describe(
  context: StageContext,
  { verdict, reason, explorers }: PolicyCertificate,
  all: readonly PolicyCertificate[],
): void {
  const rows = explorers.map(({ name, consultsPolicy, evaluations, logZ, agreement }) => ({
    level: "info",
    kind: "explorer",
    message: name,
    detail: {
      name,
      consults_policy: consultsPolicy,
      evaluations,
      reliable: agreement.reliable,
      found_missed: agreement.foundMissed,
      ...(logZ && { log_z: logZ.value, log_z_mcse: finite(logZ.mcse) }),
      ...(agreement.missed && {
        missed: agreement.missed.value,
        missed_mcse: finite(agreement.missed.mcse),
      }),
      ...(agreement.best && { best: shortened(agreement.best.text) }),
    },
  }));
  context.rows("event", [...rows, {
    level: "info",
    kind: "verdict",
    message: reason,
    detail: { verdict, ...(all.length > 1 && { verdicts: all.map((one) => one.verdict) }) },
  }]);
}

/** JSON has no infinities; an error that is not known is as large as can be. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.MAX_VALUE;
}

function shortened(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
