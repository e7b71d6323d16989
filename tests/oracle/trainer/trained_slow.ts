/** A policy that a server trains, in a pipeline: consent, a target that is learned, kills of runner and server. */
import assert from "node:assert/strict";
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
