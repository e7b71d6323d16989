/** Shared by tests of oracles: a project whose pipelines have the kinds that are built in. */
import { fileURLToPath } from "node:url";
import { executorService } from "../../src/executor/service.ts";
import { oracleService } from "../../src/oracle/service.ts";
import { resolvePipeline } from "../../src/pipeline/read/resolve.ts";
import { findSluiceHome } from "../../src/pipeline/project/project.ts";
import { type RunOutcome, runPipeline } from "../../src/pipeline/run/run.ts";
import { builtInKindFile, builtInKinds } from "../../stages/mod.ts";
import type { TestProject } from "../pipeline/run/project.ts";

/** Runs a pipeline of a project with the built-in kinds, executor and oracles. */
export async function runBuiltIn(project: TestProject, toml: string): Promise<RunOutcome> {
  const { root } = project;
  return await runPipeline(await resolveBuiltIn(project, toml), {
    projectRoot: root,
    builtInKindFile: (kind) => fileURLToPath(builtInKindFile(kind)),
    services: [executorService({ root }), oracleService({ root })],
  });
}

/** Reads a pipeline of a project with the built-in kinds. */
export async function resolveBuiltIn(project: TestProject, toml: string) {
  const path = project.write("pipeline.toml", toml);
  return await resolvePipeline({ path, kinds: builtInKinds, sluiceRoot: findSluiceHome().root });
}

/** Four texts over two letters, what they are worth, and an answer to each. */
export const listed = JSON.stringify([
  { text: "aa", log_prob: -0.5 },
  { text: "ab", log_prob: -1.5 },
  { text: "ba", log_prob: -2.25 },
  { text: "bb", log_prob: -3 },
  { given: "Q: aa", text: "yes", log_prob: -0.25 },
  { given: "Q: ab", text: "yes", log_prob: -2 },
  { given: "Q: ba", text: "yes", log_prob: -0.125 },
  { given: "Q: bb", text: "yes", log_prob: -1 },
]);

/** A target of two terms, trained for a few steps by a table of logits, and evaluated. */
export const fourTexts = `
format = 1
name = "four_texts"
seed = 1

[stages.p]
kind = "oracle"
oracle = { kind = "table", path = "texts.json" }

[stages.texts]
kind = "grammar"
path = "four.toml"

[stages.target]
kind = "target"
inputs = { environment = "texts" }
log_reward = [
  { oracle = "p", of = "x" },
  { oracle = "p", of = "y|x", template = "Q: {{ x }}", answer = "yes", weight = 4 },
]

[stages.start]
kind = "policy"
inputs = { environment = "texts" }
policy = { kind = "table" }

[stages.train]
kind = "loop"
steps = 3
state = { policy = "start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "texts" }
batch_size = 4

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
`;

/** The grammar of the four texts. */
export const fourGrammar = `
format = 1
name = "four"
writes = "text"
template = "{first}{second}"

[holes.first]
type = "phrase"
productions = [
  { name = "first_a", weight = 1, text = "a" },
  { name = "first_b", weight = 1, text = "b" },
]

[holes.second]
type = "phrase"
productions = [
  { name = "second_a", weight = 1, text = "a" },
  { name = "second_b", weight = 1, text = "b" },
]
`;
