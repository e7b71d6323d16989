/** Tests that the committed worker.js is what the sources give, and that nothing local is in it. */
import assert from "node:assert/strict";
import { workerPath } from "../../src/exec/worker_file.ts";
import { bundleWorker } from "../../tools/bundle_worker.ts";

Deno.test("src/exec/worker.js is current: `deno run -A tools/bundle_worker.ts` would not change it", async () => {
  const committed = await Deno.readTextFile(workerPath());
  assert.ok(committed === await bundleWorker(), "run `deno run -A tools/bundle_worker.ts`");
});

Deno.test("a bundle names its sources relative to the repository and imports nothing", async () => {
  const text = await bundleWorker("tests/exec/fake_worker.ts");
  const sources = [...text.matchAll(/^ *\/\/ (\S+\.ts)$/gm)].map((match) => match[1]);
  assert.ok(sources.includes("src/exec/frames.ts"));
  assert.deepEqual(sources.filter((source) => !/^(src|tests)\//.test(source)), []);
  assert.doesNotMatch(text, /__require|^ *import /m);
});
