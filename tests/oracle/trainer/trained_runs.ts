/** Runs of a pipeline whose policy a server trains, with kills of runner and server in the middle. */
import { addModel } from "../../../src/models/store/add_model.ts";
import { ModelStore } from "../../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../../src/models/store/random_checkpoint.ts";
import { openCheckpoint, readWeights } from "../../../src/models/mod.ts";
import { type CommandLine, withProject } from "../../cli/command_line.ts";
import { FakeTinker, type Kill } from "./fake_tinker.ts";

/** Numbers in tokens, under a mask, to be written in proportion to what they are worth. */
export const pipeline = (url: string, steps = 30, more = "") =>
  `format = 1
name = "trained"
seed = 3
[stages.digits]
kind = "numbers"
max = 3
[stages.texts]
kind = "tokens"
model = "tiny"
inputs = { environment = "digits" }
[stages.start]
kind = "policy"
inputs = { environment = "texts" }
policy = { kind = "tinker", url = "${url}", base_model = "fake", model = "tiny", rank = 4, context = 32, pause = 0.01${more} }
[stages.train]
kind = "loop"
steps = ${steps}
checkpoint_every = 5
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "texts" }
batch_size = 8
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
objective = "trajectory_balance"
learning_rate = { start = 0.03 }
log_z_learning_rate = 0.1
[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", environment = "texts" }
compare = { before = "start.policy" }
`;

/** A server with the weights of the tiny model, of which the project has the tokens alone. */
export async function withServer(
  use: (project: CommandLine, server: FakeTinker) => Promise<void>,
): Promise<void> {
  await withProject([], async (project) => {
    writeRandomCheckpoint(project.path("tiny"), "served");
    await addModel(new ModelStore(project.root), project.path("tiny"), { tokenizerOnly: true });
    const { config, file } = openCheckpoint(project.path("tiny"));
    const weights = readWeights(file, config);
    file.close();
    await using server = new FakeTinker(config, weights);
    await use(project, server);
  });
}

/** Where something is killed: when the server has had so many requests. */
export interface Fault {
  /** Of the runner, which is started again. */
  readonly runner?: number;
  readonly server?: Kill;
}

/** The exact divergence that a run comes to, with what happens to it on the way; and requests it took. */
export async function divergenceOf(
  fault: Fault = {},
  steps = 10,
): Promise<{ readonly value: number; readonly requests: number }> {
  let [value, requests] = [NaN, 0];
  await withServer(async (project, server) => {
    project.write("trained.toml", pipeline(server.url, steps));
    const args = ["run", "trained.toml", "--allow-stage", `start=net:${new URL(server.url).host}`];
    server.kill = fault.server;
    if (fault.runner !== undefined) {
      await project.killed(args, () => server.requests >= fault.runner!);
    }
    const { code, err } = await project.sluice(...args);
    if (code !== 0) throw new Error(err);
    const [row] = await project.query<{ value: number }>(
      "select value from evaluation where measure = 'kl_target_policy' and subject = 'policy'",
    );
    [value, requests] = [row.value, server.requests];
  });
  return { value, requests };
}
