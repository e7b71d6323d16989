/** Writes the leaderboard of experiments into docs/play.md: `deno task bench experiments [RUN …]`, from runs of pipelines/experiments/leaderboard.toml. */
import { shippedExperiments } from "../tests/executor/play/local_theories.ts";

const page = new URL("../docs/play.md", import.meta.url);
const [from, to] = ["<!-- leaderboard -->", "<!-- end of the leaderboard -->"];

/** One query for every cell but those of the papers. */
const sql = `
  select experiment, any_value(agent) as agent, count(*) as episodes, avg(nats) as nats,
    stddev(nats) / sqrt(count(*)) as nats_se, avg(error) as error, stddev(error) / sqrt(count(*)) as error_se,
    avg(oracle_error) as oracle, avg(constant_error) as constant, avg(oracle_log_score - log_score) as regret
  from episode group by experiment, stage order by experiment, agent`;

type Row = Readonly<Record<string, string | number>>;

/** Asks runs, and writes the table. */
export async function benchExperiments(runs: readonly string[]): Promise<void> {
  const rows: Row[] = [];
  for (const run of runs.length > 0 ? runs : ["last"]) {
    const { stdout } = await new Deno.Command("deno", {
      args: ["task", "--quiet", "sluice", "query", "--run", run, "--format", "json", sql],
    }).output();
    rows.push(...JSON.parse(new TextDecoder().decode(stdout)) as Row[]);
  }
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
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
  const text = await Deno.readTextFile(page);
  const before = text.slice(0, text.indexOf(from) + from.length);
  await Deno.writeTextFile(page, `${before}\n\n${table}\n\n${text.slice(text.indexOf(to))}`);
  console.log(table);
}

function shown(value: string | number): string {
  const number = Number(value);
  return Math.abs(number) >= 100 ? number.toFixed(0) : Number(number.toPrecision(3)).toString();
}
