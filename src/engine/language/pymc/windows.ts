/** Calls of the function that observes values between two numbers. */
import type { Argument, Call, Expression } from "../syntax/tree.ts";

/** The name that stands for the function, wherever a program defines it. */
export const intervalName = "interval_censored";

const own: ReadonlySet<string> = new Set(["lower", "upper", "observed", "name"]);

/**
 * `interval_censored("y", pm.Weibull, lower=a, upper=b, observed=y, alpha=…)` as a distribution with a part:
 * `("y", pm.Weibull.dist(alpha=…), lower=a, upper=b, observed=y)`.
 */
export function withWindows(call: Call): Call {
  const [name, family, ...rest] = call.arguments;
  if (!family || family.form !== "positional") return call;
  const isOwn = ({ keyword }: Argument) => keyword === undefined || own.has(keyword.id);
  const parameters = rest.filter((one) => !isOwn(one));
  const dist: Call = { ...call, callee: distOf(family.value), arguments: parameters };
  return { ...call, arguments: [name, { ...family, value: dist }, ...rest.filter(isOwn)] };
}

/** `family.dist`. */
function distOf(object: Expression): Expression {
  const { start, end } = object;
  const name = { kind: "name", id: "dist", start, end } as const;
  return { kind: "attribute", object, name, start, end };
}
