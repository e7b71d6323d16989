/** Findings on graphs that the printer cannot write down. */

/** A node, a family or a transform that has no text: nothing is printed rather than something else. */
export class CannotPrint extends Error {
  override readonly name = "CannotPrint";

  /** @param what what has no text, for the message. */
  constructor(readonly what: string) {
    super(`cannot print ${what}`);
  }
}
