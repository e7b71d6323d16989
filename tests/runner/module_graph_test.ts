/** Module graphs: every imported file counts, wherever the project lies. */
import assert from "node:assert/strict";
import { ModuleGraphs } from "../../src/runner/module_graph.ts";
import { denoInfo } from "../../src/runner/process.ts";
import { findSluiceHome, projectLayout } from "../../src/runner/project.ts";
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
    const info = (entry: string, config?: string) => (asked++, denoInfo(entry, config));
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
