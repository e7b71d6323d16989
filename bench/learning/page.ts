/** Writes bench/results/learning.md from the results that are there: figures first, then tables, then advice. */
import { ablations, keyOf, type Task, tasks, type Variant } from "./experiments.ts";
import { choiceGuide } from "./choice_guide.ts";
import { both, mean, short, table } from "./numbers.ts";
import { peerTable, speedRatios } from "./peer_table.ts";
import { proposalsSection } from "./proposals_section.ts";
import type { TopLevelSpec } from "../../src/report/figures/svg.ts";
import { type PeerResult, readResult, type SeedResult } from "./results.ts";

/** The whole page. */
export function learningPage(peers: readonly PeerResult[]): string {
  return [
    "# Learning, measured",
    firstClaim,
    head,
    "## Distances reached",
    "TV is the total variation of a policy from its target; lower is better. The tables have " +
    "TV as mean ± standard deviation over seeds, the largest TV of a seed, and means of the " +
    "other columns. In **bold** rows every seed reaches the aim, which the line above the " +
    "table states. Pictures show means over seeds during training, against the number of " +
    "distinct evaluations. If all objectives soon know every object, pictures are against the " +
    "number of trajectories instead. All measures are exact, by enumeration. The result files " +
    "have further measures, such as KL(policy‖target) and the error of log Z.",
    besideTorchgfn(peers),
    ...tasks.flatMap((task) => taskSection(task, peers)),
    proposalsSection(),
    ...ablationSection(),
    choiceGuide,
  ].filter((part) => part !== "").join("\n\n") + "\n";
}

/** A statistician's summary of learning here, before any figure of it. */
const firstClaim =
  "**Where policies pay.** If every program can be enumerated, scoring all programs gives " +
  "the exact target without a policy: all 5,216 growth curves take a minute and a half of " +
  "one processor. A [surrogate](../../docs/surrogates.md), a Gaussian process on " +
  "productions, chooses which programs to execute. After 800 executions it reaches a total " +
  "variation of 0.008 (median of five seeds, 0.007 to 0.011). The rewards of these 800 " +
  "programs alone, renormalised, have total variations of 0.14 to 0.17. A policy by " +
  "trajectory balance has 0.014 after 2,625 executions. Policies pay on spaces too large to " +
  "enumerate. There they sample without enumeration, from any start, and learn from " +
  "proposals of search, a teacher or people. The spaces below are small enough to enumerate " +
  "only so that distances can be measured. Baselines have the same number of distinct " +
  "evaluations as the policy. Beside every policy `evaluate_kl` reports the distances of a " +
  "target from known rewards alone, and of a surrogate.";

const head = "`deno task bench:learning` writes this page from the results in " +
  "`bench/results/learning`. Every row is a pipeline in `pipelines/benchmarks` with the " +
  "settings that the row's result file names. `deno task run` with these settings and " +
  "`--set seed=N` gives the same figures. Seconds are of training alone, on two busy cores, " +
  "and approximate.";

function seedsOf(task: Task, variant: Variant): readonly SeedResult[] {
  return readResult(keyOf(task, variant))?.seeds ?? [];
}

/** A variant of a task that has a course, with its seeds. */
interface Known {
  readonly variant: Variant;
  readonly seeds: readonly SeedResult[];
}

function known(task: Task): Known[] {
  return task.variants.map((variant) => ({ variant, seeds: seedsOf(task, variant) }))
    .filter(({ seeds }) => seeds.length > 0 && seeds[0].course.length > 1);
}

/** Means over seeds of one measurement. */
interface MeanPoint {
  readonly trajectories: number;
  readonly distinct: number;
  readonly tv: number;
  readonly kl: number;
}

function meanCourse({ seeds }: Known): MeanPoint[] {
  return seeds[0].course.map(({ trajectories }, i) => {
    const points = seeds.flatMap(({ course }) => course[i] ? [course[i]] : []);
    return {
      trajectories,
      distinct: mean(points.map((one) => one.distinctEvaluations)),
      tv: mean(points.map((one) => one.tv)),
      kl: mean(points.map((one) => one.klTargetPolicy)),
    };
  });
}

function figureName(task: Task): string {
  return `learning_${task.id}.svg`;
}

/** The figures of the page by file name, as Vega-Lite specifications. */
export function learningFigures(): { name: string; specification: TopLevelSpec }[] {
  return tasks.filter((task) => known(task).length > 0).map((task) => {
    return { name: figureName(task), specification: figureOf(task) };
  });
}

/** TV and KL against distinct evaluations; against trajectories where all soon know every object. */
function figureOf(task: Task): TopLevelSpec {
  const variants = known(task);
  const courses = variants.map(meanCourse);
  const tells = courses.some((course) =>
    course[course.length - 1].distinct > 1.2 * course[0].distinct
  );
  const values = courses.flatMap((course, v) =>
    course.map(({ distinct, trajectories, tv, kl }) => {
      const x = tells ? distinct : trajectories;
      return { objective: variants[v].variant.label, x, tv: floored(tv), kl: floored(kl) };
    })
  );
  const panel = (field: string, title: string) => ({
    width: 330,
    height: 240,
    mark: { type: "line" as const, point: { size: 12 }, strokeWidth: 1.2 },
    encoding: {
      x: {
        field: "x",
        type: "quantitative" as const,
        title: tells ? "distinct evaluations" : "trajectories",
        scale: { zero: false },
        axis: { format: "~s" },
      },
      y: {
        field,
        type: "quantitative" as const,
        title,
        scale: { type: "log" as const },
        axis: { format: ".0e", tickCount: 6 },
      },
      color: { field: "objective", type: "nominal" as const, title: null, sort: null },
    },
  });
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    data: { values },
    hconcat: [panel("tv", "TV"), panel("kl", "KL(target‖policy)")],
  };
}

/** A logarithmic axis has no place for what is 0 but for rounding. */
function floored(value: number): number {
  return Math.max(value, 1e-9);
}

function taskSection(task: Task, peers: readonly PeerResult[]): string[] {
  const rows = resultTable(task);
  if (rows === "") return [];
  const beside = peerTable(peers.filter((one) => one.task === task.id));
  const picture = known(task).length === 0
    ? ""
    : `![TV and KL(target‖policy) of ${task.title}](${figureName(task)})`;
  return [`### ${task.title}`, picture, `Aim: ${task.wanted}.`, rows, beside];
}

/** Introduces the tables beside torchgfn, so that no reader takes them for a race of libraries. */
function besideTorchgfn(peers: readonly PeerResult[]): string {
  const ratios = speedRatios(peers);
  if (!ratios) return "";
  const [least, most] = ratios.map((ratio) => ratio.toFixed(1));
  return "**Beside torchgfn.** Both libraries run with the same objectives and with two recipes. The recipe of " +
    "torchgfn's examples has a constant learning rate, log Z from 0 and no exploration. The recipe of " +
    "Sluice's pipeline has a learning rate that falls to 0, log Z from the first batch, and exploration. " +
    "The recipe decides most of the distance, so compare distances only within a recipe. For the same " +
    `number of trajectories of the same network torchgfn needs ${least} to ${most} times the processor ` +
    "time of Sluice, depending on grid and recipe. Seeds of TB on grids with R0 = 0.1 ran in pairs, one " +
    "library after the other. Rows without processor seconds were not timed.";
}

function ablationSection(): string[] {
  const rows = resultTable(ablations);
  return rows === "" ? [] : [`## ${ablations.title}`, rows];
}

function resultTable(task: Task): string {
  const body = task.variants.flatMap((variant) => {
    const seeds = seedsOf(task, variant);
    return seeds.length === 0 ? [] : [resultRow(variant, seeds)];
  });
  if (body.length === 0) return "";
  const columns = ["seeds", "TV", "largest", "KL(target‖policy)", "distinct evaluations"];
  return table(["", ...columns, "seconds"], body);
}

function resultRow(variant: Variant, seeds: readonly SeedResult[]): string[] {
  const values = (name: string) => seeds.map(({ measures }) => measures[name]);
  const reached = variant.targets &&
    Object.entries(variant.targets).every(([name, most]) =>
      values(name).every((value) => Math.abs(value) <= most)
    );
  const spread = (name: string) => seeds[0].measures[name] === undefined ? "" : both(values(name));
  const mark = (text: string) => reached ? `**${text}**` : text;
  const unreached = variant.targets && !reached ? " (not reached)" : "";
  return [
    mark(variant.label) + unreached,
    `${seeds.length}`,
    mark(spread("tv")),
    short(Math.max(...values("tv"))),
    spread("kl_target_policy"),
    Math.round(mean(seeds.map((one) => one.distinctEvaluations))).toLocaleString("en"),
    short(mean(seeds.map((one) => one.seconds))),
  ];
}
