/** Module graphs: every imported file counts, wherever the project lies. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { InfoCommand } from "../../../src/pipeline/process/graph_info.ts";
import { ModuleGraphs } from "../../../src/pipeline/process/module_graph.ts";
import { denoInfo } from "../../../src/pipeline/process/process.ts";
import { findSluiceHome, projectLayout } from "../../../src/pipeline/project/project.ts";
import type { TestProject } from "./project.ts";
import { withProject } from "./project.ts";

function digestOf(project: TestProject): Promise<string> {
  const graphs = new ModuleGraphs(projectLayout(project.root), findSluiceHome(), denoInfo);
  return graphs.of(project.path("main.ts")).then(({ digest }) => digest);
}

function writeModules(project: TestProject): void {
  project.write("main.ts", 'import { z } from "zod";\nimport "./part.ts";\nz.string();\n');
  project.write("part.ts", 'export const lazy = () => import("./lazy.ts");\n');
  project.write("lazy.ts", "export const x = 1;\n");
}

Deno.test("the digest covers files that are imported late, and not the place of the project", () =>
  withProject(async (project) => {
    writeModules(project);
    const before = await digestOf(project);
    assert.equal(await digestOf(project), before);
    await withProject(async (elsewhere) => {
      writeModules(elsewhere);
      assert.equal(await digestOf(elsewhere), before);
    });
    project.write("lazy.ts", "export const x = 2;\n");
    assert.notEqual(await digestOf(project), before);
  }));

Deno.test("a remembered graph is read again when one of its files changed", () =>
  withProject(async (project) => {
    writeModules(project);
    let asked = 0;
    const info: InfoCommand = (entries, config) => (asked++, denoInfo(entries, config));
    const layout = projectLayout(project.root);
    const open = () => new ModuleGraphs(layout, findSluiceHome(), info);
    const [first, entry] = [open(), project.path("main.ts")];
    const { digest } = await first.of(entry);
    first.save();
    assert.equal((await open().of(entry)).digest, digest);
    assert.equal(asked, 1);
    project.write("part.ts", "export const changed = true;\n");
    assert.equal(first.isCurrent(entry), false);
    assert.notEqual((await open().of(entry)).digest, digest);
    assert.equal(asked, 2);
  }));

Deno.test("graphs are written once, however often they are to be kept", () =>
  withProject(async (project) => {
    writeModules(project);
    const layout = projectLayout(project.root);
    const graphs = new ModuleGraphs(layout, findSluiceHome(), denoInfo);
    await graphs.of(project.path("main.ts"));
    graphs.save();
    Deno.removeSync(layout.modules);
    graphs.save();
    assert.throws(() => Deno.statSync(layout.modules), Deno.errors.NotFound);
  }));

Deno.test("entries that are asked for side by side are read by one call, each with its own graph", () =>
  withProject(async (project) => {
    const texts = {
      "a.ts": 'import { z } from "zod";\nimport "./shared.ts";\nz.string();\n',
      "b.ts": 'import type { X } from "./only_type.ts";\nexport const x: X = 1;\n',
      "c.ts": 'import "./shared.ts";\nexport const lazy = () => import("./late.ts");\n',
      "broken.ts": 'import "./missing.ts";\n',
      "shared.ts": "export {};\n",
      "only_type.ts": "export type X = number;\n",
      "late.ts": 'import "./c.ts";\n',
    };
    for (const [name, text] of Object.entries(texts)) project.write(name, text);
    const calls: number[] = [];
    const info: InfoCommand = (entries, config) => {
      calls.push(entries.length);
      return denoInfo(entries, config);
    };
    const open = (by: InfoCommand) =>
      new ModuleGraphs(projectLayout(project.root), findSluiceHome(), by);
    const entries = ["a.ts", "b.ts", "c.ts", "broken.ts", "a.ts"].map((name) => project.path(name));
    const together = open(info);
    const ends = await Promise.allSettled(entries.map((entry) => together.of(entry)));
    assert.deepEqual(calls, [4]);
    const [a, b, c, broken] = ends;
    for (const [i, end] of [a, b, c].entries()) {
      assert(end.status === "fulfilled");
      assert.deepEqual(end.value, await open(denoInfo).of(entries[i]));
    }
    assert.match(String((broken as PromiseRejectedResult).reason), /missing\.ts/);
  }));

Deno.test("a plan of many entries is read in several calls", () =>
  withProject(async (project) => {
    const entries = Array.from({ length: 230 }, (_, i) => project.path(`entry${i}.ts`));
    const calls: number[] = [];
    const info: InfoCommand = (
      asked,
    ) => (calls.push(asked.length), Promise.resolve({ modules: [] }));
    const graphs = new ModuleGraphs(projectLayout(project.root), findSluiceHome(), info);
    await Promise.all(entries.map((entry) => graphs.of(entry)));
    assert.deepEqual(calls, [100, 100, 30]);
  }));

Deno.test("a graph that nobody asked for is dropped when a file of it changed", () =>
  withProject(async (project) => {
    const files = { "a.ts": 'import "./shared.ts";\n', "b.ts": 'import "./shared.ts";\n' };
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    project.write("shared.ts", "export const x = 1;\n");
    const open = () => new ModuleGraphs(projectLayout(project.root), findSluiceHome(), denoInfo);
    const [a, b] = ["a.ts", "b.ts"].map((name) => project.path(name));
    const first = open();
    const [before] = await Promise.all([first.of(b), first.of(a)]);
    first.save();
    project.write("shared.ts", "export const x = 2;\n");
    const second = open();
    await second.of(a);
    assert.notEqual((await second.of(b)).digest, before.digest);
    const third = open();
    await third.of(a);
    third.save();
    assert.notEqual((await open().of(b)).digest, before.digest);
  }));

Deno.test("a module that keeps its size and time of modification is seen to have changed", () =>
  withProject(async (project) => {
    writeModules(project);
    const path = project.path("lazy.ts");
    const before = await rememberedDigest(project);
    const { atime, mtime } = Deno.statSync(path);
    project.write("lazy.ts", "export const x = 2;\n");
    Deno.utimeSync(path, atime!, mtime!);
    assert.equal(Deno.statSync(path).mtime!.getTime(), mtime!.getTime());
    assert.notEqual(await rememberedDigest(project), before);
  }));

Deno.test("a module that was only touched is hashed once, and nothing else is asked", () =>
  withProject(async (project) => {
    writeModules(project);
    const before = await rememberedDigest(project);
    const long = new Date("2001-02-03");
    Deno.utimeSync(project.path("part.ts"), long, long);
    const never = () => Promise.reject(new Error("nothing is asked"));
    assert.equal(await rememberedDigest(project, never), before);
  }));

Deno.test("an entry is found in a folder whose name means something in a URL", () =>
  withProject(async (project) => {
    for (const folder of ["c#", "100%", "a%20b"].map((name) => project.path(name))) {
      Deno.mkdirSync(folder);
      Deno.writeTextFileSync(join(folder, "main.ts"), "export {};\n");
      const graphs = new ModuleGraphs(projectLayout(folder), findSluiceHome(), denoInfo);
      assert.deepEqual((await graphs.of(join(folder, "main.ts"))).files, []);
    }
  }));

/** As a run finds it: by what an earlier one kept, and keeps for the next. */
async function rememberedDigest(project: TestProject, info: InfoCommand = denoInfo) {
  const graphs = new ModuleGraphs(projectLayout(project.root), findSluiceHome(), info);
  const { digest } = await graphs.of(project.path("main.ts"));
  graphs.save();
  return digest;
}

/** Digest of a module graph that imports vega-lite and zod, under a lock file with an edit. */
function digestUnderLock(project: TestProject, found: RegExp, wanted: string): Promise<string> {
  const home = findSluiceHome();
  const lock = Deno.readTextFileSync(join(home.root, "deno.lock"));
  assert.match(lock, found);
  project.write("deno.lock", lock.replace(found, wanted));
  const graphs = new ModuleGraphs(
    projectLayout(project.root),
    { ...home, root: project.root },
    denoInfo,
  );
  return graphs.of(project.path("main.ts")).then(({ digest }) => digest);
}

Deno.test("the digest covers the packages that are imported, as the lock file pins them", () =>
  withProject(async (project) => {
    project.write("main.ts", 'import "vega-lite";\nimport { z } from "zod";\nz.string();\n');
    const integrity = (name: string) =>
      new RegExp(`("${name}@[^"]+": \\{\\s+"integrity": ")sha512`);
    const before = await digestUnderLock(project, /$/, "");
    const other = (name: string) => digestUnderLock(project, integrity(name), "$1sha256");
    assert.notEqual(await other("zod"), before);
    assert.notEqual(await other("d3-color"), before, "vega-lite imports it through others");
    assert.equal(await other("csv-parse"), before, "nobody imports it");
  }));

Deno.test("of an entry that many stages share one graph is made, until a file is looked at anew", () =>
  withProject(async (project) => {
    writeModules(project);
    const graphs = new ModuleGraphs(projectLayout(project.root), findSluiceHome(), denoInfo);
    const entry = project.path("main.ts");
    const many = await Promise.all(Array.from({ length: 100 }, () => graphs.of(entry)));
    assert.equal(new Set(many).size, 1);
    assert.equal(await graphs.of(entry), many[0]);
    project.write("lazy.ts", "export const x = 3;\n");
    assert.equal(graphs.isCurrent(entry), false);
    assert.notEqual((await graphs.of(entry)).digest, many[0].digest);
  }));
