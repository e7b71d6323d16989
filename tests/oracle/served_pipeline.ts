/** A pipeline whose target an oracle on a server rewards, and the tokenizer of a tiny model that has its tokens. */
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import type { CommandLine } from "../cli/command_line.ts";

/**
 * A table over numbers that an oracle rewards.
 *
 * @param oracle Lines of the stage `p`.
 * @param max The largest number.
 */
export const servedTarget = (oracle: string, max: number) =>
  `format = 1
name = "served"
[stages.p]
kind = "oracle"
${oracle}
[stages.digits]
kind = "numbers"
max = ${max}
[stages.target]
kind = "target"
inputs = { environment = "digits" }
log_reward = [{ oracle = "p", of = "x" }]
[stages.table]
kind = "policy"
inputs = { environment = "digits" }
policy = { kind = "table" }
`;

/** @param oracle Lines of the stage `p`. */
export const servedPipeline = (oracle: string) =>
  `${servedTarget(oracle, 3)}[stages.answers]
kind = "benchmark"
samples = 40
inputs = { target = "target", policy = "table.policy" }
`;

export async function addTiny(project: CommandLine): Promise<void> {
  writeRandomCheckpoint(project.path("tiny"), "served");
  await addModel(new ModelStore(project.root), project.path("tiny"), { tokenizerOnly: true });
}
