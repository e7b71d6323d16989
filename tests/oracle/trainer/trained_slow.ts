/** A policy that a server trains, in a pipeline: consent, a target that is learned, kills of runner and server. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { addModel } from "../../../src/models/store/add_model.ts";
import { ModelStore } from "../../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { home, withProject } from "../../cli/command_line.ts";
import { divergenceOf, pipeline, withServer } from "./trained_runs.ts";

Deno.test({
  name: "a server trains a policy to its target, once it is allowed, and its adapter is exported",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await withServer(async (project, server) => {
      project.write("trained.toml", pipeline(server.url, 30));
      const before = await project.sluice("run", "trained.toml");
      assert.equal(before.code, 2);
      const allow = ["--allow-stage", `start=net:${new URL(server.url).host}`];
      assert.match(before.err, new RegExp(allow[1]));
      assert.equal(server.requests, 0);

      const { code, err } = await project.sluice("run", "trained.toml", ...allow);
      assert.equal(code, 0, err);
      assert.equal(server.loaded.length, 0, "models are let go");
      const rows = await project.query<{ subject: string; value: number }>(
        "select subject, value from evaluation where measure = 'kl_target_policy'",
      );
      const of = (name: string) => rows.find(({ subject }) => subject === name)!.value;
      assert.ok(of("before") > 0.7 && of("policy") < 0.01, JSON.stringify(rows));
      const gaps = await project.query<{ value: number }>(
        "select value from metric where name = 'log_pf_gap'",
      );
      assert.ok(gaps.length === 30 && gaps.every(({ value }) => Math.abs(value) < 1e-5));

      const exported = await project.sluice(
        "export",
        "adapter",
        "last",
        "--of",
        "train.policy",
        "--out",
        "adapter",
      );
      assert.equal(exported.code, 0, exported.err);
      const settings = JSON.parse(project.read("adapter/adapter_config.json"));
      assert.deepEqual([settings.r, settings.lora_alpha], [4, 32]);
      assert.equal(settings.target_modules.length, 14);
    });
  },
});

Deno.test({
  name: "a kill of the runner, and one of the server, leave the bits of a run without",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const { value, requests } = await divergenceOf({}, 6);
    const half = Math.floor(requests / 2);
    const server = { at: half, when: "after" } as const;
    assert.equal((await divergenceOf({ runner: half, server }, 6)).value, value);
  },
});

const port = 8248;

Deno.test("a run starts what trains its policy, and stops it; a server and a service are one too many", async () => {
  await withProject([], async (project) => {
    writeRandomCheckpoint(project.path("tiny"), "served");
    await addModel(new ModelStore(project.root), project.path("tiny"), { tokenizerOnly: true });
    const main = fileURLToPath(new URL("tinker_service.ts", import.meta.url));
    const command = [
      ...[Deno.execPath(), "run", "-A", "--no-check", "--config", `${home}deno.json`, main],
      ...[project.path("tiny"), "{port}", "{token}"],
    ];
    const served = `
[stages.trainer]
kind = "service"
command = ${JSON.stringify(command)}
url = "http://127.0.0.1:${port}"
health = "/api/v1/healthz"
`;
    const own = pipeline("http://127.0.0.1:1", 3) + served;
    const wired = own.replace(
      'inputs = { environment = "texts" }\npolicy',
      'inputs = { environment = "texts", service = "trainer" }\npolicy',
    );
    project.write("trained.toml", wired);
    assert.match((await project.sluice("check", "trained.toml")).err, /both a URL and a service/);
    project.write("trained.toml", own.replace(/url = "http:\/\/127\.0\.0\.1:1", /, ""));
    assert.match(
      (await project.sluice("check", "trained.toml")).err,
      /neither a URL nor a service/,
    );
    project.write("trained.toml", wired.replace(/url = "http:\/\/127\.0\.0\.1:1", /, ""));
    const allow = ["--allow-stage", "trainer=run:*,net:*"];
    const { code, err } = await project.sluice("run", "trained.toml", ...allow);
    assert.equal(code, 0, err);
    const rows = await project.query<{ value: number }>(
      "select value from evaluation where measure = 'kl_target_policy' and subject = 'policy'",
    );
    assert.ok(rows.length === 1 && Number.isFinite(rows[0].value));
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/v1/healthz`));
  });
});
