/** Log probability that a policy gives to the examples held out from it. */
import { type Environment, noPrompt, type Prompt } from "../../src/gfn/environments/mod.ts";
import { givenTrajectories } from "../../src/gfn/policies/built_in/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { firstIllegal } from "../common/first_illegal.ts";
import type { HeldOut } from "./held_out.ts";

/** Trajectories that are scored at once: a batch of a language model is held in memory. */
const mostAtOnce = 32;

/** log p(example, its end | prompt) in nats, and how many tokens or choices it has. */
export interface ExampleLikelihood {
  readonly prompt: Prompt;
  readonly logLikelihood: number;
  readonly actions: number;
}

/**
 * The log probability of every example whose choices are known and legal; the others are counted in
 * the log of the stage.
 */
export async function exampleLikelihoods(
  context: StageContext,
  policy: Policy,
  environment: Environment,
  examples: readonly HeldOut[],
): Promise<ExampleLikelihood[]> {
  const walks = examples.flatMap(({ actions, prompt }) => {
    const asked = prompt.id === noPrompt.id ? {} : { prompt };
    return actions ? [{ actions, ...asked }] : [];
  });
  const legal = walks.filter((one) => !firstIllegal(environment, one));
  if (legal.length < walks.length) {
    const count = walks.length - legal.length;
    context.log(`${count} of ${walks.length} examples can't be written in the environment`);
  }
  const found: ExampleLikelihood[] = [];
  for (let begin = 0; begin < legal.length; begin += mostAtOnce) {
    const part = legal.slice(begin, begin + mostAtOnce);
    const scored = await givenTrajectories(policy, environment, part);
    found.push(...scored.map(({ logPf, actions, prompt = noPrompt }) => {
      return { prompt, logLikelihood: logPf, actions: actions.length };
    }));
    context.progress({ scored: `${found.length}/${legal.length}` });
  }
  return found;
}
