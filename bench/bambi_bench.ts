/**
 * `deno task bench bambi PYTHON [--peer FILE]`: sixteen regressions of the body mass of penguins, by
 * `sluice rank` and by bambi with `az.compare`: processor seconds and agreement. `--peer` reads what
 * `bench/peers/bambi_compare.py` printed before.
 */
import { join } from "node:path";
import { cpuUsage } from "node:process";
import { type Dataset, datasetFromJson } from "../src/base/dataset.ts";
import { readRunData } from "../src/cli/run_artifacts.ts";
import { defaultSchedule, scoreNow } from "../src/engine/mod.ts";

const terms = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "sex"];
const response = "body_mass_g";
const root = new URL("..", import.meta.url).pathname;
const data = join(root, "data/penguins.csv");

/** A model beside the others, as `az.compare` has it. Nats. */
interface Compared {
  readonly elpd: number;
  readonly difference: number;
  readonly dse: number;
}

/** The peer's output. */
interface Peer {
  readonly models: Readonly<Record<string, Compared>>;
  readonly rows: number;
  readonly chains: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly fits_seconds: number;
  readonly all_seconds: number;
}

/** Runs both, and prints the comparison as Markdown. */
export async function benchBambi(args: readonly string[]): Promise<void> {
  const [python, flag, file] = args;
  if (!python) {
    console.error("usage: deno task bench bambi PYTHON [--peer FILE]: a Python that has bambi");
    Deno.exit(2);
  }
  const own = await rankOwn(python);
  const peer = flag === "--peer" && file
    ? JSON.parse(await Deno.readTextFile(file)) as Peer
    : await askPeer(python);
  const named = Object.entries(peer.versions).map((one) => one.join(" ")).join(", ");
  console.log(`${peer.rows} rows; ${named}; ${peer.chains} chains of 1,000 draws\n`);
  console.log("| terms | bambi: elpd | Δ ± dse | Sluice: elpd | Δ ± dse |");
  console.log("| --- | --- | --- | --- | --- |");
  const models = Object.entries(peer.models).sort(([, a], [, b]) => b.elpd - a.elpd);
  for (const [name, theirs] of models) {
    const ours = own.models.get(name)!;
    const shown = [theirs, ours].map(({ elpd, difference, dse }) =>
      `${elpd.toFixed(2)} | ${difference.toFixed(2)} ± ${dse.toFixed(2)}`
    );
    console.log(`| ${name || "none"} | ${shown.join(" | ")} |`);
  }
  const off = models.map(([name, { difference }]) =>
    Math.abs(difference - own.models.get(name)!.difference)
  );
  const ranks = (of: (name: string) => number) =>
    models.map(([name]) => name).sort((a, b) => of(b) - of(a)).join(" ");
  const same = ranks((name) => peer.models[name].elpd) ===
    ranks((name) => own.models.get(name)!.elpd);
  console.log(`\nlargest difference of Δ ${Math.max(...off).toFixed(2)}; same order: ${same}`);
  const ratio = (seconds: number) => (peer.all_seconds / seconds).toFixed(0);
  console.log(
    `processor seconds: bambi ${peer.all_seconds.toFixed(1)}, of which fits ` +
      `${peer.fits_seconds.toFixed(1)}; sluice rank ${own.command.toFixed(2)} (${
        ratio(own.command)
      } times), of which scoring ${own.scoring.toFixed(2)} (${ratio(own.scoring)} times)`,
  );
}

async function askPeer(python: string): Promise<Peer> {
  const script = join(root, "bench/peers/bambi_compare.py");
  return JSON.parse(await outputOf(python, [script, data, response, terms.join(",")], root));
}

/** Python that runs a command and prints the processor seconds of it and of its children. */
const timed = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
`;

/** The command in a folder of its own, where nothing is remembered; then the scores alone. */
async function rankOwn(python: string) {
  const folder = await Deno.makeTempDir();
  const main = join(root, "src/cli/main.ts");
  const sluice = ["run", "--allow-all", "--no-check", `--config=${join(root, "deno.json")}`, main];
  const formula = `${response} ~ ${terms.map((term) => `[${term}]`).join(" + ")}`;
  const asked = ["rank", data, "--response", response, "--formula", formula];
  const ranked = [Deno.execPath(), ...sluice, ...asked, "--families", "normal", "--json"];
  const command = Number(await outputOf(python, ["-c", timed, ...ranked], folder));
  const told = await outputOf(
    Deno.execPath(),
    [...sluice, "compare", "last", "--top", "16", "--by", "elpd", "--json"],
    folder,
  );
  const { data: columns } = await readRunData(folder, "last");
  await Deno.remove(folder, { recursive: true });
  const rows = JSON.parse(told) as {
    readonly program: string;
    readonly features: readonly string[];
    readonly elpd_loo: number;
    readonly elpd_diff: number;
    readonly dse: number;
  }[];
  const models = new Map(rows.map((row): [string, Compared] => [
    terms.filter((term) => row.features.includes(term)).join("+"),
    { elpd: row.elpd_loo, difference: row.elpd_diff, dse: row.dse },
  ]));
  const dataset = datasetFromJson(columns);
  return { command, scoring: scoringSeconds(rows.map(({ program }) => program), dataset), models };
}

/** Processor seconds of checking, compiling and scoring all programs in this process, once. */
function scoringSeconds(programs: readonly string[], dataset: Dataset): number {
  const before = cpuUsage();
  for (const program of programs) {
    const { score } = scoreNow(program, dataset, { ...defaultSchedule, unit: "row" });
    if (!score) throw new Error(`internal: no score of ${program}`);
  }
  const { user, system } = cpuUsage(before);
  return (user + system) / 1e6;
}

async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd })
    .output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (code !== 0) throw new Error(`${command} ${args[0]}: ${decode(stderr)}`);
  return decode(stdout);
}
