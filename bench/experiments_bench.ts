/**
 * Writes the leaderboard of experiments into bench/results/experiments.md: `deno task bench experiments [RUN …]`, from
 * runs of pipelines/experiments/leaderboard.toml; prints the solver's error over the ceiling's, world by world. Rows of
 * experiments that no run has played to the end by all four agents stay as they are.
 */
import { RandomStream } from "../src/base/random.ts";
import { quantile } from "../src/numerics/math/mod.ts";
import { shippedExperiments } from "../tests/executor/play/local_theories.ts";

const page = new URL("results/experiments.md", import.meta.url);
const [from, to] = ["<!-- leaderboard -->", "<!-- end of the leaderboard -->"];

/** One query for every cell but those of the papers. */
const sql = `
  select experiment, any_value(agent) as agent, count(*) as episodes, avg(nats) as nats,
    stddev(nats) / sqrt(count(*)) as nats_se, avg(error) as error, stddev(error) / sqrt(count(*)) as error_se,
    avg(oracle_error) as oracle, avg(constant_error) as constant, avg(oracle_log_score - log_score) as regret
  from episode group by experiment, stage order by experiment, agent`;

/** Errors of the solver and of the ceiling in worlds that both played. */
const pairsSql = `
  select a.experiment, a.error as solver, b.error as ceiling from episode a join episode b
    on a.experiment = b.experiment and a.seed = b.seed and a.episode = b.episode
  where a.agent like 'information over %' and b.agent = 'information' order by all`;

type Row = Readonly<Record<string, string | number>>;

/** Asks runs, and writes the table. */
export async function benchExperiments(runs: readonly string[]): Promise<void> {
  const rows = wholly(await asked(runs, sql));
  const experiments = shippedExperiments();
  const lines = rows.map((row) => {
    const published = experiments.get(`${row.experiment}`)?.published?.results ?? [];
    const others = published.filter(({ queries }) => queries === 10)
      .map(({ agent, error, se, remark }) =>
        `${agent} ${error}${se === undefined ? "" : ` ± ${se}`}${remark ? ` (${remark})` : ""}`
      );
    return [
      row.experiment,
      row.agent,
      row.episodes,
      `${shown(row.nats)} ± ${shown(row.nats_se)}`,
      `${shown(row.error)} ± ${shown(row.error_se)}`,
      shown(row.oracle),
      shown(row.constant),
      shown(row.regret),
      row.agent === "information" ? others.join("; ") : "",
    ];
  });
  const head = [
    "experiment",
    "agent",
    "episodes",
    "nats",
    "error",
    "oracle",
    "constant",
    "regret",
    "published, 10 queries",
  ];
  const text = await Deno.readTextFile(page);
  const before = text.slice(0, text.indexOf(from) + from.length);
  const stay = rowsIn(text.slice(before.length, text.indexOf(to)))
    .filter(([experiment]) => !rows.some((row) => row.experiment === experiment));
  const body = [...lines, ...stay].sort((a, b) => `${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1);
  const table = [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  await Deno.writeTextFile(page, `${before}\n\n${table}\n\n${text.slice(text.indexOf(to))}`);
  console.log(table);
  for (
    const [experiment, pairs] of Map.groupBy(await asked(runs, pairsSql), (row) => row.experiment)
  ) {
    if (rows.some((row) => row.experiment === experiment)) {
      console.log(`${experiment}: ${ratioText(pairs)}`);
    }
  }
}

/** Rows of experiments that all four agents have played. */
function wholly(rows: readonly Row[]): Row[] {
  const agents = (experiment: unknown) => rows.filter((row) => row.experiment === experiment);
  return rows.filter(({ experiment }) => agents(experiment).length === 4);
}

/** Cells of the rows of a table, without its head. */
function rowsIn(table: string): string[][] {
  const lines = table.split("\n").filter((line) => line.startsWith("|")).slice(2);
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

async function asked(runs: readonly string[], question: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const run of runs.length > 0 ? runs : ["last"]) {
    const { success, stdout, stderr } = await new Deno.Command("deno", {
      args: ["task", "--quiet", "sluice", "query", "--run", run, "--format", "json", question],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    rows.push(...JSON.parse(new TextDecoder().decode(stdout)) as Row[]);
  }
  return rows;
}

/** Ratio of mean errors with the middle 95 % of its bootstraps over worlds, and the mean difference. */
function ratioText(pairs: readonly Row[]): string {
  const random = new RandomStream("ratio of errors");
  const ratioOf = (rows: readonly Row[]) => total(rows, "solver") / total(rows, "ceiling");
  const ratios = Float64Array.from(
    { length: 4000 },
    () => ratioOf(pairs.map(() => pairs[Math.floor(random.uniform() * pairs.length)])),
  ).sort();
  const gaps = pairs.map(({ solver, ceiling }) => Number(solver) - Number(ceiling));
  const mean = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
  const square = gaps.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const se = Math.sqrt(square / (gaps.length - 1) / gaps.length);
  const [low, high] = [0.025, 0.975].map((share) => quantile(ratios, share).toFixed(2));
  return `${ratioOf(pairs).toFixed(2)} (${low} … ${high}) in ${pairs.length} worlds; ` +
    `difference ${shown(mean)} ± ${shown(se)}`;
}

function total(rows: readonly Row[], of: "solver" | "ceiling"): number {
  return rows.reduce((sum, row) => sum + Number(row[of]), 0);
}

function shown(value: string | number): string {
  const number = Number(value);
  return Math.abs(number) >= 100 ? number.toFixed(0) : Number(number.toPrecision(3)).toString();
}
