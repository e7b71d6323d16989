/**
 * How staleness hurts learning, by objective, after Bartoldson et al. (2025):
 * `deno task bench staleness grid|grid_third|grid_tenth|smollm2|page [seeds]`. Each run is a line of
 * bench/results/staleness.jsonl and is not made twice; `page` prints tables and draws the figure.
 */
import { fileURLToPath } from "node:url";
import { appendLine, readLines } from "./result_lines.ts";
import { both, table } from "./learning/numbers.ts";
import { type Learner, learners, tuners } from "./staleness/learners.ts";
import type { Divergences, StalenessLine } from "./staleness/divergences.ts";
import { stalenessFigure } from "./staleness/figure.ts";

const file = "staleness.jsonl";
const picture = fileURLToPath(new URL("../bench/results/staleness.svg", import.meta.url));

/** Learners, bounds and measure of a training. */
interface Setting {
  readonly learners: readonly Learner[];
  readonly bounds: readonly number[];
  readonly measure: (learner: Learner, staleness: number, seed: number) => Promise<Divergences>;
}

const settings: Readonly<Record<string, () => Promise<Setting>>> = {
  grid: async () => {
    const { gridBounds: bounds, gridDivergence: measure } = await import("./staleness/grid.ts");
    return { learners, bounds, measure };
  },
  grid_third: () => slower(0.003),
  grid_tenth: () => slower(0.001),
  smollm2: async () => {
    const { numbersBounds, numbersDivergence } = await import("./staleness/asked_numbers.ts");
    return { learners: tuners, bounds: numbersBounds, measure: numbersDivergence };
  },
};

/** The grid at another learning rate: tells whether a result holds for longer steps alone. */
async function slower(rate: number): Promise<Setting> {
  const { gridDivergence } = await import("./staleness/grid.ts");
  const measure: Setting["measure"] = (...run) => gridDivergence(...run, rate);
  return { learners: [learners[0], ...learners.slice(2, 4)], bounds: [0, 16, 64], measure };
}

/** Runs what is missing of a setting, or shows what there is. */
export async function benchStaleness([what = "page", seeds = "5"]: readonly string[]) {
  if (what === "page") return await show();
  const setting = settings[what];
  if (!setting) {
    throw new Error(`staleness of ${what}: wanted ${Object.keys(settings).join(", ")} or page`);
  }
  await runMissing(what, await setting(), Number(seeds));
}

async function runMissing(
  where: string,
  { learners, bounds, measure }: Setting,
  seeds: number,
): Promise<void> {
  const done = new Set(readLines<StalenessLine>(file).map(keyOf));
  for (let seed = 0; seed < seeds; seed++) {
    for (const staleness of bounds) {
      for (const learner of learners) {
        const one = { where, learner: learner.name, staleness, seed };
        if (done.has(keyOf(one))) continue;
        const found = await measure(learner, staleness, seed).catch(diverged);
        console.log(`${learner.name}, ${staleness}, seed ${seed}: ${found.kl?.toFixed(4)}`);
        appendLine(file, { ...one, ...found });
      }
    }
  }
}

/** A loss that is not finite is a result; any other error is thrown on. */
function diverged(error: Error): Pick<StalenessLine, keyof Divergences> {
  if (!/^The loss of .* is/.test(error.message)) throw error;
  return { kl: null, kl_back: null };
}

function keyOf(
  { where, learner, staleness, seed }: Omit<StalenessLine, keyof Divergences>,
): string {
  return [where, learner, staleness, seed].join("|");
}

async function show(): Promise<void> {
  const lines = readLines<StalenessLine>(file);
  for (const [where, own] of Map.groupBy(lines, (line) => line.where)) {
    const names = [...new Set(own.map(({ learner }) => learner))];
    for (const measure of ["kl", "kl_back"] as const) {
      const rows = [...Map.groupBy(own, ({ staleness }) => staleness)].map(([staleness, runs]) => [
        `${staleness}`,
        ...names.map((name) => shown(runs.filter(({ learner }) => learner === name), measure)),
      ]);
      console.log(`\n${where}, ${measure}\n\n${table(["staleness", ...names], rows)}`);
    }
  }
  const { svgOf } = await import("../src/report/figures/svg.ts");
  await Deno.writeTextFile(picture, await svgOf(stalenessFigure(lines)));
}

/** Mean ± deviation over seeds, and how many had no finite loss. */
function shown(runs: readonly StalenessLine[], measure: keyof Divergences): string {
  const finite = runs.flatMap(({ [measure]: value }) => value === null ? [] : [value]);
  const lost = runs.length - finite.length;
  return `${finite.length > 0 ? both(finite) : "–"}${lost > 0 ? ` (${lost} not finite)` : ""}`;
}
