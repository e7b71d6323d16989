/** Which target rewards an answer: one for all prompts, or one for each. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Prompt } from "../../src/gfn/environments/mod.ts";
import { requireInformed } from "../target/author.ts";
import type { Target } from "../ports/values.ts";

/** Wires of a stage that rewards. */
export interface Rewarding {
  readonly target?: Target | undefined;
  /** By the id of the prompt. */
  readonly targets?: Readonly<Record<string, Target>> | undefined;
}

/** Something that may answer a prompt. */
interface Answer {
  readonly prompt?: Prompt;
}

/**
 * The targets of a stage, by the prompts whose answers they reward.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { PromptTargets } from "./prompt_targets.ts";
 * const environment = { digest: "words" } as never;
 * const [a, b] = [{ environment, oracles: [] }, { environment, oracles: [] }];
 * const targets = new PromptTargets({ targets: { first: a, second: b } }, "judge");
 * assert.equal(targets.of({ id: "second", tokens: [] }), b);
 * assert.throws(() => targets.of({ id: "third", tokens: [] }), /no target is for prompt "third"/);
 * assert.throws(() => new PromptTargets({}, "judge"), /neither a target nor targets/);
 * ```
 */
export class PromptTargets {
  /** All of them, in the order of the pipeline. */
  readonly all: readonly Target[];
  readonly #one: Target | undefined;
  readonly #byPrompt: ReadonlyMap<string, Target>;

  /**
   * @param cannot What cannot be done without, as in "judge".
   * @param asks Where prompts are wired.
   * @throws InputError unless a target is wired or some by prompts, all of one environment, that all
   * execute programs or all do not.
   */
  constructor(
    { target, targets }: Rewarding,
    readonly cannot: string,
    readonly asks = "the stage that samples",
  ) {
    this.#one = target;
    this.#byPrompt = new Map(Object.entries(targets ?? {}));
    this.all = target ? [target] : [...this.#byPrompt.values()];
    if ((target !== undefined) === (this.#byPrompt.size > 0)) {
      throw this.#unwired(target !== undefined);
    }
    this.#requireOneKind();
  }

  /** Whether each prompt has a target of its own. */
  get areByPrompt(): boolean {
    return this.#one === undefined;
  }

  /** The target of an answer. @throws InputError if none is for its prompt. */
  of(prompt: Prompt | undefined): Target {
    const found = this.#one ?? (prompt && this.#byPrompt.get(prompt.id));
    if (found) return found;
    if (prompt) throw noTarget(this.cannot, prompt.id, [...this.#byPrompt.keys()]);
    const message = `Cannot ${this.cannot} answers: nothing was asked`;
    const hint = `wire prompts into ${this.asks}, or one target = "…" for all`;
    throw inputError("targets/prompt", message, undefined, hint);
  }

  /** Places of the answers that each target rewards, in their order. */
  groups(answers: readonly Answer[]): ReadonlyMap<Target, readonly number[]> {
    return Map.groupBy(answers.keys(), (i) => this.of(answers[i].prompt));
  }

  /**
   * @param known Prompts that others answer too: targets may be for them, and need not.
   * @throws InputError if targets are for prompts that are not among these, or the reverse.
   */
  requireFor(prompts: readonly Prompt[], known: readonly Prompt[] = []): void {
    if (!this.areByPrompt) return;
    requireSameNames(this.cannot, [...this.#byPrompt.keys()], prompts, known);
  }

  /** @throws InputError if one rewards what an author may have read, see {@link requireInformed}. */
  requireInformed(shown: string | undefined): void {
    for (const target of this.all) requireInformed(target, shown);
  }

  #requireOneKind(): void {
    const [first, ...others] = this.all;
    const other = others.find(({ environment: { digest } }) => digest !== first.environment.digest);
    if (other) {
      const message =
        `Cannot ${this.cannot} answers: targets of prompts are of several environments`;
      const hint = "wire one environment into all of them; objects are the same under all prompts";
      throw inputError("targets/environment", message, undefined, hint);
    }
    if (others.every(({ dataset }) => (dataset === undefined) === (first.dataset === undefined))) {
      return;
    }
    const message =
      `Cannot ${this.cannot} answers: some targets of prompts execute programs, some not`;
    const hint = "let all have data and judges, or all reward by oracles alone";
    throw inputError("targets/kinds", message, undefined, hint);
  }

  #unwired(isBoth: boolean) {
    const what = isBoth ? "both a target and targets" : "neither a target nor targets";
    const message = `Cannot ${this.cannot} answers by ${what} of prompts`;
    const hint = 'wire target = "…" among the inputs, or targets = { PROMPT = "…" } in the stage';
    return inputError("targets/wiring", message, undefined, hint);
  }
}

/**
 * @param targets Ids of the prompts that targets are for.
 * @param known Prompts that targets may be for, and need not.
 * @throws InputError if a target is for none of the prompts, or a prompt has none.
 */
export function requireSameNames(
  cannot: string,
  targets: readonly string[],
  prompts: readonly Named[],
  known: readonly Named[],
): void {
  const missing = prompts.find(({ id }) => !targets.includes(id));
  if (missing) throw noTarget(cannot, missing.id, targets);
  const ids = [...prompts, ...known].map(({ id }) => id);
  const unknown = targets.find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  const message = `Cannot ${cannot} answers: a target is for "${unknown}", which is no prompt`;
  throw inputError("targets/prompt", message, undefined, `prompts are ${ids.join(", ")}`);
}

/** Name of a prompt. */
type Named = Pick<Prompt, "id">;

function noTarget(cannot: string, id: string, targets: readonly string[]) {
  const message = `Cannot ${cannot} answers: no target is for prompt "${id}"`;
  const hint = `add it to targets, which are for ${targets.join(", ")}`;
  return inputError("targets/prompt", message, undefined, hint);
}
