/** Best objects found so far, with a trajectory to each, from which proposals start. */

/** An object with a trajectory to it. */
export interface Known {
  /** Text of the object. */
  readonly text: string;
  /** Actions of one trajectory to it, exit included. */
  readonly actions: readonly number[];
  /** log R, nats. */
  readonly logReward: number;
}

/** Keeps at most `capacity` objects; the one of lowest reward leaves first. */
export class BestKnown {
  #entries: Known[] = [];
  readonly #texts = new Set<string>();

  /** @param capacity Objects. */
  constructor(readonly capacity: number) {}

  /** Best first; equals in the order in which they came. */
  get all(): readonly Known[] {
    return this.#entries;
  }

  /** Adds new objects. */
  add(entries: readonly Known[]): void {
    const fresh = entries.filter(({ text }) => {
      const isNew = !this.#texts.has(text);
      this.#texts.add(text);
      return isNew;
    });
    this.#entries = [...this.#entries, ...fresh].sort((a, b) => b.logReward - a.logReward);
    for (const { text } of this.#entries.splice(this.capacity)) this.#texts.delete(text);
  }
}
