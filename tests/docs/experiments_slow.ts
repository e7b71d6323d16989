/** The pages about experiments and about more machines, run as they stand. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { read } from "./markdown.ts";
import { runPage } from "./run_page.ts";

/** Blocks of the page in a language. */
function blocksOf(language: string): string[] {
  const blocks = read("docs/experiments.md").matchAll(/^```(\w+)\n([\s\S]*?)^```/gm);
  return [...blocks].filter(([, name]) => name === language).map(([, , text]) => text);
}

const blockOf = (language: string) => blocksOf(language)[0];

const files = ["docs/examples/small_grid.toml", "docs/examples/cluster.toml"];

Deno.test("the page about experiments runs from its first command to its last", () =>
  withProject(files, async (project) => {
    assert.ok(await runPage("docs/experiments.md", project) >= 20);
    const asked = await project.sluice("query", blockOf("sql"));
    assert.deepEqual(
      [asked.code, /^\s+\d+ /m.test(asked.out)],
      [0, true],
      `${asked.out}${asked.err}`,
    );
    const trackers = blocksOf("toml").find((block) => block.startsWith("[export]"))!;
    const table = blocksOf("toml").find((block) => block.startsWith("[sweep]"))!;
    const pipeline = project.read("docs/examples/small_grid.toml");
    project.write("both.toml", `${pipeline}\n${trackers}\n${table}`);
    const made = await project.sluice("sweep", "both.toml", "--json");
    const points = 5 * 2 * 8 * 2; // seeds, objectives, draws, policies: the first rung of them
    assert.equal(JSON.parse(made.out).points, points, made.err);
  }));

Deno.test("the page about more machines runs from its first command to its last", () =>
  withProject(files, async (project) => {
    assert.ok(await runPage("docs/clusters.md", project) >= 4);
  }));

const container = ["container.toml", "spline.py", "curve.py"].map((name) =>
  `docs/examples/${name}`
);

Deno.test("the page about containers runs as far as it goes without an engine", () =>
  withProject([...container, "data/dugongs.csv"], async (project) => {
    assert.ok(await runPage("docs/containers.md", project) >= 1);
  }));
