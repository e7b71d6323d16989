/** Replay: past objects with their log rewards, to be scored again by the present policy. */
import type { RandomStream } from "../../base/random.ts";
import { type ReplayChoice, replayChoices } from "./replay_choice.ts";
import { entryOf, type ReplayEntry } from "./replay_entry.ts";

/** Which entry leaves a full buffer: the one added longest ago, or the one of least reward. */
export type Eviction = "oldest" | "lowest_reward";

/** Rules by which a buffer evicts and draws. */
export interface ReplayOptions {
  /** Default `oldest`. */
  readonly eviction?: Eviction;
  /** Default uniform. */
  readonly choice?: ReplayChoice;
}

/**
 * At most `capacity` distinct objects. Log rewards are kept as they were given: a learner at
 * another reward exponent applies it to the entries drawn.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { ReplayBuffer } from "./replay.ts";
 * const buffer = new ReplayBuffer(2);
 * for (const n of [1, 2, 3]) buffer.add({ actions: [n, 0], text: `${n}`, logReward: [-n] });
 * const texts = buffer.sample(5, new RandomStream("replay")).map((entry) => entry.text);
 * assert.deepEqual(texts.sort(), ["2", "3"]);
 * ```
 */
export class ReplayBuffer {
  // A Map iterates in order of insertion, which is the order of age.
  #entries = new Map<string, ReplayEntry>();
  readonly #options: Required<ReplayOptions>;

  /** An empty buffer of at most `capacity` objects. */
  constructor(readonly capacity: number, options: ReplayOptions = {}) {
    this.#options = { eviction: "oldest", choice: { kind: "uniform" }, ...options };
  }

  /** Number of objects now. */
  get size(): number {
    return this.#entries.size;
  }

  /** Adds a copy of an entry; an object that was here already becomes the youngest. */
  add(entry: ReplayEntry): void {
    const key = keyOf(entry);
    this.#entries.delete(key);
    this.#entries.set(
      key,
      entryOf({ ...entry, actions: [...entry.actions] }, [...entry.logReward]),
    );
    while (this.#entries.size > this.capacity) this.#entries.delete(this.#leaver());
  }

  #leaver(): string {
    let [leaver, lowest] = ["", Infinity];
    for (const [key, { logReward }] of this.#entries) {
      if (this.#options.eviction === "oldest") return key;
      const own = logReward[logReward.length - 1];
      if (own < lowest) [leaver, lowest] = [key, own];
    }
    return leaver;
  }

  /**
   * `min(count, size)` different entries, by the buffer's choice.
   *
   * @param prompts Ids of prompts: of entries that answer others none is drawn, so that in a batch
   *   with fresh ones nothing stands alone. Left out: among all.
   */
  sample(count: number, random: RandomStream, prompts?: ReadonlySet<string>): ReplayEntry[] {
    const pool = [...this.#entries.values()]
      .filter(({ prompt }) => !prompts || prompt && prompts.has(prompt.id));
    const { choice } = this.#options;
    return replayChoices[choice.kind](pool, Math.min(count, pool.length), random, choice);
  }

  /** Entries in order of age, as JSON. Same entries in the same order, same bytes. */
  save(): Uint8Array {
    return new TextEncoder().encode(JSON.stringify([...this.#entries.values()]));
  }

  /** Replaces the contents by those of `save`. */
  load(bytes: Uint8Array): void {
    const entries = JSON.parse(new TextDecoder().decode(bytes)) as ReplayEntry[];
    this.#entries = new Map();
    for (const entry of entries) this.add(entry);
  }
}

/** Two answers of equal text to two prompts are two objects. */
function keyOf({ text, prompt }: ReplayEntry): string {
  return prompt ? JSON.stringify([prompt.id, text]) : text;
}
