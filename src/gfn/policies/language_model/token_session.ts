/** Sampling from a language model: equal prefixes share a cache, runs without a choice go in as one chunk. */
import type { KeyValueCache } from "../../../models/decoder/mod.ts";
import type { LegalChunk, TrainableModel } from "../../../models/training/mod.ts";
import { noPrompt, type Prompt } from "../../environments/environment.ts";
import { distinctWalks, type OpenWalk, pathKey } from "../network.ts";
import type { ScoringSession, WalkScores } from "../scorer.ts";
import { missingOf, withoutMissing } from "./all_but_one.ts";

/** Cache of the tokens of a prefix, and the trajectories that share it. */
interface Known {
  readonly cache: KeyValueCache;
  /** Actions in it, behind the tokens of the prompt. */
  readonly actions: number;
  /** Slots of the trajectories whose tokens these are. */
  readonly slots: Set<number>;
}

/** One sampling call with one set of parameters. */
export class TokenSession implements ScoringSession {
  readonly learnsBackward = false;
  readonly stepwise = false;
  readonly inRounds = true;
  readonly #known = new Map<number, Known>();

  /**
   * @param capacity Most positions of a trajectory, those of its prompt included.
   * @param isListed Whether trajectories are those of an environment that can be enumerated.
   * @param rootOf Tokens before the first action under a prompt.
   */
  constructor(
    readonly model: TrainableModel,
    readonly capacity: number,
    readonly rootOf: (prompt: Prompt) => readonly number[],
    readonly isListed: boolean = false,
  ) {}

  async next(walks: readonly OpenWalk[]): Promise<WalkScores> {
    const { distinct, rows } = distinctWalks(walks, pathKey);
    const groups = distinct.map((): number[] => []);
    walks.forEach(({ slot }, i) => groups[rows[i]].push(slot));
    this.#forgetOthers(walks);
    const chunks = distinct.map((walk, g) => this.#follow(walk, groups[g]));
    const logP = await this.model.advance(chunks);
    const missing = distinct.map(({ legal }) => missingOf(legal, this.model.config.vocabulary));
    const known = logP.map((all, g) => missing[g] < 0 ? all : withoutMissing(all, missing[g]));
    return { logForward: (i) => known[rows[i]] };
  }

  /** Tokens that a group of trajectories has taken since the latest call, behind those before. */
  #follow({ slot, prompt, actions, legal }: OpenWalk, slots: readonly number[]): LegalChunk {
    const known = this.#known.get(slot);
    const isAlone = known !== undefined && known.slots.size === slots.length;
    const fresh = () => this.model.cache(this.capacity, { isListed: this.isListed });
    const cache = isAlone ? known.cache : known?.cache.fork() ?? fresh();
    const now: Known = { cache, actions: actions.length, slots: new Set(slots) };
    for (const one of slots) {
      known?.slots.delete(one);
      this.#known.set(one, now);
    }
    const begin = known ? [] : this.rootOf(prompt);
    const isWhole = missingOf(legal, this.model.config.vocabulary) >= 0;
    const ids = [...begin, ...actions.slice(known?.actions ?? 0)];
    return { cache, ids, legal: isWhole ? "all" : legal };
  }

  /** Releases the caches of finished trajectories. */
  #forgetOthers(walks: readonly OpenWalk[]): void {
    const open = new Set(walks.map(({ slot }) => slot));
    for (const slot of [...this.#known.keys()]) if (!open.has(slot)) this.#forget(slot);
  }

  #forget(slot: number): void {
    const known = this.#known.get(slot)!;
    this.#known.delete(slot);
    known.slots.delete(slot);
    if (known.slots.size === 0) known.cache.dispose();
  }

  end(): void {
    for (const slot of [...this.#known.keys()]) this.#forget(slot);
  }
}

/**
 * The tokens before the first action: the prompt's, behind the one that begins a text unless they do.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { rootTokens } from "./token_session.ts";
 * assert.deepEqual(rootTokens(1), [1]);
 * assert.deepEqual(rootTokens(1, { id: "asked", tokens: [7, 8] }), [1, 7, 8]);
 * ```
 */
export function rootTokens(begin: number | undefined, prompt: Prompt = noPrompt): number[] {
  const { tokens, begins = false } = prompt;
  const isBegun = begins || begin === undefined || tokens[0] === begin;
  return isBegun ? [...tokens] : [begin, ...tokens];
}
