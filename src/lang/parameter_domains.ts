/** Checks parameters of distributions that are known before sampling against their domains. */
import type { Checking } from "./checking.ts";
import type { GivenParameter } from "./distribution_arguments.ts";
import { type Distribution, families, type Family, type NodeId } from "./graph.ts";
import { type Domain, positiveParameters, signatures } from "./signatures.ts";
import type { Place } from "./source.ts";

const wanted: Readonly<Record<Domain, string>> = {
  real: "a finite number",
  positive: "a number above 0",
  unit: "a number between 0 and 1",
  bound: "a number",
};

const inDomain: Readonly<Record<Domain, (x: number) => boolean>> = {
  real: Number.isFinite,
  positive: (x) => x > 0 && x < Infinity,
  unit: (x) => x > 0 && x < 1,
  bound: (x) => !Number.isNaN(x),
};

/** Reports each given parameter with a value outside of its domain. */
export function checkGiven(
  checking: Checking,
  callee: string,
  family: Family,
  given: ReadonlyMap<string, GivenParameter>,
): boolean {
  const { domains } = signatures[family];
  let fine = true;
  for (const [name, { node, place }] of given) {
    fine = checkValues(checking, `${name} of ${callee}`, domains[name], node, place) && fine;
  }
  return fine;
}

/** Reports canonical parameters that a valid-looking combination has put out of their domain. */
export function checkCanonical(
  checking: Checking,
  callee: string,
  distribution: Distribution,
  place: Place,
): boolean {
  const { family } = distribution;
  const names: readonly string[] = families[family];
  const positives: readonly string[] = positiveParameters[family];
  const fine = names.every((name, i) => {
    if (!positives.includes(name)) return true;
    const what = `${name} of ${callee}, which follows from its arguments`;
    return checkValues(checking, what, "positive", distribution.arguments[i], place);
  });
  return fine && checkBounds(checking, callee, distribution, place);
}

function checkValues(
  checking: Checking,
  what: string,
  domain: Domain,
  node: NodeId,
  place: Place,
): boolean {
  const values = checking.host.of(node);
  const bad = values?.findIndex((value) => !inDomain[domain](value)) ?? -1;
  if (!values || bad < 0) return true;
  const row = values.length > 1 ? ` in row ${bad + 1}` : "";
  const message = `Cannot use this ${what}: wanted ${wanted[domain]}, found ${values[bad]}${row}`;
  checking.error("support/parameter", message, place);
  return false;
}

/** `lower` must lie below `upper` in every row. */
function checkBounds(
  checking: Checking,
  callee: string,
  { family, arguments: nodes }: Distribution,
  place: Place,
): boolean {
  const names: readonly string[] = families[family];
  if (!names.includes("lower")) return true;
  const lower = checking.host.of(nodes[names.indexOf("lower")]);
  const upper = checking.host.of(nodes[names.indexOf("upper")]);
  if (!lower || !upper) return true;
  const rows = Math.max(lower.length, upper.length);
  for (let i = 0; i < rows; i++) {
    const [a, b] = [lower[i % lower.length], upper[i % upper.length]];
    if (a < b) continue;
    const message = `Cannot use the bounds of ${callee}: lower is ${a}, upper is ${b}`;
    checking.error("support/bounds", message, place, "lower must be less than upper");
    return false;
  }
  return true;
}
