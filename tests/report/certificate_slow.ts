/** Certificate and report of a small hypergrid run, through the real command line. */
import assert from "node:assert/strict";
import {
  type CertificateBaseline,
  type CertificateEvaluation,
  certificateSchema,
  certificateSchemaText,
} from "../../src/report/certificate_schema.ts";
import { withProject } from "../cli/command_line.ts";

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
    assert.equal(ran.code, 0, ran.err);
    const [run] = project.list("runs");
    const written = JSON.parse(project.read(`runs/${run}/certificate.json`));

    await test.step("it holds what the run proved", () => {
      const { evaluations: [evaluation], course, run: about } = certificateSchema.parse(written);
      assert.deepEqual([about.run_id, about.name, about.seed], [run, "hypergrid", 1]);
      const { policy, baselines } = evaluation;
      assert.equal(evaluation.exact, true);
      assert.equal(evaluation.trajectories, 320);
      assert.ok(evaluation.distinct_evaluations <= 16);
      for (const name of ["tv", "kl_target_policy", "kl_policy_target", "jsd", "log_z_error"]) {
        assert.equal(typeof policy[name].value, "number", name);
      }
      for (const name of ["lost_mass", "valid_share", "elbo_gap", "eubo_gap"]) {
        assert.equal(typeof policy[name].value, "number", name);
      }
      assert.deepEqual(baselines.map(({ kind, name }) => `${kind} ${name}`), [
        ...["compared initial", "prior prior", "uniform uniform", "floor perfect_sampler"],
      ]);
      assert.ok(Number(policy.tv.value) < Number(baselines[0].measures.tv.value));
      assert.deepEqual(course.map(({ step, trajectories }) => [step, trajectories]), [
        [10, 160],
        [20, 320],
      ]);
      const mass = evaluation.lengths.reduce((sum, { policy }) => sum + Number(policy), 0);
      assert.ok(Math.abs(mass - 1) < 1e-9);
      assert.ok(Math.abs(evaluation.attribution[0].kl_target_policy as number) > 0);
    });

    await test.step("report writes Markdown with figures that it links", async () => {
      const { code, err } = await project.sluice("report", run, "--out", "report");
      assert.equal(code, 0, err);
      const text = project.read("report/report.md");
      const linked = [...text.matchAll(/\]\((\w+\.svg)\)/g)].map(([, name]) => name);
      assert.ok(linked.length >= 3);
      const pictures = linked.flatMap((name) => [name, name.replace(/svg$/, "png")]);
      const pages = ["report.html", "report.md"];
      assert.deepEqual(project.list("report"), [...pages, ...pictures].sort());
      const page = project.read("report/report.html");
      assert.match(page, /<h2 id="proof">/);
      assert.doesNotMatch(page, /<h2 id="(data|questions|curves|programs)"/);
      for (const name of linked) assert.match(project.read(`report/${name}`), /^<svg[^>]*>/);
      assert.match(text, /\| total variation \|/);
      assert.doesNotMatch(text, /undefined|NaN/);
    });

    await test.step("evaluate measures more of the same policy, and trains nothing", async () => {
      const flags = ["--budget", "64", "--repetitions", "2", "--capacity", "5"];
      const again = await project.sluice("evaluate", run, ...flags);
      assert.equal(again.code, 0, again.err);
      assert.match(again.err, /train +cached/);
      const [, second] = project.list("runs");
      const { evaluations: [after] } = JSON.parse(project.read(`runs/${second}/certificate.json`));
      const { evaluations: [before] } = written;
      assert.deepEqual(after.policy, before.policy);
      const named = ({ baselines }: CertificateEvaluation) => baselines.map(({ name }) => name);
      const more = named(after).filter((name) => !named(before).includes(name));
      assert.deepEqual(more, [
        "counting",
        "metropolis_hastings",
        "metropolis_hastings_known",
        "sequential_monte_carlo",
        "sequential_monte_carlo_known",
        "beam_search",
        "capacity",
      ]);
      const search = after.baselines.find(
        ({ name }: CertificateBaseline) => name === "metropolis_hastings",
      );
      assert.equal(search.measures.tv.n, 2);
    });

    await test.step("evaluate measures the run of an evaluation again, with lists laid over it", async () => {
      const [, second] = project.list("runs");
      const flags = ["--rivals", "reinforce", "--budget", "100"];
      for (const run of [second, "last"]) {
        const { err } = await project.sluice("evaluate", run, ...flags);
        assert.match(err, /✓ evaluate|evaluate +cached/, err);
      }
      const third = project.list("runs")[2];
      const { evaluations: [one] } = JSON.parse(project.read(`runs/${third}/certificate.json`));
      const rival = one.baselines.find(({ kind }: CertificateBaseline) => kind === "rival");
      assert.equal(rival.name, "reinforce");
      assert.ok(rival.measures.tv.value > 0);
    });

    await test.step("evaluate refuses a budget that fills no batch, and a pipeline that changed", async () => {
      const small = await project.sluice("evaluate", run, "--budget", "3");
      assert.equal(small.code, 2);
      assert.match(small.err, /Cannot run the baselines with a budget of 3 distinct evaluations/);
      project.edit("pipelines/benchmarks/hypergrid.toml", "r2 = 2.0", "r2 = 3.0");
      const changed = await project.sluice("evaluate", run);
      assert.equal(changed.code, 2);
      assert.match(changed.err, /again: stages\.grid\.r2 was 2 and is 3\n {2}mend: give/);
      project.edit("pipelines/benchmarks/hypergrid.toml", "r2 = 3.0", "r2 = 2.0");
    });

    await test.step("report --certificate --json prints the certificate", async () => {
      const { out } = await project.sluice("report", run, "--certificate", "--json");
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
    assert.match(
      err,
      /Run last has nothing to report: it executed no program .*\n {2}mend: a stage of kind rank/,
    );
  });
});

Deno.test("schemas/certificate.schema.json is current (deno task schema writes it)", () => {
  const file = new URL("../../schemas/certificate.schema.json", import.meta.url);
  assert.equal(Deno.readTextFileSync(file), certificateSchemaText());
});
