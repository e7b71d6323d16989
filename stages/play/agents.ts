/** Opens the agent that a stage names, once for each episode. */
import { inputError } from "../../src/base/diagnostic.ts";
import { readRegularText } from "../../src/base/regular_file.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Agent } from "../../src/executor/play/agents/agent.ts";
import { isAgentDefinition } from "../../src/executor/play/agents/agent.ts";
import { gridAgent, randomAgent } from "../../src/executor/play/agents/fixed.ts";
import { readScript, scriptAgent } from "../../src/executor/play/agents/script.ts";
import type { Experiment } from "../../src/executor/play/experiment.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { TrainedPolicy } from "../ports/values.ts";
import type { AnswerSettings } from "./policy_writer.ts";

/** An agent, as a stage names it. */
type Named =
  | string
  | { readonly kind: "script"; readonly path: string }
  | { readonly kind: "language_model" } & AnswerSettings;

/** An agent's name, and how it is opened for an episode; none for one that the service advises. */
interface Opener {
  readonly name: string;
  readonly open: ((label: { seed: number; episode: number }) => Agent) | undefined;
}

/** Bytes of a script. */
const mostBytes = 1 << 24;

/** @throws InputError if a module is no agent, or a script cannot be read. */
export async function agentOpener(
  context: StageContext,
  agent: Named,
  experiment: Experiment,
  budget: number,
  answering: { readonly policy?: TrainedPolicy; readonly texts?: Environment },
): Promise<Opener> {
  if (typeof agent !== "string" && agent.kind === "language_model") {
    const { policyWriter } = await import("./policy_writer.ts");
    const { languageModelAgent } = await import(
      "../../src/executor/play/agents/language_model.ts"
    );
    const writer = policyWriter(answering, agent);
    return {
      name: agent.kind,
      open: (label) => languageModelAgent(writer(label), agent.actions),
    };
  }
  if (typeof agent !== "string") {
    const actions = readScript(readRegularText(agent.path, mostBytes), agent.path);
    return { name: "script", open: () => scriptAgent(actions) };
  }
  switch (agent) {
    case "random":
      return {
        name: agent,
        open: ({ seed, episode }) => randomAgent(experiment, ["agent", seed, episode]),
      };
    case "grid":
      return { name: agent, open: () => gridAgent(experiment, budget) };
    case "information":
      return { name: agent, open: undefined };
  }
  const definition = context.plugin(agent);
  if (!isAgentDefinition(definition)) {
    const hint = "write: export default defineAgent({ name, version: 1, open })";
    const message = `Cannot use the agent ${agent}: its default export is not an agent`;
    throw inputError("plugin/agent", message, undefined, hint);
  }
  return { name: definition.name, open: ({ episode }) => definition.open({ episode }) };
}
