/** Certificate and report of a small hypergrid run, through the real command line. */
import assert from "node:assert/strict";
import { certificateSchema, certificateSchemaText } from "../../src/ports/certificate.ts";
import { withProject } from "./command_line.ts";

const files = ["pipelines/benchmarks"];
const small = [
  "stages.grid.height=4",
  "stages.train.steps=20",
  "stages.train.stages.progress.every=10",
  "stages.evaluate.floor_repetitions=2",
  "stages.evaluate.baseline_repetitions=0",
].flatMap((one) => ["--set", one]);

Deno.test("a run leaves a certificate that its schema accepts, and a report is made of it", async (test) => {
  await withProject(files, async (project) => {
    const ran = await project.sluice("run", "pipelines/benchmarks/hypergrid.toml", ...small);
    assert.equal(ran.code, 1, ran.err); // the check wants what twenty steps cannot reach
    const [run] = project.list("runs");
    const written = JSON.parse(project.read(`runs/${run}/certificate.json`));

    await test.step("it holds what the run proved", () => {
      const { evaluations: [evaluation], course, run: about } = certificateSchema.parse(written);
      assert.deepEqual([about.run_id, about.name, about.seed], [run, "hypergrid", 1]);
      const { policy, beside } = evaluation;
      assert.equal(evaluation.exact, true);
      assert.equal(evaluation.trajectories, 320);
      assert.ok(evaluation.distinct_evaluations <= 16);
      for (const name of ["tv", "kl_target_policy", "kl_policy_target", "jsd", "log_z_error"]) {
        assert.equal(typeof policy[name].value, "number", name);
      }
      for (const name of ["lost_mass", "valid_share", "elbo_gap", "eubo_gap"]) {
        assert.equal(typeof policy[name].value, "number", name);
      }
      assert.deepEqual(Object.keys(beside).sort(), ["floor", "initial", "prior", "uniform"]);
      assert.ok(Number(policy.tv.value) < Number(beside.initial.tv.value));
      assert.deepEqual(course.map(({ step, trajectories }) => [step, trajectories]), [
        [10, 160],
        [20, 320],
      ]);
      const mass = evaluation.lengths.reduce((sum, { policy }) => sum + Number(policy), 0);
      assert.ok(Math.abs(mass - 1) < 1e-9);
      assert.ok(Math.abs(evaluation.attribution[0].kl_target_policy as number) > 0);
    });

    await test.step("report writes Markdown with figures that it links", async () => {
      const { code, err } = await project.sluice("report", "last", "--out", "report");
      assert.equal(code, 0, err);
      const text = project.read("report/report.md");
      const linked = [...text.matchAll(/\]\((\w+\.svg)\)/g)].map(([, name]) => name);
      assert.ok(linked.length >= 4);
      assert.deepEqual(project.list("report"), ["report.md", ...linked].sort());
      for (const name of linked) assert.match(project.read(`report/${name}`), /^<svg[^>]*>/);
      assert.match(text, /\| total variation \|/);
      assert.doesNotMatch(text, /undefined|NaN/);
    });

    await test.step("report --json prints the certificate", async () => {
      const { out } = await project.sluice("report", "--json");
      assert.deepEqual(JSON.parse(out), written);
    });
  });
});

Deno.test("a run that evaluated nothing has no report, and says what would make one", async () => {
  await withProject(files, async (project) => {
    const path = "pipelines/benchmarks/hypergrid.toml";
    const text = project.read(path);
    const [start] = text.split("[stages.train]");
    project.write("pipelines/nothing.toml", start.replace("#:schema ../../", "#:schema ../"));
    assert.equal((await project.sluice("run", "pipelines/nothing.toml")).code, 0);
    const { code, err } = await project.sluice("report", "last");
    assert.equal(code, 2);
    assert.match(err, /Run last has evaluated nothing\n {2}mend: a pipeline with a stage of kind/);
  });
});

Deno.test("schemas/certificate.schema.json is current (deno task schema writes it)", () => {
  const file = new URL("../../schemas/certificate.schema.json", import.meta.url);
  assert.equal(Deno.readTextFileSync(file), certificateSchemaText());
});
