/** Prints a table of planted collapses and good policies: `deno task torture:certificates [seed]`. */
import { collapses, good, type Plant } from "./plants.ts";
import { tryPlant } from "./trial.ts";

const seed = Number(Deno.args[0] ?? 1);
const only = Deno.args[1];
const cell = (value: number | undefined, digits = 3) => (value ?? NaN).toFixed(digits).padStart(7);

async function print(plants: readonly Plant[]) {
  for (const plant of plants) {
    if (only && !plant.space.name.includes(only)) continue;
    const start = performance.now();
    const { certificate, truth, cost } = await tryPlant(plant, seed);
    const { bounds, verdict, explorers, samples } = certificate;
    console.log(
      verdict.padEnd(12),
      cell(truth.totalVariation),
      cell(bounds.totalVariation.value),
      bounds.totalVariation.sampled ? "s" : "d",
      cell(bounds.totalVariation.value / truth.totalVariation, 2),
      "Z",
      cell(bounds.logZ - truth.logZ, 2),
      cell(bounds.logZSampled - truth.logZ, 2),
      "c",
      cell(cost),
      "n",
      samples,
      explorers.map(({ name, evaluations, logZ, agreement: a }) =>
        `${name.slice(0, 4)}:${evaluations}${a.reliable ? "+" : "-"}${
          a.missed ? `${a.missed.value.toFixed(2)}±${a.missed.mcse.toFixed(2)}` : ""
        }f${a.foundMissed.toFixed(2)}${
          logZ ? `z${(logZ.value - truth.logZ).toFixed(2)}±${logZ.mcse.toFixed(2)}` : ""
        }`
      ).join(" "),
      plant.space.name,
      plant.what,
      ((performance.now() - start) / 1000).toFixed(1),
    );
  }
}
await print(collapses);
await print(good);
