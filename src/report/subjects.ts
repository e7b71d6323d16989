/** How reports call the policy and its baselines, and what they say that each baseline is. */
import type { Subject } from "../base/measure_subject.ts";

interface Words {
  /** In a narrow table. */
  readonly short: string;
  /** Where there is room. */
  readonly long: string;
  readonly meaning: string;
}

const learner = (name: string, short: string): Words => {
  const meaning = `${name} on a fresh network, the target as optimum, as many distinct evaluations`;
  return { short, long: name, meaning };
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
    meaning: "search by Metropolis–Hastings, as many distinct evaluations",
  },
  "baseline sequential_monte_carlo": {
    short: "SMC",
    long: "sequential Monte Carlo",
    meaning: "search by sequential Monte Carlo, as many distinct evaluations",
  },
  "rival reinforce": learner("REINFORCE", "REINFORCE"),
  "rival ppo": learner("PPO", "PPO"),
  "rival grpo": learner("GRPO", "GRPO"),
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
    meaning: "the target against itself under a second seed of the engine",
  },
};

/** What a subject is called; where two would be called alike, the compared policy says that it is one. */
export function subjectLabels(
  subjects: readonly Subject[],
  length: "short" | "long",
): readonly string[] {
  const plain = subjects.map(({ kind, name }) =>
    known[`${kind} ${name}`]?.[length] ?? (kind === "compared" ? name : name.replaceAll("_", " "))
  );
  return subjects.map(({ kind }, i) => {
    const alike = plain.filter((label) => label === plain[i]).length > 1;
    return alike && kind === "compared" ? `${plain[i]} (compared)` : plain[i];
  });
}

/** What a baseline is; of a compared policy, from where it comes. */
export function meaningOf({ kind, name, source }: Subject & { readonly source?: string }): string {
  if (kind !== "compared") return known[`${kind} ${name}`]?.meaning ?? "";
  return source ? `the policy \`${source}\`` : "a policy that the pipeline names in `compare`";
}
