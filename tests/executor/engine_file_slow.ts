/** The engine's bundle: named by its sources, the same bytes every time, and nothing local in it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoPath } from "../../src/base/deno_command.ts";
import { bundleEngine } from "../../src/executor/bundle_engine.ts";
import { engineDigest, workerPath } from "../../src/executor/engine_file.ts";
import { engineEntries, engineSources, sourcesDigest } from "../../src/executor/engine_sources.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entries = engineEntries(join(root, "src", "executor"));

Deno.test("the engine in use is what its sources give now, and its name is its digest", async () => {
  const path = workerPath();
  assert.equal(await Deno.readTextFile(path), await bundleEngine());
  assert.match(path, new RegExp(`/engine/${engineDigest()}\\.js$`));
});

Deno.test("the sources of the engine are those that its bundler reads", async () => {
  const text = await bundleEngine();
  const bundled = [...text.matchAll(/^ *\/\/ (src\/\S+\.ts)$/gm)].map((match) =>
    join(root, match[1])
  );
  const sources = new Set(engineSources(entries).keys());
  assert.deepEqual(bundled.filter((path) => !sources.has(path)), []);
  assert.ok(bundled.length > 200);
});

Deno.test("a change of any source changes the digest of the engine", () => {
  const sources = engineSources(entries);
  const digest = sourcesDigest(sources, root);
  for (const path of [...sources.keys()].filter((_, i) => i % 40 === 0)) {
    const changed = new Map([...sources, [path, `${sources.get(path)} `]]);
    assert.notEqual(sourcesDigest(changed, root), digest, path);
  }
  const moved = new Map(
    [...sources].map(([path, text]) => [path.replace(root, "/elsewhere/"), text]),
  );
  assert.equal(sourcesDigest(moved, "/elsewhere/"), digest);
});

Deno.test("a bundle names its sources relative to the repository and imports nothing", async () => {
  const text = await bundleEngine("tests/executor/fake_worker.ts");
  const sources = [...text.matchAll(/^ *\/\/ (\S+\.ts)$/gm)].map((match) => match[1]);
  assert.ok(sources.includes("src/base/frames.ts"));
  assert.deepEqual(sources.filter((source) => !/^(src|tests)\//.test(source)), []);
  assert.doesNotMatch(text, /__require|^ *import /m);
});

Deno.test("loading the engine builds no error, for whose place V8 would read the whole bundle again", async () => {
  const loader = join(root, "tests", "executor", "load_main.ts");
  const args = ["run", "--no-prompt", "--allow-read", loader, workerPath()];
  const { stderr } = await new Deno.Command(denoPath(), { args }).output();
  assert.equal(new TextDecoder().decode(stderr).trim(), "0");
});
