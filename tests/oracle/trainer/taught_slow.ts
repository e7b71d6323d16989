/** Fine-tuning on a file, here and on a server: lines, validation, passes, and what prompts are read. */
import assert from "node:assert/strict";
import { addModel } from "../../../src/models/store/add_model.ts";
import { ModelStore } from "../../../src/models/store/model_store.ts";
import { withServer } from "./trained_runs.ts";

const line = (prompt: string, completion: string) => JSON.stringify({ prompt, completion });

const pipeline = (policy: string) =>
  `format = 1
name = "taught"
seed = 5
[stages.texts]
kind = "tokens"
model = "tiny"
mask = "none"
most_tokens = 6
[stages.tuned]
kind = "sft"
file = "lines.jsonl"
max_examples = 4
validation_file = "others.jsonl"
validate_every = 4
save_best = "validation_loss_per_token"
batch_size = 2
accumulate = 2
epochs = 12
learning_rate = { start = 0.05, warm_up = 0.1 }
inputs = { environment = "texts" }
policy = { ${policy}, context = 32 }
[stages.answers]
kind = "benchmark"
file = "lines.jsonl"
samples = 4
best_of = 2
inputs = { policy = "tuned.policy", environment = "texts" }
`;

Deno.test({
  name: "a file teaches a policy here and on a server, by the keys that others have",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await withServer(async (project, server) => {
      await addModel(new ModelStore(project.root), project.path("tiny"), { name: "whole" });
      project.write(
        "lines.jsonl",
        [line("a: ", "xy"), line("b: ", "zz"), line("c: ", "q"), line("d: ", "xx")]
          .concat(line("never read: ", "w")).join("\n"),
      );
      project.write("others.jsonl", [line("e: ", "xy"), line("f: ", "zz")].join("\n"));
      const served =
        `kind = "tinker", url = "${server.url}", base_model = "fake", model = "tiny", rank = 4`;
      const here = 'kind = "language_model", model = "whole", adapter = { rank = 4, alpha = 32 }';
      const allow = ["--allow-stage", `tuned=net:${new URL(server.url).host}`];
      const losses: number[][] = [];
      for (
        const [policy, model, flags] of [[here, "whole", []], [served, "tiny", allow]] as const
      ) {
        project.write(
          "taught.toml",
          pipeline(policy).replace('model = "tiny"', `model = "${model}"`),
        );
        const { code, err } = await project.sluice("run", "taught.toml", ...flags);
        assert.equal(code, 0, err);
        const run = project.list("runs").filter((name) => !name.startsWith(".")).at(-1);
        const log = project.read(`runs/${run}/logs/tuned-1.log`);
        assert.match(log, /4 examples, 2 kept to validate, 0 left out/);
        assert.match(log, /best validation_loss_per_token/);
        const rows = await project.query<{ name: string; value: number }>(
          "select name, value from metric where stage = 'tuned' order by name, step",
        );
        const of = (name: string) =>
          rows.filter((row) => row.name === name).map(({ value }) => value);
        assert.equal(of("loss").length, 12); // 12 epochs of 4 lines, by two passes of 2 a step
        assert.equal(of("validation_loss").length, 3);
        losses.push(of("loss"));
        const [{ value }] = await project.query<{ value: number }>(
          "select value from evaluation where measure = 'log_likelihood_per_token'",
        );
        assert.ok(value > -5, `${value}: uniform choice is -5.6`);
      }
      const [first, last] = [losses[1][0], losses[1].at(-1)!];
      assert.ok(Math.abs(first - losses[0][0]) < 1e-4, "the first pass is that of the base model");
      assert.ok(last < 0.8 * first, `${last} of ${first}`);
    });
  },
});
