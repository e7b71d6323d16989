/** A pipeline that scores a handful of programs only: the tests that use it are about other parts. */
import { dugongsData, fitAndPrior } from "../cli/pipeline_parts.ts";

/** Files of the repository that it needs. */
export const shortFiles = ["data/dugongs.csv", "grammars/growth_curves_small.toml"];

/** `judge` is a built-in one, or the path of a module. */
export function shortPipeline(judge = "elpd_loo"): string {
  return `format = 1
name = "short"
seed = 3

${dugongsData}
[stages.programs]
kind = "grammar"
path = "grammars/growth_curves_small.toml"

${fitAndPrior(judge)}
[stages.warm_start]
kind = "sft"
inputs = { environment = "programs" }
policy = { kind = "table" }
steps = 1
examples = [
  { name = "a line", derivation = ["linear", "birth_weak", "gain_weak", "normal"] },
]

[stages.train]
kind = "loop"
steps = 6
checkpoint_every = 2
state = { policy = "warm_start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "programs" }
batch_size = 2

[stages.train.stages.execute]
kind = "sandbox_execute"
inputs = { trajectories = "sample.trajectories", target = "target" }

[stages.train.stages.judge]
kind = "judge"
inputs = { executions = "execute.executions", target = "target" }

[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", log_reward = "judge.log_reward" }
objective = "sub_trajectory_balance"
`;
}
