/**
 * Prints planted collapses and good policies beside the truth:
 * `deno task torture:certificates [seed] [of] [--unlisted] [--enemies | --further-enemies] [--good]`.
 */
import { enemies, furtherEnemies } from "./enemies.ts";
import { collapses, good, type Plant } from "./plants.ts";
import { type Trial, tryPlant } from "./trial.ts";

const listed = !Deno.args.includes("--unlisted");
const plantsOfEnemies = Deno.args.includes("--enemies")
  ? enemies
  : Deno.args.includes("--further-enemies")
  ? furtherEnemies
  : undefined;
const byEnemies = plantsOfEnemies !== undefined;
const [first = "1", of = ""] = Deno.args.filter((one) => !one.startsWith("--"));
const seed = Number(first);
const cell = (value: number, width = 6) => value.toFixed(3).padStart(width);

async function trials(plants: readonly Plant[]): Promise<Trial[]> {
  const done: Trial[] = [];
  for (const plant of plants.filter(({ space }) => space.name.includes(of))) {
    const trial = await tryPlant(plant, { seed, listed });
    const { certificate: { verdict, bounds, samples, explorers }, truth, cost } = trial;
    const { value, sampled } = bounds.totalVariation;
    const reliable = explorers.filter(({ agreement }) => agreement.reliable);
    console.log([
      verdict.padEnd(12),
      cell(truth.totalVariation),
      `${cell(value)}${sampled ? " " : "!"}`,
      cell(value / truth.totalVariation),
      cell(bounds.logZ - truth.logZ),
      cell(bounds.logZSampled - truth.logZ),
      cell(cost),
      `${samples}`.padStart(5),
      `${reliable.filter(({ consultsPolicy }) => !consultsPolicy).length}`,
      `${plant.space.name}: ${plant.what}`,
    ].join("  "));
    done.push(trial);
  }
  return done;
}

console.log("verdict       TV      bound   share   log Z_S log Z   cost    walks");
const onlyGood = Deno.args.includes("--good");
const missed = await trials(onlyGood ? [] : plantsOfEnemies?.() ?? collapses);
const kept = byEnemies ? [] : await trials(good);

const count = (all: readonly Trial[], is: (trial: Trial) => boolean) => all.filter(is).length;
const isLarge = ({ truth }: Trial) => truth.totalVariation >= 0.2;
const passed = count(missed, (one) => isLarge(one) && one.certificate.verdict === "consistent");
const large = missed.filter(isLarge);
const near = count(large, ({ certificate, truth }) => {
  return certificate.bounds.totalVariation.value >= 0.8 * truth.totalVariation;
});
const alarms = count(kept, ({ certificate: { verdict } }) => {
  return verdict === "bounded" || verdict === "inconsistent";
});
const consistent = count(kept, ({ certificate: { verdict } }) => verdict === "consistent");
const above = count([...missed, ...kept], ({ certificate, truth }) => {
  return certificate.bounds.totalVariation.value > truth.totalVariation + 1e-9;
});
const dear = count([...missed, ...kept], ({ cost }) => cost > 0.2001);
console.log(`${passed} of ${large.length} that miss a fifth or more are called consistent`);
const shares = large.map(({ certificate, truth }) => {
  return certificate.bounds.totalVariation.value / truth.totalVariation;
}).sort((a, b) => a - b);
if (shares.length > 0) {
  console.log(`median share of the truth that is proved: ${cell(shares[shares.length >> 1])}`);
}
console.log(`${near} of these ${large.length} have a bound of 80 % of the truth or more`);
console.log(`${alarms} false alarms among ${kept.length} good ones; ${consistent} consistent`);
console.log(`${above} bounds above the truth; ${dear} certificates above a fifth of training`);
const least = byEnemies ? 0 : 0.9 * large.length;
if (passed > 0 || near < least || alarms > 2 || dear + above > 0) Deno.exit(1);
