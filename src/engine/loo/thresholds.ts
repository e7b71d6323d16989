/** The numbers that decide how leave-one-out is estimated, each with its source. */
import { cellsThresholds } from "./thresholds/cells.ts";
import { chainsThresholds } from "./thresholds/chains.ts";
import { closedFormThresholds } from "./thresholds/closed_form.ts";
import { distantThresholds } from "./thresholds/distant.ts";
import { fieldsThresholds } from "./thresholds/fields.ts";
import { importanceThresholds } from "./thresholds/importance.ts";
import { integralsThresholds } from "./thresholds/integrals.ts";
import { mixtureThresholds } from "./thresholds/mixture.ts";
import { particlesThresholds } from "./thresholds/particles.ts";
import { proposalsThresholds } from "./thresholds/proposals.ts";
import { psisThresholds } from "./thresholds/psis.ts";
import { variatesThresholds } from "./thresholds/variates.ts";

/** A number that decides something, and where it comes from. */
interface Threshold {
  /** The number. */
  readonly value: number;
  /** A paper, a program, the measurement that set it, or that it is a round number. */
  readonly source: string;
}

const record = {
  ...psisThresholds,
  ...variatesThresholds,
  ...chainsThresholds,
  ...mixtureThresholds,
  ...importanceThresholds,
  ...proposalsThresholds,
  ...distantThresholds,
  ...integralsThresholds,
  ...closedFormThresholds,
  ...cellsThresholds,
  ...fieldsThresholds,
  ...particlesThresholds,
};

/** Names of the thresholds. */
export type ThresholdName = keyof typeof record;

/** All thresholds by name, in the order in which estimators meet them. */
export const thresholdRecord: Readonly<Record<ThresholdName, Threshold>> = record;

/** The names of all thresholds. */
export const thresholdNames = Object.keys(record) as readonly ThresholdName[];

const values = Object.fromEntries(
  thresholdNames.map((name) => [name, record[name].value]),
) as Record<ThresholdName, number>;

/** The values by name, which estimators read outside of their loops. */
export const thresholds: Readonly<Record<ThresholdName, number>> = values;

/**
 * Runs `action` with other values of some thresholds, for tests that show the effect of a
 * threshold. `action` must be done when it returns; a generator has to be run to its end inside.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { thresholds, withThresholds } from "./thresholds.ts";
 * assert.equal(withThresholds({ mixedRhat: 1.01 }, () => thresholds.mixedRhat), 1.01);
 * assert.equal(thresholds.mixedRhat, 1.05);
 * ```
 */
export function withThresholds<T>(
  changes: Readonly<Partial<Record<ThresholdName, number>>>,
  action: () => T,
): T {
  const before = { ...values };
  try {
    Object.assign(values, changes);
    return action();
  } finally {
    Object.assign(values, before);
  }
}
