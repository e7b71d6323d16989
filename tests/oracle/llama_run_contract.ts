/**
 * A run that starts llama.cpp's own server with SmolLM2 as a service, and asks it as oracle, sampler and
 * critic: by `deno task contract:llama`, after `deno task sluice model add smollm2-135m`.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ModelStore } from "../../src/models/store/mod.ts";
import { addModel } from "../../src/models/store/add_model.ts";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { ggufOf, llamaWheels, pythonWith, serveLlama } from "./python_server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const port = 8233;

/** Texts of a few tokens, written by the server, graded by it, and learnt here; packed weights round by batches. */
const pipeline = (command: readonly string[]) =>
  `format = 1
name = "served"
seed = 5
[stages.llama]
kind = "service"
command = ${JSON.stringify(command)}
url = "http://127.0.0.1:${port}"
[stages.p]
kind = "oracle"
inputs = { service = "llama" }
oracle = { kind = "server", model = "smollm2", tokenizer = "smollm2-135m", weights = "smollm2-135m", max_concurrency = 2, tolerance = 0.5 }
[stages.texts]
kind = "tokens"
model = "smollm2-135m"
most_tokens = 5
[stages.target]
kind = "target"
inputs = { environment = "texts" }
log_reward = [
  { oracle = "p", of = "x" },
  { judge = "llm_critic", oracle = "p", rubric = "A polite beginning?", askings = 1, least_share = 1e-9 },
]
[stages.start]
kind = "policy"
inputs = { environment = "texts" }
policy = { kind = "language_model", model = "smollm2-135m", adapter = { rank = 4, alpha = 8, last_layers = 1 }, context = 64 }
[stages.train]
kind = "loop"
steps = 2
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.write]
kind = "remote_sample"
inputs = { oracle = "p", policy = "state.policy", environment = "texts" }
batch_size = 4
[stages.train.stages.judge]
kind = "judge"
inputs = { trajectories = "write.trajectories", target = "target" }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "write.trajectories", log_reward = "judge.log_reward" }
objective = "trajectory_balance"
`;

Deno.test("a run starts llama.cpp's server, which rewards, writes and grades, and stops it", async () => {
  const python = await pythonWith("LLAMA_ENV", temporaryFolder(), { wheels: llamaWheels });
  const store = new ModelStore(root);
  const gguf = ggufOf(store, store.find("smollm2-135m"));
  await withProject([], async (project) => {
    await addModel(new ModelStore(project.root), gguf, { name: "smollm2-135m" });
    project.write("served.toml", pipeline([python, "-c", serveLlama, gguf, "{port}"]));
    const allowed = ["--allow-stage", "llama=run:*,net:*"];
    const { code, err } = await project.sluice("run", "served.toml", ...allowed);
    assert.equal(code, 0, err);
    const [run] = project.list("runs").filter((name) => !name.startsWith("."));
    const compared = /compared with "smollm2-135m" .*/.exec(
      project.read(`runs/${run}/logs/p-1.log`),
    );
    console.log(
      compared?.[0] ?? assert.fail("the log does not compare the server with the weights here"),
    );
    await recorded(project);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/health`));
  });
});

/** Eight texts, each with a call of its own reward and five of its grade: rewards are of the texts written. */
async function recorded(project: CommandLine): Promise<void> {
  const [calls] = await project.query<Record<string, number>>(
    `select count(*) filter ("of" = 'x') as rewards, count(*) filter ("of" = 'critic') as grades,
       count(distinct program) as texts, max(list_max(log_probs)) as largest from oracle_call`,
  );
  assert.ok(calls.texts > 4 && calls.rewards >= calls.texts);
  assert.ok(calls.grades >= 5 * calls.texts);
  assert.ok(calls.largest < 1e-3);
  const gaps = await project.query<{ value: number }>(
    "select value from metric where name = 'log_pf_gap'",
  );
  console.log(
    `log p of the server less that of the policy: ${gaps.map(({ value }) => value)} nats`,
  );
  assert.ok(gaps.length === 2 && gaps.every(({ value }) => Math.abs(value) < 2));
}
