/** The pages about experiments and about more machines, run as they stand. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { runPage } from "./run_page.ts";

const files = ["docs/examples/small_grid.toml", "docs/examples/cluster.toml"];

Deno.test("the page about experiments runs from its first command to its last", () =>
  withProject(files, async (project) => {
    assert.ok(await runPage("docs/experiments.md", project) >= 20);
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
