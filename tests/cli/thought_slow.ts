/** Thought before asked numbers, by the real command line: learnt, fine-tuned, measured from both sides. */
import assert from "node:assert/strict";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { withProject } from "./command_line.ts";

const policy =
  `{ kind = "language_model", model = "tiny", adapter = "full", context = 128, backend = "fused" }`;
const pipeline = (thinking: string) =>
  `format = 1
name = "thought"
[stages.numbers]
kind = "environment"
path = "docs/examples/asked_numbers.ts"
parameters = { max = 9, beyond = -3 }
[stages.texts]
kind = "tokens"
model = "tiny"
inputs = { environment = "numbers" }
thinking = ${thinking}
[stages.ask]
kind = "prompts"
prompts = [{ id = "few", template = "A random integer between 0 and 4:" }]
[stages.start]
kind = "sft"
inputs = { environment = "texts", prompts = "ask" }
policy = ${policy}
file = "lines.jsonl"
validation = 0
steps = 3
states = "terminal"
[stages.train]
kind = "loop"
steps = 120
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "texts", prompts = "ask" }
batch_size = 16
exploration = { kind = "epsilon_uniform", start = 0.3, end = 0.0, until = 0.7 }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
objective = "trajectory_balance"
thoughts = 2
learning_rate = { start = 1e-2 }
[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", environment = "texts", prompts = "ask" }
[stages.answers]
kind = "benchmark"
inputs = { policy = "train.policy", environment = "texts", prompts = "ask" }
file = "lines.jsonl"
samples = 8
best_of = 4
`;
const line = (completion: string) =>
  `${JSON.stringify({ prompt: "A random integer between 0 and 4:", completion })}\n`;

Deno.test("a policy thinks, learns the marginal, and is measured exactly or from both sides", async () => {
  await withProject(["docs/examples"], async (project) => {
    writeRandomCheckpoint(project.path("tiny"), "thought");
    await project.sluice("model", "add", "tiny");
    project.write("lines.jsonl", line("3") + line("<t>1</t>2"));
    const marks = `open = "<t>", close = "</t>"`;
    project.write("p.toml", pipeline(`{ ${marks}, most_tokens = 2, among = ["1", "2"] }`));
    const run = await project.sluice("run", "p.toml");
    assert.equal(run.code, 0, run.err);
    const rows = await project.query(`select measure, value, ci_lo, ci_hi, method from evaluation
      where stage = 'evaluate' and subject_kind = 'policy' and "group" = 'few'`) as Row[];
    const of = (name: string) => rows.find(({ measure }) => measure === name)!;
    assert.equal(of("thoughts").value, 7);
    assert.equal(of("kl_target_policy").method, "exact enumeration");
    assert.ok(of("kl_target_policy").value < 0.3, `${of("kl_target_policy").value}`);
    project.write("p.toml", pipeline(`{ ${marks}, most_tokens = 3 }`));
    const again = await project.sluice("run", "p.toml", "--set", "stages.train.steps=8");
    assert.equal(again.code, 0, again.err);
    const bounded = await project.query(`select measure, value, ci_lo, ci_hi, method from evaluation
      where stage = 'evaluate' and measure = 'kl_target_policy' and "group" = 'few'
      and subject_kind = 'policy'`) as Row[];
    assert.match(bounded[0].method, /bounds in expectation by 64 thoughts/);
    assert.ok(bounded[0].ci_lo < bounded[0].ci_hi);
    project.write("lines.jsonl", line("<t>1 2"));
    const bad = await project.sluice("run", "p.toml");
    assert.equal(bad.code, 2);
    assert.match(bad.err, /lines\.jsonl:1: the thought of "<t>1 2" never closes/);
  });
});

interface Row {
  readonly measure: string;
  readonly value: number;
  readonly ci_lo: number;
  readonly ci_hi: number;
  readonly method: string;
}
