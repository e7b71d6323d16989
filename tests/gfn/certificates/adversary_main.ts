/**
 * Prints policies that are R on all that explorers of known random numbers find, and 0 elsewhere:
 * `deno task torture:adversary [of]`. By the numbers that they were made for explorers find
 * nothing that they miss; by others, which follow from the policy, they do.
 */
import { RandomStream } from "../../../src/base/random.ts";
import { certify, explore } from "../../../src/gfn/certificates/mod.ts";
import type { TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { ownLogRewards } from "../../../src/gfn/evaluation/own_target.ts";
import { countedTarget, type Planted, plantedPolicy } from "./planted_policy.ts";
import { type Space, spaces } from "./plants.ts";
import { environmentOf, SHARE } from "./trial.ts";

/** Options of a certificate of a space, by these random numbers. */
function optionsOf(space: Space, listed: boolean, seed: string) {
  const environment = environmentOf(space);
  return {
    environment,
    ...(listed && { objects: countedTarget(environment).objects }),
    ask: (objects: readonly TerminalObject[]) =>
      Promise.resolve(ownLogRewards(environment, objects)),
    budget: Math.floor(SHARE * space.training),
    samples: 2000,
    random: (name: string) => new RandomStream("certificate", seed, name),
  };
}

/** The policy that is made for the known numbers. */
async function preparedFor(space: Space, listed: boolean): Promise<Planted> {
  const { explorations } = await explore(optionsOf(space, listed, "known"));
  const found = new Set(explorations.flatMap((one) => [...one.found.keys()]));
  return plantedPolicy(
    environmentOf(space),
    ({ text, logReward }) => found.has(text) ? logReward! : -1e9,
  );
}

async function verdictBy(planted: Planted, space: Space, listed: boolean, seed: string) {
  const options = optionsOf(space, listed, seed);
  const { verdict, bounds } = await certify(planted.policy, await explore(options), options);
  return `${verdict.padEnd(12)} ${bounds.totalVariation.value.toFixed(3)}`;
}

const [of = ""] = Deno.args;
const tried = [spaces.short, spaces.deep, spaces.cube, spaces.weak];
console.log("TV     by the numbers it was made for   by others");
let passed = 0;
for (const space of tried.filter(({ name }) => name.includes(of))) {
  for (const listed of [false, true]) {
    const planted = await preparedFor(space, listed);
    const [known, fresh] = [
      await verdictBy(planted, space, listed, "known"),
      await verdictBy(planted, space, listed, "a reader's"),
    ];
    const name = `${space.name}, ${listed ? "listed" : "not listed"}`;
    console.log(`${planted.totalVariation.toFixed(3)}  ${known}  ${fresh}  ${name}`);
    if (planted.totalVariation > 0.05 && !fresh.startsWith("bounded")) passed++;
  }
}
if (passed > 0) Deno.exit(1);
