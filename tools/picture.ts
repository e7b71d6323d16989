/**
 * Draws docs/dugongs.svg from a finished run: which curves the data favour, and how near the policy
 * came to the target. Without an id it takes the newest run that enumerated its programs:
 *
 * deno run --allow-read --allow-write=docs --allow-env --allow-sys --allow-ffi tools/picture.ts [RUN]
 */
import { fileURLToPath } from "node:url";
import { ink, svgOf, type TopLevelSpec } from "../src/report/figures/svg.ts";
import { query } from "../src/pipeline/store/query.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Rows from which the picture is drawn. */
interface Findings {
  /** Rows of `{ curve, distribution, share }`. */
  readonly curves: Rows;
  /** Rows of `{ target, policy }`: probabilities of programs. */
  readonly programs: Rows;
  /** How many programs there are in all. */
  readonly count: number;
  readonly tv: number;
  readonly kl: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** Colours of the distributions. */
const distributions = { target: "#0969da", policy: "#e16f24", prior: "#8c959f" };

/** Points drawn at most: the likeliest programs and an even selection of the rest. */
const likeliest = 120;
const others = 200;

async function ask(run: string, sql: string): Promise<Rows> {
  return (await query(root, sql, { run })).objects();
}

async function newestRun(): Promise<string> {
  const sql = "select max(run_id) as run from enumeration";
  const [row] = (await query(root, sql)).objects();
  if (typeof row.run === "string") return row.run;
  throw new Error("no finished run has enumerated its programs: run pipelines/dugongs.toml first");
}

/** The first production of a derivation is its curve. */
const curveSql = `
  with mass as (
    select features->>'$[0]' as curve, sum(exp(log_target)) as target,
      sum(exp(log_policy)) as policy, sum(exp(log_prior)) as prior
    from enumeration where step = 0 group by curve)
  select replace(curve, '_', ' ') as curve, distribution, share, rank
  from (select *, row_number() over (order by target desc) as rank from mass)
    unpivot (share for distribution in (target, policy, prior)) order by distribution = 'policy', rank`;

const programSql = `
  with placed as (
    select exp(log_target) as target, exp(log_policy) as policy, count(*) over () as programs,
      row_number() over (order by log_target desc, idx) as place
    from enumeration where step = 0)
  select target, policy from placed
  where place <= ${likeliest} or place % greatest(1, programs // ${others}) = 0 order by place`;

const measureSql = `
  select count(*) as programs, 0.5 * sum(abs(exp(log_target) - exp(log_policy))) as tv,
    sum(exp(log_target) * (log_target - log_policy)) as kl
  from enumeration where step = 0`;

async function find(run: string): Promise<Findings> {
  const [measures] = await ask(run, measureSql);
  const { programs, tv, kl } = measures;
  return {
    curves: await ask(run, curveSql),
    programs: await ask(run, programSql),
    count: Number(programs),
    tv: Number(tv),
    kl: Number(kl),
  };
}

function curvePanel({ curves }: Findings) {
  return {
    title: "Which curve? Probability of each",
    width: 300,
    height: { step: 17 },
    data: { values: [...curves] },
    mark: { type: "point" as const, filled: true, size: 50, opacity: 1 },
    encoding: {
      y: {
        field: "curve",
        type: "nominal" as const,
        title: null,
        axis: { grid: true, labelLimit: 220 },
        sort: { field: "rank", op: "min" as const },
      },
      x: { field: "share", type: "quantitative" as const, title: null, axis: { format: "%" } },
      color: {
        field: "distribution",
        type: "nominal" as const,
        title: null,
        scale: { domain: Object.keys(distributions), range: Object.values(distributions) },
        legend: { orient: "none" as const, legendX: 220, legendY: 260 },
      },
      shape: {
        field: "distribution",
        type: "nominal" as const,
        title: null,
        scale: { domain: Object.keys(distributions), range: ["circle", "cross", "triangle-up"] },
      },
    },
  };
}

function programPanel({ programs, count, tv, kl }: Findings) {
  const all = programs.flatMap(({ target, policy }) => [Number(target), Number(policy)]);
  const [low, high] = [Math.max(1e-12, Math.min(...all)), Math.max(...all)];
  const axis = { format: ".0e", tickCount: 6 };
  const scale = { type: "log" as const, domain: [low, high], clamp: true };
  const probability = (field: string, title: string) => {
    return { field, type: "quantitative" as const, title, scale, axis };
  };
  const subtitle = `TV ${tv.toPrecision(2)}, KL(target‖policy) ${kl.toPrecision(2)} nats; ` +
    `every point is one of ${count} programs`;
  return {
    title: { text: "How near? Probability of each program", subtitle },
    width: 300,
    height: 300,
    layer: [
      {
        data: { values: [{ target: low, policy: low }, { target: high, policy: high }] },
        mark: { type: "line" as const, color: ink, strokeWidth: 0.8 },
        encoding: { x: probability("target", "target"), y: probability("policy", "policy") },
      },
      {
        data: { values: [...programs] },
        mark: { type: "circle" as const, color: distributions.target, size: 12, opacity: 0.6 },
        encoding: { x: probability("target", "target"), y: probability("policy", "policy") },
      },
    ],
  };
}

function specification(findings: Findings): TopLevelSpec {
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    spacing: 90,
    bounds: "flush",
    hconcat: [curvePanel(findings), programPanel(findings)],
  };
}

if (import.meta.main) {
  const run = Deno.args[0] ?? await newestRun();
  const svg = await svgOf(specification(await find(run)));
  await Deno.writeTextFile(`${root}docs/dugongs.svg`, svg);
  console.log(`docs/dugongs.svg: run ${run}, ${Math.round(svg.length / 1024)} KiB`);
}
