/** Checks of the numbers that span an environment: every finding names key, value and bound. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";

/** Objects beyond which an environment refuses to be enumerated. */
export const maxObjects = 1 << 24;

/** Collects findings on the numbers of one environment, and throws them in one error. */
export class SpecChecks {
  readonly #findings: Diagnostic[] = [];

  /** Begins without findings. @param kind The environment, as messages name it. */
  constructor(readonly kind: string) {}

  /** Notes a finding unless `holds`. */
  require(holds: boolean, what: string, hint: string): void {
    if (holds) return;
    const message = `Cannot make the environment "${this.kind}": ${what}`;
    this.#findings.push({ code: "environment/spec", severity: "error", message, hint });
  }

  /** An integer within bounds. */
  integer(key: string, value: number, low: number, high: number): void {
    const holds = Number.isInteger(value) && value >= low && value <= high;
    this.require(holds, `${key} is ${value}`, `write an integer from ${low} to ${high}`);
  }

  /** A finite number above 0. */
  positive(key: string, value: number): void {
    const holds = Number.isFinite(value) && value > 0;
    this.require(holds, `${key} is ${value}`, "write a number above 0");
  }

  /** A finite number, 0 or more. */
  notNegative(key: string, value: number): void {
    const holds = Number.isFinite(value) && value >= 0;
    this.require(holds, `${key} is ${value}`, "write a number of 0 or more");
  }

  /** One of fixed names. */
  choice(key: string, value: string, choices: readonly string[]): void {
    const wanted = choices.map((one) => `"${one}"`).join(" or ");
    this.require(choices.includes(value), `${key} is ${JSON.stringify(value)}`, `write ${wanted}`);
  }

  /**
   * Ends the checks.
   *
   * @throws InputError with every finding.
   */
  done(): void {
    if (this.#findings.length > 0) throw new InputError(this.#findings);
  }
}

/**
 * Refuses to enumerate more than {@linkcode maxObjects}.
 *
 * @throws InputError naming the bound.
 */
export function requireEnumerable(kind: string, count: number): void {
  if (count <= maxObjects) return;
  const checks = new SpecChecks(kind);
  checks.require(
    false,
    `${count} objects are too many to enumerate`,
    `make it smaller: at most ${maxObjects} objects can be compared with the exact answer`,
  );
  checks.done();
}
