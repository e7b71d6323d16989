/** Random numbers for draws in pairs, of which the second mirrors the first. */
import { RandomStream } from "../../base/random.ts";

/**
 * A stream whose uniform numbers u are 1 − u in each second draw, so that normal numbers change their sign
 * and averages of what is linear in them have no noise (Hammersley and Morton 1956).
 */
export class AntitheticStream extends RandomStream {
  readonly #begin = new Int32Array(4);
  #mirrors = true;

  /** Begins a draw. */
  begin(): void {
    this.#mirrors = !this.#mirrors;
    if (this.#mirrors) this.restore(this.#begin, 0);
    else this.save(this.#begin, 0);
  }

  override uniform(): number {
    const value = super.uniform();
    return this.#mirrors ? 1 - value : value;
  }
}
