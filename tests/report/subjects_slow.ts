/** A user may call a policy as a baseline is called: report, database and certificate keep them apart. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { certificateSchema } from "../../src/report/certificate_schema.ts";
import { number } from "../../src/report/format.ts";

const pipeline = `format = 1
name = "namesakes"
seed = 1

[stages.grid]
kind = "hypergrid"
ndim = 2
height = 6
r0 = 0.1
r1 = 0.5
r2 = 2.0

[stages.start]
kind = "policy"
inputs = { environment = "grid" }
policy = { kind = "table" }

[stages.train]
kind = "loop"
steps = 300
state = { policy = "start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "grid" }
batch_size = 16

[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
objective = "sub_trajectory_balance"
flow = "exact_where_terminable"
learning_rate = 0.05

[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", environment = "grid" }
compare = { mine = "start.policy", prior = "train.policy", policy = "start.policy" }
floor_repetitions = 2
`;

async function rows(project: CommandLine, sql: string): Promise<unknown[][]> {
  return (await project.query<Record<string, unknown>>(sql)).map((row) => Object.values(row));
}

const tvSql = `select subject_kind, subject, value from evaluation
  where measure = 'tv' and stage = 'evaluate'`;

/** Nothing but the table of all objects goes into these. */
const recomputedSql = `select 0.5 * sum(abs(exp(log_target) - exp(log_prior))) as prior,
    0.5 * sum(abs(exp(log_target) - exp(log_policy))) as policy
  from enumeration`;

Deno.test("policies called prior and policy are not taken for the prior and the policy", async (test) => {
  await withProject([], async (project) => {
    project.write("namesakes.toml", pipeline);
    const ran = await project.sluice("run", "namesakes.toml");
    assert.equal(ran.code, 0, ran.err);
    const [[prior, policy]] = await rows(project, recomputedSql) as [[number, number]];
    assert.ok(policy < 0.01 && prior > 0.5, `${policy} ${prior}`);
    const found = await rows(project, tvSql);
    const tv = (kind: string, subject: string) =>
      Number(found.find((row) => row[0] === kind && row[1] === subject)?.[2]);

    await test.step("in the database", () => {
      assert.ok(Math.abs(tv("prior", "prior") - prior) < 1e-12);
      assert.ok(Math.abs(tv("policy", "policy") - policy) < 1e-12);
      assert.equal(tv("compared", "prior"), tv("policy", "policy"));
      assert.equal(tv("compared", "policy"), tv("compared", "mine"));
      assert.ok(tv("compared", "policy") > 0.5);
      const names = found.map(([kind, subject]) => [kind, subject]);
      assert.deepEqual(names.toSorted(), [
        ["compared", "mine"],
        ["compared", "policy"],
        ["compared", "prior"],
        ["floor", "perfect_sampler"],
        ["policy", "policy"],
        ["prior", "prior"],
        ["uniform", "uniform"],
      ]);
    });

    await test.step("in the certificate, which says from where each policy came", () => {
      const [run] = project.list("runs");
      const certificate = JSON.parse(project.read(`runs/${run}/certificate.json`));
      const { evaluations: [evaluation] } = certificateSchema.parse(certificate);
      assert.equal(evaluation.source, "train.policy");
      assert.equal(evaluation.policy.tv.value, tv("policy", "policy"));
      const beside = evaluation.baselines.map((
        { kind, name, source, measures },
      ) => [kind, name, source, measures.tv.value]);
      assert.deepEqual(beside, [
        ["compared", "mine", "start.policy", tv("compared", "mine")],
        ["compared", "prior", "train.policy", tv("compared", "prior")],
        ["compared", "policy", "start.policy", tv("compared", "policy")],
        ["prior", "prior", undefined, tv("prior", "prior")],
        ["uniform", "uniform", undefined, tv("uniform", "uniform")],
        ["floor", "perfect_sampler", undefined, tv("floor", "perfect_sampler")],
      ]);
    });

    await test.step("in the terminal, in at most 80 columns", () => {
      const table = ran.out.split("\n\n").find((part) => part.startsWith("Divergence from"))!;
      const lines = table.split("\n").slice(2, -1).map((line) => line.trim().split(/ {2,}/));
      const [far, near] = [tv("prior", "prior"), policy].map((value) => number(value));
      assert.deepEqual(
        lines.map(([first, second]) => /^\d/.test(first) ? first : [first, second]),
        [
          ["policy", near],
          ["mine", far],
          ["prior (compared)", undefined],
          near,
          ["policy (compared)", undefined],
          far,
          ["prior", far],
          ["uniform", far],
          ["Verdict: exact: every object was counted", undefined],
          [
            `Histogram of exact draws, one per trajectory: TV ${
              number(tv("floor", "perfect_sampler"), 3)
            } (floor of sampled TVs)`,
            undefined,
          ],
        ],
      );
      for (const line of table.split("\n")) assert.ok([...line].length <= 80, line);
    });

    await test.step("in Markdown and its figures", async () => {
      const { code, err } = await project.sluice("report", "last", "--out", "report");
      assert.equal(code, 0, err);
      const text = project.read("report/report.md");
      const head = "| policy | mine | prior (compared) | policy (compared) | prior | uniform |";
      assert.ok(text.includes(head), text);
      assert.match(text, /- \*\*prior \(compared\)\*\*: the policy `train\.policy`/);
      assert.match(text, /- \*\*prior\*\*: the environment's own weights/);
      assert.match(project.read("report/baselines_evaluate.svg"), /policy \(compared\)/);
    });
  });
});
