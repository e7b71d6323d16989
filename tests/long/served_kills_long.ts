/** Ten kills of the runner and ten of a server that rewards, over a whole run: nothing is lost, doubled, or asked in vain. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { addTiny, servedTarget } from "../oracle/served_pipeline.ts";
import { StubServer } from "../oracle/stub_server.ts";

/** Tokens of the tiny model. */
const size = 258;

/** A table that learns what a server says of numbers from 0 to 40, some of them in each of twelve steps. */
const pipeline = (url: string) =>
  `${
    servedTarget(
      `oracle = { kind = "server", url = "${url}", model = "small", tokenizer = "tiny", retries = 3, pause = 0.01 }`,
      40,
    )
  }[stages.train]
kind = "loop"
steps = 12
checkpoint_every = 3
state = { policy = "table.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "digits" }
batch_size = 8
[stages.train.stages.judge]
kind = "judge"
inputs = { trajectories = "sample.trajectories", target = "target" }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", log_reward = "judge.log_reward" }
objective = "trajectory_balance"
[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", target = "target" }
floor_repetitions = 0
`;

const path = "/v1/completions";

/** Where something is killed: when the server has had so many questions. */
interface Fault {
  readonly runner?: number;
  readonly server?: number;
}

/** End of a run: its divergence, its rows, and the number of requests to the server. */
async function endOf(fault: Fault) {
  await using server = new StubServer("vllm", size);
  let ended = { rows: "", value: NaN, asked: 0 };
  await withProject([], async (project) => {
    await addTiny(project);
    project.write("served.toml", pipeline(server.url));
    const args = [
      "run",
      "served.toml",
      "--set",
      "seed=2",
      "--allow-stage",
      `p=net:${new URL(server.url).host}`,
    ];
    server.instead = {
      // A server that dies breaks off, and is gone for the next question as well.
      [path]: (_, attempt) =>
        fault.server !== undefined && [0, 1].includes(attempt - fault.server)
          ? new Response('{"choices": [{"prompt_log')
          : undefined,
    };
    if (fault.runner !== undefined) {
      await project.killed(args, () => server.asked(path) >= fault.runner!);
    }
    const { code, err } = await project.sluice(...args);
    assert.equal(code, 0, err);
    const [{ value }] = await project.query<{ value: number }>(
      "select value from evaluation where measure = 'kl_target_policy' and subject = 'policy'",
    );
    const rows = await project.query(
      "select program, log_probs, count(*) as n from oracle_call group by all order by all",
    );
    ended = { rows: JSON.stringify(rows), value, asked: server.asked(path) };
  });
  return ended;
}

Deno.test({
  name: "twenty kills leave the rows and the bits of a run without",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    const whole = await endOf({});
    for (let kill = 1; kill <= 10; kill++) {
      const at = Math.max(1, Math.floor(whole.asked * kill / 11));
      for (const fault of [{ runner: at }, { server: at }]) {
        const { rows, value, asked } = await endOf(fault);
        console.log(`${JSON.stringify(fault)} of ${whole.asked}: ${value}, ${asked} questions`);
        assert.deepEqual([value, rows], [whole.value, whole.rows]);
        // Asked again are the batch under way, and how the server is known.
        assert.ok(asked <= whole.asked + 40, `${asked} questions`);
      }
    }
  },
});
