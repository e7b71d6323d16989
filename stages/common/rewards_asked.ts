/** Asks rewards: of the environment, or of programs that are executed and judged. */
import type { Environment, TerminalObject } from "../../src/gfn/environments/mod.ts";
import { ownLogRewards } from "../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { executeObjects } from "./execute_objects.ts";
import { judgeObjects } from "./judge_objects.ts";
import type { Target } from "../ports/values.ts";

/** Where the rewards come from. */
export interface Rewarded {
  readonly environment: Environment;
  readonly target?: Target;
}

/** Rewards, and how noisy each is. */
export class RewardsAsked {
  readonly #context: StageContext;
  readonly #rewarded: Rewarded;
  readonly #mcse = new Map<string, number>();

  /** @param purpose What is asked for training is among the distinct evaluations. */
  constructor(
    context: StageContext,
    rewarded: Rewarded,
    readonly purpose: "training" | "evaluation" = "evaluation",
  ) {
    this.#context = context;
    this.#rewarded = rewarded;
  }

  /** Log rewards of objects, in their order; equal ones are executed once. */
  async ofAll(objects: readonly TerminalObject[]): Promise<number[]> {
    const distinct = [...new Map(objects.map((object) => [object.text, object])).values()];
    const rewards = await this.#ask(distinct);
    const byText = new Map(distinct.map(({ text }, i) => [text, rewards[i]]));
    return objects.map(({ text }) => byText.get(text)!);
  }

  async #ask(objects: readonly TerminalObject[]): Promise<ArrayLike<number>> {
    const { environment, target } = this.#rewarded;
    if (!target) return ownLogRewards(environment, objects);
    const { purpose } = this;
    const executions = target.dataset &&
      await executeObjects(this.#context, target, objects, purpose);
    executions?.forEach(({ score }, i) => this.#mcse.set(objects[i].text, score?.mcse ?? 0));
    const judgements = await judgeObjects(this.#context, target, objects, executions, purpose);
    return judgements.map(({ logReward }) => logReward);
  }

  /** Monte Carlo error of the recorded log reward of an object; 0 where the environment states it. */
  mcseOf(text: string): number {
    return this.#mcse.get(text) ?? 0;
  }
}
