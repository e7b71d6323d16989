/** `deno task bench rank [TERMS] [FAMILIES] [WORKERS]`: every regression of a file ranked, and its report. */
import { RandomStream } from "../src/base/random.ts";
import { fillNormal } from "../src/numerics/math/random_normal.ts";

const root = new URL("..", import.meta.url).pathname;
const rows = 200;

/** Ranks 2^TERMS × families programs in an empty project, and writes their page. */
export async function benchRank(
  [terms = "12", families = "normal", workers = "2"]: readonly string[],
): Promise<void> {
  const project = await Deno.makeTempDir({ prefix: "sluice-bench-" });
  await Deno.writeTextFile(`${project}/deno.json`, "{}");
  await Deno.writeTextFile(`${project}/made.csv`, madeRows(Number(terms)));
  const asked = Array.from({ length: Number(terms) }, (_, j) => `[x${j + 1}]`).join(" + ");
  const file = ["made.csv", "--response", "y", "--formula", `y ~ ${asked}`];
  const rank = ["rank", ...file, "--families", families, "--workers", workers, "--json", "--quiet"];
  const ranked = await timed(project, rank);
  const { programs, scored } = JSON.parse(ranked.out);
  console.log(`${programs} programs, ${scored} scored: ${ranked.seconds.toFixed(1)} s`);
  const page = await timed(project, ["report", "last", "--out", "page"]);
  const { size } = await Deno.stat(`${project}/page/report.html`);
  console.log(`report: ${page.seconds.toFixed(1)} s, ${(size / 1e6).toFixed(2)} MB`);
  await Deno.remove(project, { recursive: true });
}

/** Normal predictors, of which the first four matter, and a response to two decimals. */
export function madeRows(terms: number): string {
  const stream = new RandomStream("bench", "rank");
  const effects = [0.8, -0.5, 0.3, 0.15];
  const lines = Array.from({ length: rows }, () => {
    const normal = new Float64Array(terms + 1);
    fillNormal(stream, normal);
    const y = effects.reduce((sum, b, j) => sum + b * (normal[j] ?? 0), normal[terms]);
    return [y, ...normal.subarray(0, terms)].map((value) => value.toFixed(2)).join(",");
  });
  const head = ["y", ...Array.from({ length: terms }, (_, j) => `x${j + 1}`)].join(",");
  return [head, ...lines].join("\n") + "\n";
}

async function timed(cwd: string, args: readonly string[]) {
  const flags = ["run", "-A", "--no-check", "--quiet", `--config=${root}deno.json`];
  const started = performance.now();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...flags, `${root}src/cli/main.ts`, ...args],
    ...{ cwd, stdout: "piped", stderr: "inherit" },
  }).output();
  if (code !== 0) throw new Error(`internal: sluice ${args[0]} ended with ${code}`);
  return { out: new TextDecoder().decode(stdout), seconds: (performance.now() - started) / 1000 };
}
