/** `sluice check`: whole messages for pipelines that are wrong, and what it says of right ones. */
import { builtInKinds } from "../../stages/mod.ts";
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";

const files = ["pipelines", "configs", "grammars", "data"];
const dugongs = "pipelines/dugongs.toml";

Deno.test("a right pipeline is well formed, and nothing is written", async () => {
  await withProject(files, async (project) => {
    const before = project.list();
    const err =
      `${dugongs} is well formed: 12 stages, 2 checks\nnext: deno task sluice run ${dugongs}\n`;
    assert.deepEqual(await project.sluice("check", dugongs), { code: 0, out: "", err });
    assert.deepEqual(await project.sluice("check", dugongs, "--quiet"), {
      code: 0,
      out: "",
      err: "",
    });
    const fast = await project.sluice("check", dugongs, "@configs/fast.toml", "--quiet");
    assert.deepEqual(fast, { code: 0, out: "", err: "" });
    assert.deepEqual(project.list(), before);
  });
});

Deno.test("check --json tells of each value where it came from", async () => {
  await withProject(files, async (project) => {
    const args = ["@configs/fast.toml", "--set", "seed=7", "--json"];
    const { code, out, err } = await project.sluice("check", dugongs, ...args);
    assert.deepEqual([code, err], [0, ""]);
    const values: { path: string; value: unknown; source: string; file?: string }[] = JSON.parse(
      out,
    );
    const find = (path: string) => {
      const { value, source, file } = values.find((one) => one.path === path)!;
      return [value, source, file];
    };
    assert.deepEqual(find("name"), ["dugongs", "file", dugongs]);
    assert.deepEqual(find("seed").slice(0, 2), [7, "set"]);
    assert.deepEqual(find("stages.train.steps"), [150, "overlay", "configs/fast.toml"]);
    assert.deepEqual(find("stages.warm_start.policy.width").slice(0, 1), [32]);
    assert.deepEqual(find("stages.train.checkpoint_every").slice(0, 2), [50, "default"]);
  });
});

/** Each of two loops starts where the other one ends. */
const twoLoops = ["first", "second"].map((name, i) => `
[stages.${name}]
kind = "loop"
steps = 1
state = { policy = "${["second", "first"][i]}.policy" }
next = { policy = "state.policy" }
stages = {}
`).join("").replace("\n", "format = 1\n");

interface Wrong {
  readonly what: string;
  readonly edit?: (project: CommandLine) => void;
  readonly args?: readonly string[];
  readonly says: string;
}

const wrong: readonly Wrong[] = [
  {
    what: "a mistyped key",
    edit: (project) => project.edit(dugongs, "learning_rate =", "leraning_rate ="),
    says: `pipelines/dugongs.toml:56:1: Cannot read stage "train.learn": unknown key "leraning_rate"
  56 | leraning_rate = { start = 3e-3, schedule = "cosine", end = 0.0 }
     | ^^^^^^^^^^^^^
  mend: did you mean "learning_rate"? Known keys: advantage, alpha, average_decay, beta, clip, clip_norm, epochs, flow, flow_learning_rate, kl, lambda, learning_rate, log_z, log_z_learning_rate, log_z_start, objective, parameters, partial_reward, replay, residual_loss, reward_exponent, stale, thoughts, trace, until, weight_decay
`,
  },
  {
    what: "not TOML",
    edit: (project) => project.write(dugongs, "format = 1\nname =\n"),
    says: `pipelines/dugongs.toml:2:7: Cannot read this as TOML: a value is missing
   2 | name =
     |       ^
  mend: write a value, or remove the key
`,
  },
  {
    what: "an unknown kind",
    edit: (project) => project.edit(dugongs, 'kind = "sft"', 'kind = "sfd"'),
    says: `pipelines/dugongs.toml:25:8: Cannot read stage "warm_start": unknown kind "sfd"
  25 | kind = "sfd"
     |        ^^^^^
  mend: did you mean "sft"? Known kinds: ${[...builtInKinds.keys(), "loop"].sort().join(", ")}
`,
  },
  {
    what: "an unknown port",
    edit: (project) => project.edit(dugongs, '"judge.log_reward"', '"judge.log_rewards"'),
    says:
      `pipelines/dugongs.toml:52:88: Cannot wire stage "train.learn": log_reward is "judge.log_rewards", but stage "train.judge" has no output "log_rewards"
  52 | inputs = { policy = "state.policy", trajectories = "sample.trajectories", log_reward = "judge.log_rewards" }
     |                                                                                        ^^^^^^^^^^^^^^^^^^^
  mend: did you mean "log_reward"? Its outputs: log_reward
`,
  },
  {
    what: "an unknown stage",
    edit: (project) =>
      project.edit(dugongs, 'environment = "programs", data', 'environment = "program", data'),
    says:
      `pipelines/dugongs.toml:20:26: Cannot wire stage "target": environment is "program", but there is no stage "program"
  20 | inputs = { environment = "program", data = "data" }
     |                          ^^^^^^^^^
  mend: did you mean "programs"? Known stages: data, programs, warm_start, train, evaluate, integrity
`,
  },
  {
    what: "a stage that waits for itself",
    edit: (project) =>
      project.edit(
        dugongs,
        'policy = "train.policy", target = "target"',
        'policy = "evaluate", target = "target"',
      ),
    says:
      `pipelines/dugongs.toml:65:21: Cannot wire stage "evaluate": policy is "evaluate", but that is an output of the stage itself
  65 | inputs = { policy = "evaluate", target = "target", scored = "train.scored" }
     |                     ^^^^^^^^^^
  mend: wire it to another stage
`,
  },
  {
    what: "a cycle",
    edit: (project) => project.write(dugongs, twoLoops),
    says:
      `pipelines/dugongs.toml:5:20: Cannot order the stages: each waits for the next: first → second → first
   5 | state = { policy = "second.policy" }
     |                    ^^^^^^^^^^^^^^^
  mend: wire one of them to something else; a loop is the way to feed a result back

pipelines/dugongs.toml:7:1: Cannot read stage "first": it has no stages
   7 | stages = {}
     | ^^^^^^
  mend: add a stage: [stages.first.stages.first] with kind = "…"

pipelines/dugongs.toml:14:1: Cannot read stage "second": it has no stages
  14 | stages = {}
     | ^^^^^^
  mend: add a stage: [stages.second.stages.first] with kind = "…"

3 errors
`,
  },
  {
    what: "a wire between ports of different types",
    edit: (project) =>
      project.edit(
        dugongs,
        'environment = "programs", data = "data"',
        'environment = "data", data = "data"',
      ),
    says:
      `pipelines/dugongs.toml:20:26: Cannot wire stage "target": environment is "data", which gives dataset, wanted environment
  20 | inputs = { environment = "data", data = "data" }
     |                          ^^^^^^
  mend: these give environment: "programs"
`,
  },
  {
    what: "a data file that is not there",
    edit: (project) => project.edit(dugongs, "dugongs.csv", "dugong.csv"),
    says:
      `pipelines/dugongs.toml:9:8: Cannot read stage "data": there is no file "../data/dugong.csv"
   9 | path = "../data/dugong.csv"
     |        ^^^^^^^^^^^^^^^^^^^^
  mend: did you mean "../data/dugongs.csv"?
`,
  },
  {
    what: "a pipeline that is not there",
    edit: (project) => Deno.removeSync(project.path(dugongs)),
    says: `Cannot read pipelines/dugongs.toml: there is no file "pipelines/dugongs.toml"
  mend: paths are relative to the working directory
`,
  },
  {
    what: "--set of an unknown path",
    args: ["--set", "stages.train.stepz=3"],
    says: `--set:1:14: Cannot read stage "train": unknown key "stepz"
   1 | stages.train.stepz=3
     |              ^^^^^
  mend: did you mean "steps"? Known keys: best, checkpoint_every, keep_every, next, stages, staleness, state, steps
`,
  },
  {
    what: "--set of a wrong type",
    args: ["--set", "stages.train.steps=many"],
    says:
      `--set:1:20: Cannot read stage "train": steps is "many", wanted a whole number of at least 1
   1 | stages.train.steps=many
     |                    ^^^^
`,
  },
  {
    what: "--set without a value",
    args: ["--set", "stages.train.steps"],
    says: `--set:1:1: Cannot read --set: found "stages.train.steps", wanted path=value
   1 | stages.train.steps
     | ^^^^^^^^^^^^^^^^^^
  mend: write --set path=value, for example --set stages.train.steps=2000
`,
  },
  {
    what: "an overlay that is not there",
    args: ["@configs/nowhere.toml"],
    says: `Cannot read configs/nowhere.toml: there is no file "configs/nowhere.toml"
  mend: paths are relative to the working directory
`,
  },
];

for (const { what, edit, args = [], says } of wrong) {
  Deno.test(`check refuses ${what} with its place and a mend`, async () => {
    await withProject(files, async (project) => {
      edit?.(project);
      const before = project.list();
      const found = await project.sluice("check", dugongs, ...args);
      assert.deepEqual(found, { code: 2, out: "", err: says });
      assert.deepEqual(project.list(), before);
    });
  });
}
