/** Checks the observed variable: the response, whole and unchanged, scored exactly once. */
import type { Column } from "../base/dataset.ts";
import { evaluate } from "./check_expression.ts";
import { checkDistribution, variableName } from "./check_variable.ts";
import type { Checking } from "./checking.ts";
import { matchArguments } from "./distribution_arguments.ts";
import { type Distribution, families, type Family } from "./graph.ts";
import { signatures } from "./signatures.ts";
import type { Argument, Call } from "./tree.ts";
import { describeValue, invalid, type Value } from "./values.ts";

/** `pm.Family("name", …, observed=…)`. */
export function checkLikelihood(checking: Checking, call: Call, family: Family): Value {
  const repeated = checking.observedSeen;
  checking.observedSeen = true;
  const before = checking.findings.errors;
  const argument = call.arguments.find(({ keyword }) => keyword?.id === "observed");
  const column = argument && checkObserved(checking, argument);
  if (repeated) refuseRepeated(checking, call);
  const matched = matchArguments(checking, call, family);
  const name = variableName(checking, call, matched);
  const distribution = matched && checkDistribution(checking, call, family, matched.given);
  if (name === undefined || !distribution || !column) return invalid;
  checkResponse(checking, call, column, distribution);
  if (checking.findings.errors > before) return invalid;
  checking.likelihood = { name, column: column.name, ...distribution };
  return { kind: "observed", name };
}

function refuseRepeated(checking: Checking, call: Call): void {
  const message = "Cannot observe a second variable: the response is scored exactly once";
  const hint = "keep one variable with observed=";
  checking.error("lh/duplicate-observation", message, call, hint);
}

/** The response column if that is what is observed. */
function checkObserved(checking: Checking, argument: Argument): Column | undefined {
  const value = evaluate(checking, argument.value);
  if (value.kind === "response") return checking.response;
  if (value.kind === "invalid") return undefined;
  if (value.kind === "derived") value.reported = true;
  const found = value.kind === "numeric" ? describeNumeric(checking, value.node) : undefined;
  const wanted = checking.response?.name;
  const message = `Cannot observe ${found ?? describeValue(value)}: wanted ` +
    (wanted === undefined
      ? "a response, which the data lack"
      : `the response, whole and unchanged`);
  const hint = wanted === undefined
    ? 'give one column of the data the role "response"'
    : `write observed=data["${wanted}"]`;
  checking.error("lh/observed-not-canonical", message, argument.value, hint);
  return undefined;
}

function describeNumeric(checking: Checking, node: number): string | undefined {
  const found = checking.graph.nodes[node];
  if (found.kind === "column") return `the column "${found.column}"`;
  return found.shape === "vector" ? "an expression" : undefined;
}

/** The response's type and values must be possible under the family. */
function checkResponse(
  checking: Checking,
  call: Call,
  column: Column,
  distribution: Distribution,
): void {
  const callee = checking.source.slice(call.callee);
  if (column.type !== "real") {
    const message =
      `Cannot score "${column.name}" with ${callee}: its type is ${column.type}, and ` +
      "the subset has likelihoods for real responses only";
    const hint = 'give the column the type "real" if its values are measurements';
    checking.error("unsupported/response-type", message, call.callee, hint);
    return;
  }
  const outside = firstOutside(checking, column, distribution);
  if (outside === undefined) return;
  const message = `Cannot score "${column.name}" with ${callee}: it gives no density to row ` +
    `${outside + 1}`;
  const hint = `choose a distribution whose support holds all values of "${column.name}"`;
  checking.error("support/response", message, call.callee, hint);
}

function firstOutside(
  checking: Checking,
  { values }: Column,
  distribution: Distribution,
): number | undefined {
  const outside = outsideTest(checking, distribution);
  const found = values.findIndex((y, i) => !Number.isFinite(y) || outside(y, i));
  return found < 0 ? undefined : found;
}

/** Whether value y of row i lies outside of the support, as far as that is known already. */
function outsideTest(
  checking: Checking,
  distribution: Distribution,
): (y: number, i: number) => boolean {
  switch (signatures[distribution.family].support) {
    case "real":
      return () => false;
    case "positive":
      return densityAtZero.has(distribution.family) ? (y) => y < 0 : (y) => y <= 0;
    case "unit":
      return (y) => y <= 0 || y >= 1;
    case "interval":
      return outsideInterval(checking, distribution);
  }
}

const densityAtZero: ReadonlySet<Family> = new Set<Family>([
  "half_normal",
  "half_student_t",
  "half_cauchy",
  "exponential",
]);

/** Bounds that are known before sampling; unknown ones are taken to hold. */
function outsideInterval(checking: Checking, { family, arguments: nodes }: Distribution) {
  const names: readonly string[] = families[family];
  const lower = checking.host.of(nodes[names.indexOf("lower")]);
  const upper = checking.host.of(nodes[names.indexOf("upper")]);
  return (y: number, i: number): boolean =>
    (lower !== undefined && y < lower[i % lower.length]) ||
    (upper !== undefined && y > upper[i % upper.length]);
}
