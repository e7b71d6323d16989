/**
 * Prints planted collapses and good policies beside the truth:
 * `deno task torture:certificates [seed] [of] [--unlisted]`.
 */
import { collapses, good, type Plant } from "./plants.ts";
import { type Trial, tryPlant } from "./trial.ts";

const listed = !Deno.args.includes("--unlisted");
const [first = "1", of = ""] = Deno.args.filter((one) => one !== "--unlisted");
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
const missed = await trials(collapses);
const kept = await trials(good);

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
console.log(`${near} of these ${large.length} have a bound of 80 % of the truth or more`);
console.log(`${alarms} false alarms among ${kept.length} good ones; ${consistent} consistent`);
console.log(`${above} bounds above the truth; ${dear} certificates above a fifth of training`);
if (passed > 0 || near < 0.9 * large.length || alarms > 2 || dear > 0) Deno.exit(1);
