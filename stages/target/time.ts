/** Targets whose rows follow each other in time: which judges go with that, and what the data have to be. */
import type { Dataset } from "../../src/base/dataset.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { inTimeOrder } from "../../src/data/time_order.ts";
import type { TimeRule } from "../../src/engine/score/execution/mod.ts";
import { builtInJudges, type Judge } from "../../src/engine/score/judges/mod.ts";

/** Settings of a target about time. */
interface TimeParams {
  readonly time?: string;
  readonly time_first?: number;
  readonly time_ahead: number;
  readonly rows: "exchangeable" | "ordered";
  readonly unit?: "row" | "group";
}

/** The judge of a target with `time`. */
const timeJudge = [...builtInJudges.values()].find((one) => one.needsTime)!.name;

/**
 * The data in the order of time, and the time rule of a schedule; the data unchanged where the target has no time.
 *
 * @throws InputError, see `inTimeOrder`; also if keys contradict one another.
 */
export function timedData(
  data: Dataset,
  { time, time_first: first, time_ahead: ahead, rows, unit }: TimeParams,
): { readonly data: Dataset; readonly time?: TimeRule } {
  if (time === undefined) {
    if (first !== undefined || ahead !== 1) throw withoutTime();
    return { data };
  }
  if (unit !== undefined) {
    const message =
      `Cannot leave a ${unit} out and judge by time: time leaves the future of rows out`;
    throw inputError("target/time", message, undefined, "leave unit out, or time");
  }
  if (data.holdout) {
    const message =
      "Cannot judge by time where rows are withheld: they are missing between the others";
    throw inputError("target/time", message, undefined, "leave holdout out, or time");
  }
  const spec = { column: time, ...(first !== undefined && { first }), ahead };
  const timed = inTimeOrder(data, spec, rows === "ordered");
  return { data: timed.dataset, time: timed.time };
}

function withoutTime(): Error {
  const message = "Cannot use time_first or time_ahead: the target has no time";
  return inputError("target/time", message, undefined, 'write time = "column" beside them');
}

/**
 * Refuses judges of leave-future-out without time, and those that leave rows out with it: the future of a row may know it.
 *
 * @throws InputError with the line to write.
 */
export function requireTimeJudges(judges: readonly Judge[], isTimed: boolean): void {
  const wrong = judges.find((one) => isTimed ? one.leavesOne : one.needsTime);
  if (!wrong) return;
  const [message, hint] = isTimed
    ? [
      `Cannot judge by ${wrong.name} where the target has time: later rows may know the row that is left out`,
      `write { judge = "${timeJudge}" } in log_reward, or leave time out`,
    ]
    : [
      `Cannot judge by ${wrong.name}: the target does not say how rows follow each other`,
      'write time = "column" in the target, with the column that says when rows were observed',
    ];
  throw inputError("target/time", message, undefined, hint);
}
