/** Sub-trajectory balance on the main job by its overlay, as the page about the two objectives runs it. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";

const files = [
  "pipelines/dugongs.toml",
  "configs/sub_trajectory_balance.toml",
  "configs/sft_small.toml",
  "configs/fast.toml",
  "configs/sft_fast.toml",
  "grammars/growth_curves.toml",
  "grammars/growth_curves_small.toml",
  "data/dugongs.csv",
];

/** One step of six walks that explore: few enough that prefixes are not ends of other walks. */
const values = [
  "stages.train.steps=1",
  "stages.train.stages.progress.every=1",
  "stages.train.stages.sample.batch_size=6",
  "stages.train.stages.sample.exploration.start=1.0",
];

Deno.test("the overlay of sub-trajectory balance executes complete prefixes beside ends", () =>
  withProject(files, async (project) => {
    const overlays = ["@configs/fast.toml", "@configs/sub_trajectory_balance.toml"];
    const set = values.flatMap((value) => ["--set", value]);
    const command = ["run", "pipelines/dugongs.toml", ...overlays, ...set];
    const { code, err } = await project.sluice(...command);
    assert.equal(code, 1, err); // one step is no training, as the check of its divergence says
    const sql =
      `select (select count(distinct program) from trajectory where stage = 'train.judge') ends,
      (select max(distinct_evaluations) from evaluation where stage = 'evaluate') executed`;
    const [{ ends, executed }] = await project.query(sql) as { ends: number; executed: number }[];
    assert.ok(ends <= 6 && executed > ends, `${executed} programs of ${ends} ends`);
  }));
