/** Every object whose reward was asked for, and by which explorer; the basis of deterministic bounds. */
import { logSumExp } from "../../numerics/math/mod.ts";
import type { TerminalObject } from "../environments/environment.ts";

/** Asks the rewards of objects that are not known yet: log R, in their order. */
export type AskRewards = (objects: readonly TerminalObject[]) => Promise<ArrayLike<number>>;

/** An object with its reward. */
export interface Scored {
  /** Object as the environment has it. */
  readonly object: TerminalObject;
  /** log R; −Infinity is a reward of 0. */
  readonly logReward: number;
}

/** Rewards that one explorer may still ask for, and its finds. */
export class Allowance {
  /** Objects that it was the first to ask for. */
  evaluations = 0;
  /** Objects that it saw, by text, including those another explorer asked for first. */
  readonly found: Map<string, Scored> = new Map();
  /** Independent draws from the prior, all of which were scored. */
  priorDraws = 0;

  /**
   * Begins with nothing found.
   *
   * @param limit Objects that it may be the first to ask for.
   */
  constructor(readonly limit: number) {}

  /** Objects that it may still be the first to ask for. */
  get left(): number {
    return this.limit - this.evaluations;
  }

  /**
   * Counts the draws from the prior among some trajectories, if there was room for all of them
   * before any was drawn: whether a draw counts must not depend on its object.
   *
   * @param left Evaluations that were left before they were drawn.
   */
  countPrior(walks: readonly { readonly fromPrior?: boolean }[], left: number): void {
    if (left >= walks.length) this.priorDraws += walks.filter((one) => one.fromPrior).length;
  }
}

/** Rewards by text: an object asked twice is asked once. */
export class ScoredObjects {
  readonly #known = new Map<string, Scored>();
  readonly #ask: AskRewards;
  #given = 0;

  /**
   * Begins with no reward known.
   *
   * @param ask Called with objects that are not known.
   */
  constructor(ask: AskRewards) {
    this.#ask = ask;
  }

  /** Distinct objects. */
  get size(): number {
    return this.#known.size;
  }

  /** True if the reward of the object with this text is known. */
  knows(text: string): boolean {
    return this.#known.has(text);
  }

  /** The object with this text, if its reward is known. */
  get(text: string): Scored | undefined {
    return this.#known.get(text);
  }

  /** Takes rewards that were asked for before the certificate: they are free, and bounds use them too. */
  admit(given: readonly Scored[]): void {
    for (const one of given) this.#known.set(one.object.text, one);
    this.#given = this.#known.size;
  }

  /** Objects that were asked for since. */
  get asked(): number {
    return this.#known.size - this.#given;
  }

  /** Scored objects, in the order in which they were asked for. */
  get all(): Scored[] {
    return [...this.#known.values()];
  }

  /** log Z_S = log Σ R over all of them: never above log Z. */
  get logSum(): number {
    return logSumExp([-Infinity, ...this.all.map(({ logReward }) => logReward)]);
  }

  /**
   * The log rewards of objects; undefined where the allowance does not reach.
   *
   * @param allowance That of the explorer, which remembers the objects.
   */
  async ask(
    objects: readonly TerminalObject[],
    allowance: Allowance,
  ): Promise<(number | undefined)[]> {
    const fresh = new Map<string, TerminalObject>();
    for (const object of objects) {
      if (this.#known.has(object.text) || fresh.size >= allowance.left) continue;
      fresh.set(object.text, object);
    }
    const asked = [...fresh.values()];
    const rewards = asked.length === 0 ? [] : await this.#ask(asked);
    asked.forEach((object, i) => {
      this.#known.set(object.text, { object, logReward: rewards[i] });
    });
    allowance.evaluations += asked.length;
    return objects.map(({ text }) => {
      const known = this.#known.get(text);
      if (known) allowance.found.set(text, known);
      return known?.logReward;
    });
  }
}
