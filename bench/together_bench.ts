/** Bench of shared work: runs of one project that begin together, and how often each program is executed. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { query } from "../src/pipeline/store/query.ts";

const home = new URL("..", import.meta.url).pathname;

/**
 * `deno task bench together [runs]`: runs that differ in their seed, in one new project; without
 * claims each of them would execute every program.
 */
export async function benchTogether([runs = "4"]: readonly string[]): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "sluice-together-" });
  try {
    for (const folder of ["pipelines", "configs", "grammars", "data"]) {
      cpSync(join(home, folder), join(root, folder), { recursive: true });
    }
    Deno.writeTextFileSync(join(root, "deno.json"), "{}");
    const began = performance.now();
    const seeds = Array.from({ length: Number(runs) }, (_, seed) => seed);
    await Promise.all(seeds.map((seed) => run(root, seed)));
    const seconds = (performance.now() - began) / 1000;
    const sql = "select count(*) filter (not memo), count(distinct (program_sha256, schedule)), " +
      "count(*) from execution";
    const [[executed, programs, asked]] = (await query(root, sql)).rows.map((row) =>
      row.map(Number)
    );
    console.log(
      `${runs} runs, ${seconds.toFixed(0)} s: ${programs} programs, asked for ${asked} times, ` +
        `executed ${executed} times: ${(executed / programs).toFixed(3)} times each`,
    );
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function run(root: string, seed: number): Promise<void> {
  const main = join(home, "src/cli/main.ts");
  const config = ["--config", join(home, "deno.json")];
  const settings = ["--set", `seed=${seed}`, "--set", "stages.train.steps=40", "--quiet"];
  const { stderr, code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", ...config, main, "run", "pipelines/dugongs.toml"].concat(settings),
    cwd: root,
    stdin: "null",
  }).output();
  if (code > 1) console.log(new TextDecoder().decode(stderr));
}
