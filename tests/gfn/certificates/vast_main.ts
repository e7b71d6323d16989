/** Prints certificates on 2^30 objects beside the truth: `deno task torture:vast [seed]`. */
import { RandomStream } from "../../../src/base/random.ts";
import { certify, explore } from "../../../src/gfn/certificates/mod.ts";
import type { TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { vastPlants } from "./vast_plants.ts";
import { chainEnvironment, chainPolicy, distance, logRewardOf } from "./spin_chain.ts";

const seed = Number(Deno.args[0] ?? 1);
const cell = (value: number) => value.toFixed(3).padStart(6);

console.log("verdict       TV      bound   share   log Z   cost   walks  free");
const shares: number[] = [];
const counts = { large: 0, passed: 0, good: 0, acquitted: 0, alarms: 0, above: 0 };
for (const { chain, policy, what, isGood } of vastPlants) {
  const environment = chainEnvironment(chain);
  const options = {
    environment,
    ask: (objects: readonly TerminalObject[]) =>
      Promise.resolve(objects.map(({ text }) => logRewardOf(chain, text))),
    budget: 1600,
    samples: 4000,
    random: (name: string) => new RandomStream("vast", seed, name),
  };
  const truth = await distance(chain, policy, environment);
  const planted = chainPolicy(policy).policy;
  const { logZ } = chainPolicy(chain);
  const found = await certify(planted, await explore(options), options);
  const { verdict, bounds, explorers, evaluations, samples } = found;
  const bound = bounds.totalVariation.value;
  const free = explorers.filter((one) => !one.consultsPolicy && one.agreement.reliable);
  console.log([
    verdict.padEnd(12),
    cell(truth.value),
    cell(bound),
    cell(bound / truth.value),
    cell(bounds.logZSampled - logZ),
    `${evaluations}`.padStart(5),
    `${samples}`.padStart(5),
    `${free.length}`,
    what,
  ].join("  "));
  if (bound > truth.value + 4 * truth.mcse || bounds.logZ > logZ + 1e-9) counts.above++;
  if (isGood) {
    counts.good++;
    if (verdict === "consistent") counts.acquitted++;
    if (verdict === "bounded" || verdict === "inconsistent") counts.alarms++;
  } else if (truth.value >= 0.2) {
    counts.large++;
    shares.push(bound / truth.value);
    if (verdict === "consistent") counts.passed++;
  }
}
const median = shares.sort((a, b) => a - b)[shares.length >> 1];
console.log(`${counts.passed} of ${counts.large} that miss a fifth or more are called consistent`);
console.log(`median share of the truth that is proved: ${median.toFixed(2)}`);
console.log(`${counts.acquitted} of ${counts.good} good ones consistent, ${counts.alarms} accused`);
console.log(`${counts.above} bounds above the truth`);
if (counts.passed + counts.alarms + counts.above > 0) Deno.exit(1);
