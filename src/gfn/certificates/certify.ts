/** Certifies a policy on a space too large to enumerate: bounds, explorers' agreement, and a verdict. */
import type { ExplorerReport } from "./explorer_report.ts";
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import {
  type ImportanceEstimates,
  importanceEstimates,
} from "../evaluation/importance_estimates.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { agreementOf, klTargetPolicy } from "./explorer_agreement.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import type { KnownObject } from "./known_object.ts";
import { correlationOf, type FoundCorrelation } from "./found_correlation.ts";
import type { Explored, ExploreOptions } from "./explore.ts";
import type { Exploration } from "./exploration.ts";
import { type CertifiedPolicy, logMassOf } from "./policy_mass.ts";
import { objectOf } from "./moves.ts";
import { crossedSearch, policyParticles, temperedPolicy } from "./policy_explorers.ts";
import { Allowance, type Scored, type ScoredObjects } from "./scored_objects.ts";
import { type Unseen, unseenOf } from "./unseen.ts";
import { thinSample } from "./thin_sample.ts";
import { thinWalks } from "./thin_walks.ts";
import { type SampledVerdict, verdictOf } from "./verdict.ts";

/** Options of a certificate, beside those of the exploration. */
export interface CertifyOptions extends ExploreOptions {
  /** Most trajectories of the policy. */
  readonly samples: number;
  /** Certificates among which the worst is chosen, so that each has its part of the 5 %; 1 if left out. */
  readonly certificates?: number;
}

/** Bounds, estimates and the verdict on a policy. */
export interface PolicyCertificate {
  /** `bounded`, `consistent`, `inconsistent` or `unknown`. */
  readonly verdict: SampledVerdict;
  /** Why, in a sentence for people. */
  readonly reason: string;
  /** Bounds that hold without trust in the policy. */
  readonly bounds: Bounds;
  /** Estimates from the policy's own trajectories, blind where it has no mass. */
  readonly estimates: ImportanceEstimates;
  /** KL(target‖policy) by objects that were drawn without asking the policy, where there are such. */
  readonly klTargetPolicy?: ReturnType<typeof klTargetPolicy>;
  /**
   * The largest share of the target that the policy may miss, by reliable explorers that do not ask
   * it: an estimate with twice its error.
   */
  readonly missedAtMost: number;
  /** Correlation of log P and log R on the finds of explorers that do not ask the policy. */
  readonly correlation?: FoundCorrelation;
  /** Number of trajectories of the policy. */
  readonly samples: number;
  /** Explorers before the policy, and those that ask it. */
  readonly explorers: readonly ExplorerReport[];
  /** Distinct objects whose reward the certificate asked for. */
  readonly evaluations: number;
  /** Distinct objects whose reward is known: those, and those that training asked for. */
  readonly rewards: number;
  /** The part that was not scored. */
  readonly unseen: Unseen;
  /** Those objects, with the policy's mass on them, by text. */
  readonly known: ReadonlyMap<string, KnownObject>;
}

/** Most given objects whose mass is computed where the paths to them have to be enumerated. */
const mostGiven = 2000;

/** Error probability of one end of a 95 % interval. */
const alpha = 0.025;

/** Shares of the budget for explorers that ask the policy. */
const shares = { tempered: 0.01, particles: 0.01, crossed: 0.04, thin: 0.1, walked: 0.15 } as const;

/**
 * Runs the explorers that ask the policy, then samples the policy as far as the budget reaches;
 * so the explorers' finds are independent of the samples on which bounds rest.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { certify } from "./certify.ts";
 * import { explore } from "./explore.ts";
 * const environment = environmentNamed("numbers", { max: 99, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed 1");
 * const options = {
 *   environment,
 *   ask: (some: readonly { logReward?: number }[]) => Promise.resolve(some.map(({ logReward }) => logReward!)),
 *   budget: 60,
 *   samples: 200,
 *   random: (name: string) => new RandomStream(name, 1),
 * };
 * const { verdict, rewards } = await certify(policy, await explore(options), options);
 * assert(rewards <= 60);
 * assert.equal(verdict, "bounded"); // not consistent: it has learned nothing
 * ```
 */
export async function certify(
  policy: CertifiedPolicy,
  explored: Explored,
  options: CertifyOptions,
): Promise<PolicyCertificate> {
  const { budget, random } = options;
  const { scored } = explored;
  const share = (part: number, name: string) => ({
    limit: Math.floor(part * budget),
    random: random(name),
  });
  const { weighed, listed: objects } = explored;
  const { environment, certificates = 1 } = options;
  const proved = weighed && await thinSample(
    policy,
    { environment, objects, scored, weighed },
    share(shares.thin, "thin_sample"),
  );
  const { walks: fitted } = explored;
  const walked = fitted && await thinWalks(
    policy,
    { environment, scored, walks: fitted },
    share(shares.walked, "thin_walks"),
  );
  const asking = [
    ...(proved ? [proved] : []),
    ...(walked ? [walked] : []),
    await temperedPolicy(policy, explored, share(shares.tempered, "tempered_policy")),
    await policyParticles(policy, explored, share(shares.particles, "policy_particles")),
    await crossedSearch(policy, explored, share(shares.crossed, "crossed_search")),
  ];
  const given = options.given ?? [];
  const explorations = [
    ...explored.explorations,
    ...asking,
    ...(given.length > 0 ? [trainingAsExplorer(given)] : []),
  ];
  const foundBefore = new Set([
    ...explorations.flatMap(({ found }) => [...found.keys()]),
    ...given.map(({ object }) => object.text),
  ]);
  const { walks, stopped } = await sampleWithin(policy, scored, options);
  const left = leftOut(options, explored, scored, explorations, walks);
  const known = await knownObjects(policy, scored, options, foundBefore, left);
  const zeta = walks.map((one) => logReward(scored, one) + one.logPb - one.logPf);
  const estimates = importanceEstimates(stopped ? zeta.slice(0, -1) : zeta);
  const drawn = walks.map(({ text }) => text);
  const bounds = boundsOf({
    known,
    drawn,
    part: 1 / certificates,
    ...(weighed && { weighed }),
    ...(proved?.thin && { thin: proved.thin }),
    ...(walked?.thin && { thinSet: walked.thin }),
  }, logSumOf(left, scored));
  const explorers = explorations.map((one) => reportOf(one, known, drawn));
  const { verdict, reason } = verdictOf(bounds, explorers, { known, drawn });
  const evaluations = scored.asked;
  const beside = klBeside(explorations, explorers, known);
  return {
    verdict,
    reason,
    bounds,
    estimates,
    ...(beside && { klTargetPolicy: beside }),
    missedAtMost: missedAtMost(explorers, explorations),
    ...correlationOf(explored.explorations, known),
    samples: walks.length,
    explorers,
    evaluations,
    rewards: scored.size,
    unseen: unseenOf(explorations, scored, options.objects),
    known,
  };
}

/** KL by samples with weights on the scale of R: of listed objects, else of reliable fitted walks or islands. */
function klBeside(
  explorations: readonly Exploration[],
  explorers: readonly ExplorerReport[],
  known: ReadonlyMap<string, KnownObject>,
) {
  const of = (name: string) => explorations.find((one) => one.name === name);
  const listed = of("listed_sample");
  if (listed?.logZ) return klTargetPolicy(listed.groups, known);
  const islands = of("fitted_sample") ?? of("sequential_monte_carlo");
  const isReliable = explorers.find(({ name }) => name === islands?.name)?.agreement.reliable;
  return islands && isReliable ? klTargetPolicy(islands.groups, known) : undefined;
}

/**
 * The largest share that reliable explorers, of those that do not ask the policy, found or estimate to
 * be missed; at least the share of the target that all their samples together may have failed to hit.
 */
function missedAtMost(
  explorers: readonly ExplorerReport[],
  explorations: readonly Exploration[],
): number {
  const free = explorers.filter((one) => !one.consultsPolicy && one.agreement.reliable);
  const names = new Set(free.map(({ name }) => name));
  const samples = explorations.reduce((sum, { name, effective = 0 }) => {
    return sum + (names.has(name) ? effective : 0);
  }, 0);
  const unhit = samples > 0 ? 1 - exp(log(alpha) / samples) : 1;
  return free.reduce((most, { agreement: { missed, foundMissed } }) => {
    return Math.max(most, foundMissed, missed ? missed.value + 2 * missed.mcse : 0);
  }, unhit);
}

/**
 * The policy's own trajectories, until they have used up the budget of new objects. Where that
 * ended them, the last is new by design: means leave it out (inverse sampling, Haldane 1945).
 */
async function sampleWithin(
  policy: CertifiedPolicy,
  scored: ScoredObjects,
  { environment, budget, samples: count, random }: CertifyOptions,
) {
  const limit = Math.max(2, budget - scored.asked);
  const own = { epsilon: 0, temperature: 1, random: random("certificate samples") };
  const walks = await policy.sample(environment, { ...own, count });
  const fresh = new Set<string>();
  const end = walks.findIndex(({ text }) => {
    if (!scored.knows(text)) fresh.add(text);
    return fresh.size === limit;
  });
  const used = end < 0 ? walks : walks.slice(0, end + 1);
  await scored.ask(used.map(({ actions }) => objectOf(environment, actions)), new Allowance(limit));
  return { walks: used, stopped: end >= 0 };
}

/** Objects that training asked for, as finds of an explorer that asks the policy: it may accuse, not acquit. */
function trainingAsExplorer(given: readonly Scored[]): Exploration {
  const found = new Map(given.map((one) => [one.object.text, one]));
  return {
    name: "training",
    consultsPolicy: true,
    samples: false,
    evaluations: 0,
    found,
    groups: [],
  };
}

/**
 * Texts of given objects whose mass under the policy is not computed: on graphs whose objects are
 * not listed the paths to all of them are too many. Their rewards still bound Z from below.
 */
function leftOut(
  { environment, objects, given = [] }: CertifyOptions,
  { explorations: free }: Explored,
  scored: ScoredObjects,
  explorations: readonly Exploration[],
  walks: readonly Trajectory[],
): ReadonlySet<string> {
  if (!environment.backward || objects || given.length <= mostGiven) return new Set();
  const seen = new Set(
    [...free, ...explorations].flatMap(({ name, found }) =>
      name === "training" ? [] : [...found.keys()]
    ),
  );
  for (const { text } of walks) seen.add(text);
  const rest = given.filter(({ object }) => !seen.has(object.text) && scored.knows(object.text));
  const light = rest.toSorted((a, b) => b.logReward - a.logReward).slice(mostGiven);
  return new Set(light.map(({ object }) => object.text));
}

function logSumOf(texts: ReadonlySet<string>, scored: ScoredObjects): number {
  return logSumExp([-Infinity, ...[...texts].map((text) => scored.get(text)!.logReward)]);
}

async function knownObjects(
  policy: CertifiedPolicy,
  scored: ScoredObjects,
  { environment }: CertifyOptions,
  foundBefore: ReadonlySet<string>,
  left: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KnownObject>> {
  const all = scored.all.filter(({ object }) => !left.has(object.text));
  const logP = await logMassOf(policy, environment, all.map(({ object }) => object));
  return new Map(all.map(({ object, logReward }, i) => {
    const { text } = object;
    return [text, { object, logReward, logP: logP?.[i], before: foundBefore.has(text) }];
  }));
}

function logReward(scored: ScoredObjects, { text }: Trajectory): number {
  return scored.get(text)!.logReward;
}

function reportOf(
  exploration: Exploration,
  known: ReadonlyMap<string, KnownObject>,
  drawn: readonly string[],
): ExplorerReport {
  const { name, consultsPolicy, evaluations, logZ } = exploration;
  const agreement = agreementOf(exploration, known, drawn);
  return { name, consultsPolicy, evaluations, ...(logZ && { logZ }), agreement };
}
