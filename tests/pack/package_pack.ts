/** The package, installed in an empty folder elsewhere and used as its page of the docs says. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../../src/base/digest.ts";
import { pack } from "../../tools/pack.ts";
import { compiledOnce } from "./compiled_once.ts";
import { type Ended, runIn, writeDocumentedProject } from "./documented_project.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pipeline = "pipelines/lengths.toml";
const short = ["stages.warm_start.steps=2", "stages.train.steps=2"]
  .concat("stages.train.stages.sample.batch_size=2")
  .flatMap((value) => ["--set", value]);

Deno.test("pack() gives plain JavaScript with declarations, and the same bytes twice", () => {
  const { bytes, paths } = pack(root, compiledOnce);
  for (const path of ["mod.js", "mod.d.ts", "stages/judge/mod.js"]) {
    assert(paths.includes(path), path);
  }
  assert.deepEqual(paths.filter((path) => /(?<!\.d)\.ts$|^(tests|tools)\//.test(path)), []);
  // Digests: the difference of two archives would fill the memory before it said anything.
  assert.equal(sha256(pack(root).bytes), sha256(bytes));
});

/** In this order, each in the folder that the ones before it left; the first failure ends them. */
const steps: readonly (readonly [name: string, step: (folder: string) => void | Promise<void>])[] =
  [
    ["npm installs it beside the files of the page", installs],
    ["the stage kind type-checks against the declarations", typeChecks],
    ["sluice check finds the pipeline well formed", isWellFormed],
    ["sluice run runs the own stage kind in each step", runs],
    ["a second run is answered from cache", runsFromCache],
    ["a mistyped command ends with status 2", refuses],
    ["a signal reaches Deno once, and its status comes back", stops],
  ];

Deno.test("another repository installs the package and runs its own stage kind", async (test) => {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-elsewhere-" });
  try {
    for (const [name, step] of steps) {
      if (!await test.step(name, () => step(folder))) break;
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function installs(folder: string): void {
  const { name, bytes } = pack(root, compiledOnce);
  Deno.writeFileSync(join(folder, name), bytes);
  writeDocumentedProject(folder);
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  succeeded(runIn(folder, "npm", "install", ...flags, `./${name}`));
}

function typeChecks(folder: string): void {
  const check = (file: string) => runIn(folder, "npx", "--no", "--", "deno", "check", file);
  succeeded(check("stages/longest.ts"));
  const right = Deno.readTextFileSync(join(folder, "stages/longest.ts"));
  const wrong = right.replace("one.actions.length", "one.actions.size");
  Deno.writeTextFileSync(join(folder, "stages/wrong.ts"), wrong);
  const { code, all } = check("stages/wrong.ts");
  assert.equal(code, 1, all);
  assert.match(all, /Property 'size' does not exist/);
}

function isWellFormed(folder: string): void {
  assert.match(succeeded(sluice(folder, "check", pipeline)).all, /well formed: 10 stages/);
}

function runs(folder: string): void {
  succeeded(sluice(folder, "run", pipeline, ...short));
  const rows = ask(folder, "select step, value from metric where name = 'longest' order by step");
  assert.deepEqual(rows.map(({ step }) => step), [1, 2]);
  for (const { value } of rows) assert(Number(value) >= 3, `${value}`);
}

function runsFromCache(folder: string): void {
  assert.match(succeeded(sluice(folder, "run", pipeline, ...short)).all, /Nothing changed/);
  succeeded(sluice(folder, "run", pipeline, ...short, "--record"));
  const rows = ask(folder, "select cached from stage_run where not contains(stage, '.')");
  assert.deepEqual(rows.map(({ cached }) => cached), [true, true, true, true, true]);
}

function refuses(folder: string): void {
  const { code, all } = sluice(folder, "rum");
  assert.equal(code, 2, all);
}

/** Asks a run of many steps to stop, once it has begun. */
async function stops(folder: string): Promise<void> {
  const bin = join(folder, "node_modules/sluice/bin/sluice.js");
  const args = [bin, "run", pipeline, ...short, "--set", "stages.train.steps=100000"];
  const child = new Deno.Command("node", { args, cwd: folder, stderr: "piped" }).spawn();
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    if (!said.includes("\nRun ") && (said + text).includes("\nRun ")) child.kill("SIGTERM");
    said += text;
  }
  const { code } = await child.status;
  assert.equal(code, 130, said);
  assert.match(said, /Stopping after this step/);
  assert.doesNotMatch(said, /Stopping at once/);
}

function sluice(folder: string, ...args: string[]): Ended {
  return runIn(folder, "npx", "--no", "--", "sluice", ...args);
}

/** Rows that a query over the last run gives. */
function ask(folder: string, sql: string): Record<string, unknown>[] {
  const query = ["query", "--run", "last", "--format", "json", sql];
  return JSON.parse(succeeded(sluice(folder, ...query)).stdout);
}

function succeeded(ended: Ended): Ended {
  assert.equal(ended.code, 0, ended.all);
  return ended;
}
