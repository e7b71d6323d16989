/** Transforms of parameters: PyMC's default of each family, and what a program asks for. */
import { families } from "../distributions/table.ts";
import type { Distribution, Transform } from "../ir/program.ts";
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { describeShape } from "../ir/shape.ts";
import { knownNames } from "../interpreter/findings.ts";
import { describeValue, type Value } from "../interpreter/values.ts";

/** Names in `pm.distributions.transforms` that need no arguments. */
const plain: Readonly<Record<string, Transform["kind"]>> = {
  ordered: "ordered",
  univariate_ordered: "ordered",
  multivariate_ordered: "ordered",
  log: "log",
  logodds: "logodds",
  simplex: "simplex",
  circular: "circular",
};

/** Names of transforms, for messages. */
export const transformNames: readonly string[] = [...Object.keys(plain), "Interval"];

/** From unconstrained numbers to the value; `transform=` is added on top of the default. */
export function transformFor(
  checking: ModelState,
  args: Arguments,
  distribution: Distribution,
  options: ReadonlyMap<string, GivenValue>,
): Transform | undefined {
  const own = withoutEnds(
    checking,
    families[distribution.family].transform(checking.graph, distribution),
  );
  const replaced = options.get("default_transform");
  const base = replaced ? given(checking, args, replaced, distribution) : own;
  const added = options.get("transform");
  if (!base || !added || added.value.kind === "none") return base;
  const top = given(checking, args, added, distribution);
  if (!top) return undefined;
  if (base.kind === "identity" || base.kind === top.kind) return top;
  return top.kind === "identity" ? base : { kind: "chain", parts: [top, base] };
}

/** An interval without ends is the whole line. */
function withoutEnds({ graph }: ModelState, transform: Transform): Transform {
  if (transform.kind !== "interval") return transform;
  const { lower, upper } = transform;
  const free = graph.constantOf(lower) === -Infinity && graph.constantOf(upper) === Infinity;
  return free ? { kind: "identity" } : transform;
}

function given(
  checking: ModelState,
  { call }: Arguments,
  { value, place }: GivenValue,
  distribution: Distribution,
): Transform | undefined {
  if (value.kind === "none") return { kind: "identity" };
  const plainName = value.kind === "builtin" && value.module === "pm.transforms";
  const asked: Value = plainName ? { kind: "transform", name: value.name } : value;
  const found = asked.kind === "transform" ? named(checking, asked, distribution) : undefined;
  if (found) return found;
  if (value.kind === "invalid") return undefined;
  const what = asked.kind === "transform" ? asked.name : describeValue(value);
  const message = `Cannot use ${what} as a transform of ${checking.text(call.callee)} of ` +
    describeShape(distribution.shape);
  const hint = transformNames.includes(what)
    ? `${what} does not fit this variable${what === "ordered" ? ": give it a shape" : ""}`
    : knownNames(what, "transforms", transformNames);
  checking.error("unsupported/transform", message, place, hint);
  return undefined;
}

function named(
  checking: ModelState,
  value: Value & { kind: "transform" },
  distribution: Distribution,
): Transform | undefined {
  if (value.bounds) {
    const [lower, upper] = value.bounds;
    return { kind: "interval", lower, upper };
  }
  const kind = Object.hasOwn(plain, value.name) ? plain[value.name] : undefined;
  const vector = distribution.shape.length > 0;
  switch (kind) {
    case "ordered":
      return vector ? { kind } : undefined;
    case "simplex":
      return families[distribution.family].transform(checking.graph, distribution).kind === kind
        ? { kind }
        : undefined;
    case "log":
    case "logodds":
    case "circular":
      return { kind };
    default:
      return undefined;
  }
}
