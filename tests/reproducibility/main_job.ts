/** The main job at full size, from an empty project: distances, answer and trajectories. */
import assert from "node:assert/strict";
import type { Answer } from "../../src/answers/answer_schema.ts";
import { withProject } from "../cli/command_line.ts";

const files = ["pipelines", "configs", "grammars", "data"];

const measureSql =
  "select measure, subject_kind, subject, value from evaluation where stage = 'evaluate'";

const countSql = `select count(distinct program_sha256) filter (not replayed) as "distinct",
    count(*) filter (not replayed) as fresh, count(*) filter (x.status <> 'ok') as invalid
  from trajectory left join (select distinct program_sha256, status from execution) x
    using (program_sha256)`;

/** Runs the pipeline with a seed, and compares what came of it with what any seed should reach. */
export async function runMainJob(seed: number): Promise<void> {
  await withProject(files, async (project) => {
    const run = ["run", "pipelines/dugongs.toml", "--quiet", "--set", `seed=${seed}`];
    const { code, err } = await project.sluice(...run);
    assert.equal(code, 0, err);
    const rows = await project.query<Record<string, unknown>>(measureSql);
    const value = (measure: string, kind = "policy", subject = kind) => {
      const wanted = JSON.stringify([measure, kind, subject]);
      const found = rows.find((row) =>
        JSON.stringify([row.measure, row.subject_kind, row.subject]) === wanted
      );
      return Number(found?.value ?? NaN);
    };
    assert.ok(value("tv") <= 0.05, `tv ${value("tv")}`);
    assert.ok(value("kl_target_policy") <= 0.02, `kl ${value("kl_target_policy")}`);
    assert.ok(value("tv", "compared", "sft") > 0.2);
    assert.ok(value("tv", "prior") >= 0.4 && value("tv", "uniform") >= 0.4);
    assert.ok(value("effective_programs_target") >= 200);
    assert.ok(value("raised_share") <= 0.01);
    const told = await project.sluice("report", "last", "--json");
    const { questions: [curve], bootstrap_tv }: Answer = JSON.parse(told.out);
    const logarithmic = curve.answers.find(({ answer }) => answer === "logarithmic")!;
    assert.ok(Math.abs(logarithmic.target! - 0.405) < 0.02, `${logarithmic.target}`);
    assert.ok(logarithmic.lo! < 0.12 && logarithmic.hi! > 0.48 && logarithmic.hi! < 0.65);
    assert.ok(Math.abs(bootstrap_tv!.median - 0.31) < 0.05, `${bootstrap_tv!.median}`);
    const [{ distinct, fresh, invalid }] = await project.query<Record<string, number>>(countSql);
    assert.deepEqual([fresh, invalid], [32000, 0]);
    assert.ok(distinct > 2000 && distinct < value("programs"));
  });
}
