/** Assistants: a run and its assistants score each program once; answers without trust are left out. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openSealer, type Sealer } from "../../src/base/seal.ts";
import { addTrust } from "../../src/base/trust.ts";
import { chooseUserFolder } from "../../src/base/user_folder.ts";
import { assist } from "../../src/executor/assist/assist.ts";
import { publishWanted, wantedPaths } from "../../src/executor/assist/wanted.ts";
import { datasetToJson } from "../../src/base/dataset.ts";
import { Executor } from "../../src/executor/executor.ts";
import { containerName } from "../../src/executor/front_ends/mod.ts";
import { denoLauncher } from "../../src/sandbox/launcher.ts";
import { withConfig } from "../base/config_folder.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { dataset, fakeWorker, limits, schedule } from "./fake.ts";

const common = { limits, workerFile: fakeWorker, workers: 1, launcher: denoLauncher };
const programs = Array.from({ length: 80 }, (_, i) => `slow ${i}`);

Deno.test("a run and an assistant score each program once between them", async () => {
  const root = temporaryFolder();
  const stop = new AbortController();
  const run = new Executor({ root, ...common, announces: true });
  const notes: string[] = [];
  const options = {
    root,
    ...common,
    stop: stop.signal,
    onNote: (line: string) => notes.push(line),
  };
  const helping = assist(options);
  const logPriors = programs.map((_, i) => -i);
  const results = await run.executeAll(programs, { dataset, schedule, logPriors });
  stop.abort();
  const { executed } = await helping;
  const here = results.filter(({ memo }) => !memo).length;
  assert.equal(results.filter(({ outcome }) => outcome.status === "ok").length, programs.length);
  assert(executed > 10, `the assistant scored ${executed}`);
  assert.equal(here + executed, programs.length);
  assert.deepEqual(wantedPaths(root), [], "the batch has ended");
  assert.deepEqual(notes, []);
  await run.close();
});

Deno.test("an assistant passes over what it may not believe, and says so once", async () => {
  const root = temporaryFolder();
  const folder = join(root, ".sluice", "memo", "ab", "abcd");
  const wanted = {
    ...{ engine: "another", dataset: datasetToJson(dataset), schedule, executor: "native" },
    ...{ origin: "grammar" as const, programs: ["score 1"] },
  };
  const other = openSealer(temporaryFolder());
  publishWanted(folder, other, wanted); // of this user, of another engine
  const forged = publishWanted(folder, other, wanted);
  Deno.writeTextFileSync(forged, Deno.readTextFileSync(forged).replace("grammar", "foreign"));
  Deno.writeTextFileSync(join(folder, "wanted", "x.json"), "no batch");
  Deno.mkdirSync(join(folder, "wanted", "y.json")); // a pipe would hold it up likewise
  const strange = { ...other, keyId: "0".repeat(64) };
  publishWanted(folder, strange, wanted);
  const notes: string[] = [];
  const onNote = (line: string) => notes.push(line);
  const stop = new AbortController().signal;
  const came = await assist({ root, ...common, stop, idleSeconds: 1, onNote });
  assert.deepEqual(came, { executed: 0, elsewhere: 0 });
  assert.equal(notes.length, 5, notes.join("\n"));
  assert.match(notes.join("\n"), /another version of Sluice/);
  assert.match(notes.join("\n"), /is no batch of programs/);
  assert.match(notes.join("\n"), /sluice trust add 0{64}/);
});

Deno.test("an assistant starts images that runs of its own user name, and none of a trusted key", async () => {
  const root = temporaryFolder();
  await withConfig(async (home) => {
    const own = openSealer(root);
    chooseUserFolder(join(home, "other"));
    const other = openSealer(root);
    chooseUserFolder(join(home, "sluice"));
    assert.notEqual(other.keyId, own.keyId);
    addTrust(other.keyId);
    const noted = async (sealer: Sealer) => {
      const notes: string[] = [];
      const executor = containerName({ kind: "container", image: `sha256:${"0".repeat(64)}` });
      const wanted = { engine: "another", dataset: datasetToJson(dataset), schedule, executor };
      const batch = { ...wanted, origin: "grammar", programs: ["score 1"] } as const;
      const path = publishWanted(join(root, ".sluice", "memo", "ab", "abcd"), sealer, batch);
      const onNote = (line: string) => notes.push(line);
      const stop = new AbortController().signal;
      await assist({ root, ...common, stop, idleSeconds: 1, onNote });
      Deno.removeSync(path);
      return notes.join("\n");
    };
    assert.match(await noted(other), /starts no image here/);
    assert.match(await noted(own), /another version of Sluice/, "only its engine is refused");
  });
});
