/** Certifies a policy where nobody can list the objects: bounds, what explorers say, and a verdict. */
import {
  type Estimate,
  type ImportanceEstimates,
  importanceEstimates,
} from "../evaluation/importance_estimates.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { type Agreement, agreementOf, klTargetPolicy } from "./agreement.ts";
import { type Bounds, boundsOf, type KnownObject } from "./bounds.ts";
import type { Explored, ExploreOptions } from "./explore.ts";
import type { Exploration } from "./exploration.ts";
import { type CertifiedPolicy, logMassOf } from "./policy_mass.ts";
import { crossedSearch, objectOf, policyParticles, temperedPolicy } from "./policy_explorers.ts";
import { Allowance, type ScoredObjects } from "./scored_objects.ts";
import { type SampledVerdict, verdictOf } from "./verdict.ts";

/** What is asked of a certificate beside what the exploration was given. */
export interface CertifyOptions extends ExploreOptions {
  /** Walks of the policy at most. */
  readonly samples: number;
}

/** What is said of a policy. */
export interface PolicyCertificate {
  readonly verdict: SampledVerdict;
  /** Why, in a sentence for people. */
  readonly reason: string;
  readonly bounds: Bounds;
  /** From the policy's own walks: right where it has mass, blind elsewhere. */
  readonly estimates: ImportanceEstimates;
  /** KL(target‖policy) by objects that were drawn without asking the policy, where there are such. */
  readonly klTargetPolicy?: ReturnType<typeof klTargetPolicy>;
  /** Walks of the policy. */
  readonly samples: number;
  readonly explorers: readonly ExplorerReport[];
  /** Distinct objects whose reward the certificate asked for. */
  readonly evaluations: number;
  /** Those objects, with the policy's mass on them, by text. */
  readonly known: ReadonlyMap<string, KnownObject>;
}

/** What one explorer did, and what it says of the policy. */
export interface ExplorerReport
  extends Pick<Exploration, "name" | "consultsPolicy" | "evaluations"> {
  readonly logZ?: Estimate;
  readonly agreement: Agreement;
}

/** Shares of the budget for explorers that ask the policy. */
const SHARES = { tempered: 0.01, particles: 0.01, crossed: 0.04 } as const;

/**
 * Explorers that ask the policy go first, then the policy is sampled as far as the budget reaches;
 * so what the explorers found is independent of the samples on which bounds rest.
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
  const asking = [
    await temperedPolicy(policy, explored, share(SHARES.tempered, "tempered_policy")),
    await policyParticles(policy, explored, share(SHARES.particles, "policy_particles")),
    await crossedSearch(policy, explored, share(SHARES.crossed, "crossed_search")),
  ];
  const explorations = [...explored.explorations, ...asking];
  const foundBefore = new Set(explorations.flatMap(({ found }) => [...found.keys()]));
  const { walks, stopped } = await sampleWithin(policy, scored, options);
  const known = await knownObjects(policy, scored, options, foundBefore);
  const zeta = walks.map((one) => logReward(scored, one) + one.logPb - one.logPf);
  const estimates = importanceEstimates(stopped ? zeta.slice(0, -1) : zeta);
  const drawn = walks.map(({ text }) => text);
  const bounds = boundsOf(known, drawn, explored.weighed);
  const explorers = explorations.map((one) => reportOf(one, known, drawn));
  const { verdict, reason } = verdictOf(bounds, explorers, { known, drawn });
  const evaluations = scored.size;
  const listed = explorations.find(({ name }) => name === "listed_sample");
  const beside = listed && klTargetPolicy(listed.groups, known);
  return {
    verdict,
    reason,
    bounds,
    estimates,
    ...(beside && { klTargetPolicy: beside }),
    samples: walks.length,
    explorers,
    evaluations,
    known,
  };
}

/**
 * The policy's own walks, until as many new objects were asked for as the budget has left. Where that
 * ended them, the last is new by design: means leave it out (inverse sampling, Haldane 1945).
 */
async function sampleWithin(
  policy: CertifiedPolicy,
  scored: ScoredObjects,
  { environment, budget, samples: count, random }: CertifyOptions,
) {
  const limit = Math.max(2, budget - scored.size);
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

async function knownObjects(
  policy: CertifiedPolicy,
  scored: ScoredObjects,
  { environment }: CertifyOptions,
  foundBefore: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KnownObject>> {
  const all = scored.all;
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
