/** The 5,216 growth curves of dugongs: executions of a surrogate until it is near, begun by the policy's answers. */
import { parseTable } from "../../src/data/raw_table.ts";
import { RandomStream } from "../../src/base/random.ts";
import { logSumExp } from "../../src/numerics/math/mod.ts";
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import { activeSurrogate, defaultSurrogate, type PriorMean } from "../../src/gfn/evaluation/mod.ts";
import {
  type AmortisedFile,
  growthPlace,
  measureAnswer,
  promptOf,
  questionSpaces,
} from "../../src/gfn/train/mod.ts";
import { publishedEnvironment } from "../exact_programs/published.ts";

/** Prints after how many executions a search is within .1 and within .02. */
export async function growthGrammar(file: AmortisedFile, seed: string): Promise<void> {
  const environment = publishedEnvironment("growth_curves");
  const objects = [...environment.enumerate()];
  const truth = Float64Array.from(objects, ({ logReward }) => logReward!);
  const rewardOf = new Map(objects.map(({ text }, i) => [text, truth[i]]));
  const tvOf = (logs: ArrayLike<number>) =>
    measureAnswer([...objects.keys()], logs, truth, 0, () => []).tv;
  const begun = await meanOf(file, objects);
  const best = exactMean(objects);
  const alone = objects.map((one) => begun.values[placeOf(one)]);
  console.log(`before any execution: total variation ${tvOf(alone).toFixed(3)}`);
  const searches: readonly (readonly [string, number, PriorMean?])[] = [
    ["a constant, 20 first", 20],
    ["a constant, 60 first", 60],
    ["the policy's answers", 20, begun],
    ["exact answers", 20, best],
  ];
  for (const [name, first, mean] of searches) {
    const found: number[] = [Infinity, Infinity];
    const search = activeSurrogate({
      ...{ ...defaultSurrogate, environment, objects, first, growth: 0.15, budget: 900 },
      ...{ depth: 15, random: new RandomStream("big", seed) },
      ...(mean && { mean }),
      ask(some) {
        if (found[1] < Infinity) throw new Arrived();
        return Promise.resolve(some.map(({ text }) => rewardOf.get(text)!));
      },
      onRound({ asked, surrogate }) {
        const tv = tvOf(surrogate.logRewards(objects));
        near.forEach((one, k) => {
          if (tv <= one) found[k] = Math.min(found[k], asked);
        });
      },
    });
    await search.catch((error) => {
      if (!(error instanceof Arrived)) throw error;
    });
    console.log(`seed ${seed}, begun with ${name}: ${found.join(" and ")} executions`);
  }
}

/** Total variations that a search is to reach. */
const near = [0.1, 0.02];

/** Ends a search that is near enough. */
class Arrived extends Error {}

/** Curves by those of the policy, or by the nearest that it knows. */
const curves: Readonly<Record<string, string>> = {
  linear: "linear",
  square_root: "square_root",
  quadratic: "quadratic",
  power: "power",
  logarithmic: "logarithmic",
  logarithmic_from_birth: "logarithmic_from_birth",
  von_bertalanffy_from_zero: "von_bertalanffy_from_zero",
  michaelis_menten_from_zero: "michaelis_menten_from_zero",
  von_bertalanffy: "von_bertalanffy",
  von_bertalanffy_lag: "von_bertalanffy",
  carlin_gelfand: "von_bertalanffy",
  brody: "von_bertalanffy",
  michaelis_menten: "michaelis_menten",
  hill: "hill",
  weibull: "weibull",
  logistic_curve: "logistic",
  gompertz: "gompertz",
  richards: "richards",
  hyperbolic_tangent: "hyperbolic_tangent",
};

/** Families by the policy's, and nats that they lose by being others. */
const families: Readonly<Record<string, readonly [names: readonly string[], less: number]>> = {
  normal: [["normal"], 0],
  student_t: [["student_t"], 0],
  logistic: [["normal", "student_t"], 0],
  laplace: [["student_t"], 0.5],
  gumbel: [["normal"], 1],
  log_normal: [["log_normal"], 0],
  gamma: [["log_normal"], 0],
};

/** Spreads by the policy's; a constant one is no production. */
const spreads: Readonly<Record<string, readonly string[]>> = {
  proportional_spread: ["proportional"],
  power_spread: ["constant", "proportional"],
  age_spread: ["constant", "proportional"],
};

const productions = [curves, families, spreads].flatMap((one) => Object.keys(one));

function placeOf({ features }: TerminalObject): number {
  return productions.reduce((sum, name, j) => features.includes(name) ? sum + 2 ** j : sum, 0);
}

/** The policy's shares, on average over what a production may be, and the mean log prior of what has it. */
async function meanOf({ answer }: AmortisedFile, objects: readonly TerminalObject[]) {
  const shares = answer(promptOf(await dugongs(), questionSpaces.growth));
  return byPlace(objects, ([first, ...others]) => {
    const has = (names: object) => Object.keys(names).find((name) => first.features.includes(name));
    const curve = curves[has(curves)!];
    const [some, less] = families[has(families)!];
    const spread = has(spreads);
    const logs = some.flatMap((family) =>
      (spread ? spreads[spread] : ["constant"]).map((one) =>
        shares[growthPlace({ curve, family, spread: one })] ?? -60
      )
    );
    const prior = [first, ...others].reduce((sum, { logPrior }) => sum + logPrior, 0) /
      (others.length + 1);
    return Math.max(-60, meanLog(logs) - less + prior);
  });
}

/** The best that answers to these questions can be: the mean reward of all programs that give them. */
function exactMean(objects: readonly TerminalObject[]): PriorMean {
  return byPlace(objects, (some) => meanLog(some.map(({ logReward }) => logReward!)));
}

const meanLog = (logs: readonly number[]) =>
  logSumExp(Float64Array.from(logs)) - Math.log(logs.length);

function byPlace(
  objects: readonly TerminalObject[],
  of: (some: readonly TerminalObject[]) => number,
): PriorMean {
  const groups = [...Map.groupBy(objects, placeOf)];
  return {
    productions,
    values: Object.fromEntries(groups.map(([place, some]) => [place, of(some)])),
  };
}

async function dugongs() {
  const path = new URL("../../data/dugongs.csv", import.meta.url);
  const { columns } = await parseTable(Deno.readFileSync(path), "dugongs.csv");
  const [ages, sizes] = ["age", "length"].map((name) =>
    Float64Array.from(columns.get(name)!, Number)
  );
  return { id: "dugongs", rows: { rows: ages.length, columns: [ages], y: sizes } };
}
