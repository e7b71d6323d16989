/** Has the programs of trajectories executed, those of each prompt by its target. */
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { ExecutedTrajectories, SampledTrajectories } from "../ports/values.ts";
import { executeObjects } from "./execute_objects.ts";
import { PromptTargets, type Rewarding } from "./prompt_targets.ts";
import { requirePrograms } from "./require_programs.ts";
import { wantedPrefixes, type WantedStates } from "./wanted_states.ts";

type State = ReturnType<typeof wantedPrefixes>[number];

/**
 * Executes the ends of trajectories, or all programs on their paths.
 *
 * @throws InputError if nothing is to be executed, or a prompt has no target.
 */
export async function executeTrajectories(
  context: StageContext,
  sampled: SampledTrajectories,
  rewarding: Rewarding,
  states: WantedStates | undefined,
): Promise<ExecutedTrajectories> {
  const targets = new PromptTargets(rewarding, "execute the programs of");
  targets.requireInformed(sampled.shown);
  const { environment, trajectories } = sampled;
  const prefixes = trajectories.map(({ actions }) => wantedPrefixes(environment, actions, states));
  const executed: ExecutedTrajectories["states"][number][] = new Array(trajectories.length);
  for (const [target, places] of targets.groups(trajectories)) {
    const hint = 'leave it out, and wire judge to trajectories = "sample.trajectories"';
    const programs = requirePrograms(target, "execute programs", hint);
    const own = places.map((place) => prefixes[place]);
    const objects = new Map(own.flat().map(({ object }) => [object.text, object]));
    const results = await executeObjects(context, programs, [...objects.values()]);
    const byText = new Map([...objects.keys()].map((text, i) => [text, results[i]]));
    places.forEach((place, i) => executed[place] = own[i].map((one) => withExecution(one, byText)));
  }
  return { ...sampled, states: executed };
}

function withExecution({ t, object }: State, byText: ReadonlyMap<string, Execution>) {
  return { t, object, execution: byText.get(object.text)! };
}
