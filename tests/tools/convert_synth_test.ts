/** Files of synth-ai become pipelines that are well formed, and nothing is left out without a word. */
import assert from "node:assert/strict";
import { findSluiceHome } from "../../src/pipeline/project/project.ts";
import { resolvePipeline } from "../../src/pipeline/read/resolve.ts";
import { builtInKinds } from "../../stages/mod.ts";
import { convertSynth } from "../../tools/convert_synth/convert_synth.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const sft = `
[algorithm]
type = "offline"
method = "sft"
[job]
model = "Qwen/Qwen3-0.6B"
data_path = "chat.jsonl"
[compute]
gpu_type = "H100"
gpu_count = 4
[training]
mode = "lora"
[training.lora]
r = 10
alpha = 16
dropout = 0.05
target_modules = ["q_proj", "v_proj"]
[hyperparameters]
n_epochs = 2
batch_size = 8
learning_rate = 5e-5
sequence_length = 1024
warmup_ratio = 0.03
[hyperparameters.parallelism]
use_deepspeed = true
`;

const rl = `
[algorithm]
type = "online"
method = "policy_gradient"
variety = "gspo"
[services]
task_url = "http://127.0.0.1:8001"
[model]
base = "Qwen/Qwen3-4B"
trainer_mode = "lora"
label = "My task"
[rollout]
env_name = "numbers"
max_turns = 10
episodes_per_batch = 64
[training]
num_epochs = 2
iterations_per_epoch = 20
group_size = 8
learning_rate = 5e-5
weight_sync_interval = 2
gradient_accumulation_steps = 4
[evaluation]
instances = 50
every_n_iters = 10
seeds = [0, 1]
`;

/** The stages of a converted file, read as a run would. */
async function stagesOf(text: string) {
  const root = temporaryFolder();
  try {
    const { pipeline, leftOut } = convertSynth(text, "mine.toml");
    Deno.writeTextFileSync(`${root}/deno.json`, "{}");
    Deno.writeTextFileSync(`${root}/chat.jsonl`, '{"completion": "a"}\n');
    Deno.copyFileSync("docs/examples/asked_numbers.ts", `${root}/task.ts`);
    const path = `${root}/p.toml`;
    Deno.writeTextFileSync(path, pipeline);
    const sluiceRoot = findSluiceHome().root;
    const { name, stages } = await resolvePipeline({ path, kinds: builtInKinds, sluiceRoot });
    const units = stages.flatMap((one) => [one, ...one.loop?.stages ?? []]);
    return { name, leftOut, of: new Map(units.map((one) => [one.name, one.params as never])) };
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("a file for fine-tuning has its epochs, rates and adapter", async () => {
  const { name, of, leftOut } = await stagesOf(sft);
  assert.equal(name, "mine");
  const { epochs, batch_size, learning_rate, policy } = of.get("tuned") as unknown as {
    readonly [key: string]: unknown;
  };
  assert.deepEqual([epochs, batch_size], [2, 8]);
  assert.deepEqual(learning_rate, { start: 5e-5, schedule: "constant", end: 0, warm_up: 0.03 });
  const { adapter, context, model } = policy as { readonly [key: string]: unknown };
  assert.deepEqual(adapter, { rank: 12, alpha: 16, targets: ["q_proj", "v_proj"], dropout: 0.05 });
  assert.deepEqual([context, model], [1024, "qwen3-0.6b"]);
  const names = leftOut.map((one) => one.split(":")[0]);
  assert.deepEqual(names, [
    "compute.gpu_type",
    "compute.gpu_count",
    "hyperparameters.parallelism.use_deepspeed",
  ]);
});

Deno.test("a file for reinforcement learning is a loop on an environment of one's own", async () => {
  const { name, of, leftOut } = await stagesOf(rl);
  assert.equal(name, "my_task");
  assert.equal((of.get("train.sample") as unknown as { batch_size: number }).batch_size, 64);
  const { objective, stale } = of.get("train.learn") as unknown as Record<string, unknown>;
  assert.deepEqual([objective, stale], ["grpo", "uncorrected"]);
  assert.equal((of.get("answers") as unknown as { samples: number }).samples, 50);
  assert.ok(leftOut.some((one) => /^services\.task_url: .*\.\/task\.ts$/.test(one)));
  assert.ok(leftOut.some((one) => /^training\.gradient_accumulation_steps: learn makes/.test(one)));
  assert.ok(leftOut.every((one) => !one.endsWith("nothing here reads it")), leftOut.join("\n"));
});

Deno.test("what is none of both, and what is no TOML, is refused; unknown keys are listed", () => {
  assert.throws(() => convertSynth("[a]\nb = 1\n", "x.toml"), /neither \[job\] nor/);
  assert.throws(() => convertSynth("[a\n", "x.toml"), /Cannot read this as TOML/);
  const { leftOut } = convertSynth(`${sft}\n[job2]\nx = 1\n`, "x.toml");
  assert.ok(leftOut.includes("job2.x: nothing here reads it"));
});
