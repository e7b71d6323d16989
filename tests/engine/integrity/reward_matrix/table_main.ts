/** Writes `docs/reward_matrix.md`: every attack, each front end, each defence left out. */
import { defences, withoutDefence } from "./defences.ts";
import { type Found, matrixPage } from "./page.ts";

const root = new URL("../../../../", import.meta.url).pathname;
const doors = Deno.args.includes("--native") ? ["native"] : ["native", "pymc"];

/** What all attacks are paid by the engine in a folder. */
async function paid(folder: string, door: string): Promise<Found[]> {
  const main = `${folder}/tests/engine/integrity/reward_matrix/pay_main.ts`;
  const args = ["run", "--allow-all", "--no-check", "--quiet", main, door];
  const command = new Deno.Command(Deno.execPath(), { args, cwd: folder, stderr: "inherit" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`no figures from ${main}`);
  return new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
}

const figures: Record<string, Found[]> = {};
for (const door of doors) figures[door] = await paid(root, door);
for (const defence of defences) {
  const folder = await withoutDefence(root, defence);
  figures[defence.name] = await paid(folder, "native");
  await Deno.remove(folder, { recursive: true });
}
const page = matrixPage(figures, defences.map(({ name }) => name));
await Deno.writeTextFile(`${root}docs/reward_matrix.md`, page);
console.log(
  `wrote docs/reward_matrix.md: ${
    page.split("\n").filter((l) => l.startsWith("| ")).length
  } lines of tables`,
);
