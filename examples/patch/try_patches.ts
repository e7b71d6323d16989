/** Tries every patch, and writes what each is worth: `deno run -A examples/patch/try_patches.ts`. */
import environment from "./environment.ts";
import { readCases, readRepository, runTests } from "./run_tests.ts";

/** Nats between a patch that passes all tests and one that passes none. */
export const nats = 10;

if (import.meta.main) {
  const [files, cases] = [readRepository(), readCases()];
  const rows = [];
  for (const { text } of environment.create({}).enumerate()) {
    const { share } = await runTests(files, text, cases);
    rows.push(JSON.stringify({ text, log_prob: nats * (share - 1) }));
  }
  const url = new URL("rewards.json", import.meta.url);
  Deno.writeTextFileSync(url, `[\n${rows.join(",\n")}\n]\n`);
  console.log(`${rows.length} patches, each tested twice by ${cases.length} cases`);
}
