/** One policy for many data sets of each family in a pipeline: simulate, amortise, evaluate, and the file. */
import assert from "node:assert/strict";
import { runInProcess, valueOf } from "../../bench/pipeline_in_process.ts";
import { searchSubject, uniformSubject } from "../../stages/evaluation/subjects.ts";

const small = (family: string) => [
  ...["stages.tables.data_sets=30", "stages.tables.held_out=10", "stages.tables.predictors=[2,3]"],
  ...["stages.tables.rows=[20,40]", "stages.tables.programs=6", `stages.tables.family=${family}`],
  ...["stages.train.steps=2", "stages.train.stages.amortise.updates=2"],
  'stages.start.policy={ kind = "amortised", width = 8, hidden = 8 }',
];

for (const family of ["poisson", "binomial", "student_t"]) {
  Deno.test(`a policy of ${family} is counted on held-out data sets, beside what it began with`, async () => {
    const path = "pipelines/amortised_regression.toml";
    const { evaluation: rows } = await runInProcess(path, small(`"${family}"`));
    const median = (of?: Parameters<typeof valueOf>[2]) => valueOf(rows, "tv_median", of)!;
    assert.ok(median() < 0.15 && median() < median(uniformSubject) / 2, `${median()}`);
    for (const name of ["straightened", "labels"]) assert.ok(median(searchSubject(name)) >= 0);
  });
}
