/** The page about experiments, run as it stands. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { runPage } from "./run_page.ts";

Deno.test("the page about experiments runs from its first command to its last", () =>
  withProject(["docs/examples/small_grid.toml"], async (project) => {
    assert.ok(await runPage("docs/experiments.md", project) >= 8);
  }));
