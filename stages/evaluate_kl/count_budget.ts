/** Whether everything is counted: a budget of time, spent in objects so that the same run does the same. */
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { Row } from "../../src/pipeline/contract/mod.ts";

/** Budget of counting. */
export interface CountParams {
  /** Of one machine, at `per_second`. */
  readonly seconds: number;
  /** Objects that are scored in a second; a guess by kind if left out. */
  readonly per_second?: number;
}

/** Ten minutes. */
export const defaultCount: CountParams = { seconds: 600 };

/** Programs that two cores execute in a second, and objects that state their own reward. */
const guesses = { executed: 60, stated: 10_000 } as const;

/** How many objects may be counted, and why. */
interface CountBudget {
  /** Objects. */
  readonly limit: number;
  readonly perSecond: number;
  /** Reports the limit that was exceeded, and a sufficient one. */
  refusal(environment: Environment): { readonly message: string; readonly row: Row };
}

/**
 * The budget of an evaluation: no clock is read, so that it decides alike everywhere.
 *
 * @param most objects that are counted at most, whatever the time.
 * @param isExecuted whether objects are programs that are executed.
 */
export function countBudget(
  most: number,
  { seconds, per_second }: CountParams,
  isExecuted: boolean,
): CountBudget {
  const perSecond = per_second ?? (isExecuted ? guesses.executed : guesses.stated);
  const affordable = Math.floor(seconds * perSecond);
  const limit = Math.min(most, affordable);
  return {
    limit,
    perSecond,
    refusal: ({ count }) => {
      const needed = count === undefined ? undefined : Math.ceil(count / perSecond);
      const objects = count === undefined ? `more than ${shown(limit)}` : shown(count);
      const bound = affordable < most
        ? `count.seconds = ${seconds} at ${perSecond} a second are ${shown(limit)}`
        : `enumerate_at_most = ${most}`;
      const message = `${objects} objects exceed the limit (${bound}): divergences are estimated` +
        (needed === undefined ? "" : `; to count all, set ${wanted(needed, count!, most)}`);
      const detail = {
        limit,
        per_second: perSecond,
        ...(needed === undefined ? {} : { objects: count!, seconds: needed }),
      };
      return { message, row: { level: "info", kind: "count_budget", message, detail } };
    },
  };
}

/** The keys to set. */
function wanted(seconds: number, count: number, most: number): string {
  const keys = [`count.seconds = ${seconds < 2 ** 53 ? seconds : seconds.toPrecision(3)}`];
  if (count > most) keys.push(`enumerate_at_most = ${count < 2 ** 53 ? count : shown(count)}`);
  return `${keys.join(", ")}: ${inWords(seconds)}`;
}

function inWords(seconds: number): string {
  const units = [[365.25 * 86400, "years"], [86400, "days"], [3600, "hours"], [
    60,
    "minutes",
  ]] as const;
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, "seconds"];
  const value = seconds / size;
  return `${
    value < 10 ? value.toPrecision(2) : value < 1e6 ? shown(Math.round(value)) : shown(value)
  } ${unit}`;
}

function shown(count: number): string {
  return count < 1e9 ? count.toLocaleString("en") : count.toPrecision(3);
}
