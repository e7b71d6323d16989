/**
 * How often answers are right, by kind of space: `deno task coverage:spaces [--space NAME] [--sets N]`.
 * Simulates data sets whose law is known, scores all programs, and keeps each finished set as a line
 * of `--dir`/NAME.jsonl; sets with a line are not scored again. `deno task coverage:table` makes
 * the tables of it.
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import process from "node:process";
import type { SpaceName } from "../../../../src/gfn/spaces/space_names.ts";
import { appendRecord, readRecords } from "./records.ts";
import { scoreSet } from "./score_set.ts";
import { simulations } from "./simulations/mod.ts";

const { values } = parseArgs({
  options: {
    space: { type: "string", multiple: true },
    sets: { type: "string", default: "200" },
    from: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    dir: { type: "string", default: ".sluice/coverage" },
  },
});
const known = Object.keys(simulations) as SpaceName[];
const spaces = (values.space ?? known) as SpaceName[];
const strange = spaces.find((space) => !known.includes(space));
if (strange) {
  console.error(`Cannot simulate the space ${strange}\n  mend: one of ${known.join(", ")}`);
  Deno.exit(2);
}
await Deno.mkdir(values.dir, { recursive: true });
for (const space of spaces) await run(space);

async function run(space: SpaceName): Promise<void> {
  const file = join(values.dir, `${space}.jsonl`);
  const seed = Number(values.seed);
  const done = new Set(
    (await readRecords(file)).filter((one) => one.seed === seed).map(({ set }) => set),
  );
  const started = cpuSeconds();
  let count = 0;
  for (let set = Number(values.from); set < Number(values.sets); set++) {
    if (done.has(set)) continue;
    const record = scoreSet(space, set, seed);
    await appendRecord(file, record);
    count++;
  }
  const each = (cpuSeconds() - started) / Math.max(1, count);
  console.log(`${space}: ${count} sets of ${each.toFixed(2)} CPU s, ${done.size} were there`);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
