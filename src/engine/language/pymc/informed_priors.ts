/** Priors whose arguments are statistics of the response: allowed where they say less than the response does. */
import { halfWidth, leastWidth } from "../distributions/width.ts";
import type { Distribution } from "../ir/program.ts";
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import type { Place } from "../syntax/source.ts";
import type { ModelState } from "./model_state.ts";

/** The statistics among the arguments become numbers; returns the widest deviation that they were computed from. */
export function useStatistics(
  checking: ModelState,
  given: Map<string, GivenValue>,
): { readonly spread: number; readonly place: Place } | undefined {
  let found: { spread: number; place: Place } | undefined;
  for (const [name, { value, ...rest }] of given) {
    if (value.kind !== "derived" || !value.statistic) continue;
    const { number, spread } = value.statistic;
    value.reported = true;
    const node = checking.graph.scalar(number);
    given.set(name, {
      ...rest,
      value: { kind: "numeric", node, dtype: "float", origin: "python" },
    });
    if (!found || spread > found.spread) found = { spread, place: rest.place };
  }
  return found;
}

/**
 * Refuses a prior that statistics of the response make narrower than it: `Normal(y.mean(), 1e-6)` would
 * inform a blind program of the data. A prior as wide as the response informs like one row at most.
 */
export function checkInformed(
  checking: ModelState,
  { call }: Arguments,
  prior: Distribution,
  { spread, place }: { readonly spread: number; readonly place: Place },
): boolean {
  const width = widthOf(checking, prior);
  if (width !== undefined && width >= leastWidth * spread) return true;
  const name = checking.response?.name ?? "the response";
  const found = width === undefined
    ? "its width is known only while sampling"
    : `it is ${width.toPrecision(3)} wide`;
  const message =
    `Cannot use statistics of "${name}" in the prior ${checking.text(call.callee)}: ` +
    `${found}; wanted one that is as wide as "${name}" or wider`;
  const hint =
    `give it a scale of data["${name}"].std() or more, or write numbers that are known ` +
    "beforehand";
  checking.error("lh/protected-use-before-score", message, place, hint);
  return false;
}

/** Undefined where arguments are random. */
function widthOf({ graph }: ModelState, prior: Distribution): number | undefined {
  const values = prior.args.map((id) => graph.valueOf(id)?.values);
  if (values.some((one) => one?.length !== 1)) return undefined;
  return halfWidth(prior, values.map((one) => one![0]));
}
