/**
 * Writes the reward matrix for `bench/results/attacks.md`: every attack, each front end, each defence left out; `--native` leaves PyMC out,
 * `--lanes N` says how many processes pay at once.
 */
import { join } from "node:path";
import { writeAttacks } from "../../../../tools/attack_page.ts";
import { dugongs } from "../../density/data.ts";
import { families } from "./attacks.ts";
import { defences, withoutDefence } from "./defences.ts";
import { type Found, matrixRows } from "./page.ts";

const root = new URL("../../../../", import.meta.url).pathname;
const doors = Deno.args.includes("--native") ? ["native"] : ["native", "pymc"];
const lanes = Deno.args.includes("--lanes")
  ? Number(Deno.args[Deno.args.indexOf("--lanes") + 1])
  : 2;

/** Rewards of some attacks by the engine in a folder. */
async function paidBy(folder: string, args: readonly string[]): Promise<Found[]> {
  const main = join(folder, "tests/engine/integrity/reward_matrix/pay_main.ts");
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", "--quiet", main, ...args],
    ...{ cwd: folder, stderr: "inherit" },
  });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`no figures from ${main}`);
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The same, every so many-th of them in a process of its own. */
async function paid(
  folder: string,
  door: string,
  names: readonly string[],
  ...limited: readonly string[]
): Promise<Found[]> {
  const shares = Array.from({ length: lanes }, (_, k) => names.filter((_, i) => i % lanes === k));
  const found = await Promise.all(
    shares.map((own) => paidBy(folder, [door, JSON.stringify(own), ...limited])),
  );
  return found.flat();
}

const all = families.flatMap((family) => family.attacks(dugongs(0.01)).map(({ name }) => name));
const figures: Record<string, readonly Found[]> = {};
for (const door of doors) {
  figures[door] = await paid(root, door, all);
  console.log(`${door}: ${figures[door].length} programs`);
}
for (const defence of defences) {
  const touched = figures.native.filter(defence.touches);
  const folder = await withoutDefence(root, defence);
  const again = await paid(folder, "native", touched.map(({ name }) => name), "limited");
  await Deno.remove(folder, { recursive: true });
  const byName = new Map(again.map((one) => [one.name, one]));
  figures[defence.name] = figures.native.map((one) => byName.get(one.name) ?? one);
  console.log(`without ${defence.name}: ${again.length} programs`);
}
const rows = matrixRows(figures, defences.map(({ name }) => name));
await writeAttacks("reward_matrix", rows);
console.log(`${rows.length} rows`);
