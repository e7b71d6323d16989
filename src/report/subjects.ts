/** How reports call the policy and its baselines, and what they say that each baseline is. */
import type { Subject } from "../base/measure_subject.ts";

interface Words {
  /** In a narrow table. */
  readonly short: string;
  /** Where there is room. */
  readonly long: string;
  readonly meaning: string;
}

/** A reinforcement learner is called by its objective, which is an acronym. */
const learner = (objective: string): Words => {
  const name = objective.toUpperCase();
  const meaning =
    `${name} on a fresh network, the target as optimum, as many distinct evaluations as training`;
  return { short: name, long: name, meaning };
};

/** By kind and name; a baseline that is not here is called by its own name. */
const known: Readonly<Record<string, Words>> = {
  "prior prior": { short: "prior", long: "prior", meaning: "the environment's own weights" },
  "uniform uniform": {
    short: "uniform",
    long: "uniform",
    meaning: "every legal action equally likely",
  },
  "baseline metropolis_hastings": {
    short: "MH",
    long: "Metropolis–Hastings",
    meaning: "search with as many distinct evaluations as training",
  },
  "baseline sequential_monte_carlo": {
    short: "SMC",
    long: "sequential Monte Carlo",
    meaning: "search with as many distinct evaluations as training",
  },
  "baseline metropolis_hastings_known": {
    short: "MH, known",
    long: "Metropolis–Hastings, known rewards",
    meaning: "the rewards that Metropolis–Hastings asked for, renormalised",
  },
  "baseline sequential_monte_carlo_known": {
    short: "SMC, known",
    long: "sequential Monte Carlo, known rewards",
    meaning: "the rewards that sequential Monte Carlo asked for, renormalised",
  },
  "baseline beam_search": {
    short: "beam",
    long: "beam search",
    meaning:
      "the rewards that beams over derivations asked for, renormalised, as many evaluations as training",
  },
  "baseline counting": {
    short: "counting",
    long: "counting",
    meaning: "exact, after scoring every object once",
  },
  "baseline known_rewards": {
    short: "known",
    long: "known rewards",
    meaning: "the rewards that training asked for, renormalised, without the policy",
  },
  "baseline active_surrogate": {
    short: "surrogate",
    long: "active surrogate",
    meaning: "a Gaussian process that chose what to score, with as many evaluations as training",
  },
  "baseline surrogate": {
    short: "own surrogate",
    long: "surrogate of the pipeline",
    meaning: "the pipeline's surrogate, exact where scored, renormalised",
  },
  "floor perfect_sampler": {
    short: "floor",
    long: "perfect sampler",
    meaning: "a perfect sampler, measured from as many samples as training had",
  },
  "floor capacity": {
    short: "capacity",
    long: "capacity",
    meaning: "the same network fitted to exact samples of the target",
  },
  "noise target": {
    short: "noise",
    long: "target noise",
    meaning: "the target scored again with a second engine seed",
  },
};

const wordsOf = ({ kind, name }: Subject): Words | undefined =>
  kind === "rival" ? learner(name) : known[`${kind} ${name}`];

/** Label of each subject; where two would be equal, the compared policy's says that it is one. */
export function subjectLabels(
  subjects: readonly Subject[],
  length: "short" | "long",
): readonly string[] {
  const plain = subjects.map((one) => {
    const { kind, name } = one;
    return wordsOf(one)?.[length] ?? (kind === "compared" ? name : name.replaceAll("_", " "));
  });
  return subjects.map(({ kind }, i) => {
    const alike = plain.filter((label) => label === plain[i]).length > 1;
    return alike && kind === "compared" ? `${plain[i]} (compared)` : plain[i];
  });
}

/** Definition of a baseline; of a compared policy, its source. */
export function meaningOf(subject: Subject & { readonly source?: string }): string {
  const { kind, source } = subject;
  if (kind !== "compared") return wordsOf(subject)?.meaning ?? "";
  return source ? `the policy \`${source}\`` : "a policy that the pipeline names in `compare`";
}
