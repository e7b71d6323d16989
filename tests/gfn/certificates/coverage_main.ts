/**
 * Counts how often intervals of certificates hold the truth, and how many end:
 * `deno task torture:coverage [runs] [from] [--unlisted]`.
 */
import { listedLogZ, ownEstimates } from "../../../stages/evaluate_kl/evaluate_by_sampling.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { certify, explore } from "../../../src/gfn/certificates/mod.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import { defaultStrings, stringsEnvironment } from "../../../src/gfn/environments/strings.ts";
import { ownLogRewards } from "../../../src/gfn/evaluation/own_target.ts";
import { type Planted, plantedPolicy } from "./planted_policy.ts";
import { regressions } from "./regressions.ts";

const listed = !Deno.args.includes("--unlisted");
const numbers = Deno.args.filter((one) => one !== "--unlisted").map(Number);
const [runs = 200, from = 0] = numbers; // runs are random numbers of their own

const environments = [
  hypergridEnvironment({ ndim: 2, height: 32, r0: 0.1, r1: 0.5, r2: 2 }) as Environment,
  stringsEnvironment({ ...defaultStrings, blocks: 4, length: 5, exponent: 8 }) as Environment,
  regressions({ terms: 10, rows: 40, truth: [0.5, -0.4], correlation: 0.5, seed: 4 }),
];

let ended = 0;
const held = new Map<string, readonly [number, number]>();
const count = (name: string, isIn: boolean) => {
  const [inside, of] = held.get(name) ?? [0, 0];
  held.set(name, [inside + (isIn ? 1 : 0), of + 1]);
};

for (let run = from; run < from + runs; run++) {
  const environment = environments[run % environments.length];
  const planted = plantedPolicy(environment, (object) => object.logReward! + error(object, run));
  await certifyOnce(environment, planted, run);
}
for (const [name, [inside, of]] of held) {
  console.log(`${name.padEnd(24)} ${inside} of ${of}: ${(100 * inside / of).toFixed(1)} %`);
}
console.log(`${ended} of ${runs} intervals of log Z end`);
// A count over part of the runs may fall short by two standard errors.
const least = (of: number) => 0.93 * of - (of < runs ? 2 * Math.sqrt(0.93 * 0.07 * of) : 0);
if ([...held.values()].some(([inside, of]) => inside < least(of))) Deno.exit(1);

/** A log-normal error of 0.1 to 0.4, by run. */
function error({ text }: TerminalObject, run: number): number {
  const random = new RandomStream("coverage", run, text);
  const [u, v] = [random.uniform(), random.uniform()];
  return (0.1 + 0.1 * (run % 4)) * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
}

async function certifyOnce(environment: Environment, planted: Planted, run: number) {
  const options = {
    environment,
    ...(listed && { objects: [...environment.enumerate()] }),
    ask: (objects: readonly TerminalObject[]) =>
      Promise.resolve(ownLogRewards(environment, objects)),
    budget: 200,
    samples: 1000,
    random: (name: string) => new RandomStream("coverage", run, name),
  };
  const explored = await explore(options);
  const { verdict, bounds, estimates, samples, klTargetPolicy, missedAtMost } = await certify(
    planted.policy,
    explored,
    options,
  );
  const sample = explored.explorations.find(({ name }) => name === "listed_sample")?.logZ;
  const agree = verdict === "consistent";
  const beside = {
    n: samples,
    learned: undefined,
    agree,
    proved: verdict === "bounded",
    missed: missedAtMost,
    least: bounds.logZ,
    logZ: sample && listedLogZ(sample, 1, bounds.logZ),
    klTargetPolicy,
  };
  const { log_z, elbo_gap, eubo_gap } = ownEstimates(estimates, beside);
  const within = (interval: readonly [number, number] | undefined, truth: number) =>
    interval![0] <= truth && truth <= interval![1];
  const hasEnd = Number.isFinite(log_z!.interval![1]);
  if (hasEnd) ended++;
  count("lower end of log_z", log_z!.interval![0] <= planted.logZ);
  if (hasEnd) count("log_z", within(log_z!.interval, planted.logZ));
  const { value: elbo, mcse: elboError } = estimates.elbo;
  const half = 1.96 * elboError;
  count("mean of log R - log P", Math.abs(elbo - planted.logZ + planted.klPolicyTarget) < half);
  if (hasEnd) count("elbo_gap", within(elbo_gap.interval, planted.klPolicyTarget));
  if (eubo_gap) count("eubo_gap", within(eubo_gap.interval, planted.klTargetPolicy));
  count("tv_lower", bounds.totalVariation.value <= planted.totalVariation + 1e-12);
  count("log_z_lower", bounds.logZ <= planted.logZ + 1e-9);
  const { value, mcse } = bounds.klPolicyTarget!;
  count("kl_policy_target_lower", value - 1.645 * mcse <= planted.klPolicyTarget);
}
