/** Evaluates graphs at given values of their parameters, and asks families in PyMC's words. */
import { evaluateNode } from "../../../src/engine/language/ir/evaluate.ts";
import type { ArrayValue } from "../../../src/engine/language/ir/array_value.ts";
import type { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import type {
  FamilyDefinition,
  Form,
  Given,
} from "../../../src/engine/language/distributions/family.ts";

/** The values of one node, for values of the parameters by index. */
export function evaluate(
  g: GraphBuilder,
  wanted: NodeId,
  parameters: readonly Float64Array[],
): Float64Array {
  const values: ArrayValue[] = [];
  for (const node of g.nodes) {
    const of = node.kind === "parameter"
      ? parameters[node.parameter]
      : node.kind === "input"
      ? parameters[0].subarray(node.offset, node.offset + node.shape.reduce((a, b) => a * b, 1))
      : evaluateNode(node, node.args.map((arg) => values[arg]));
    values.push({ shape: node.shape, values: of });
    if (values.length > wanted) break;
  }
  return values[wanted].values;
}

/** The form that fits what is given. */
export function formOf({ signature }: FamilyDefinition, given: readonly string[]): Form {
  const fits = signature.forms.filter((form) =>
    given.every((name) => form.names.includes(name)) &&
    form.names.every((name) => given.includes(name) || name in signature.defaults)
  );
  if (fits.length === 0) throw new Error(`no form for ${given}`);
  return fits[0];
}

/** Canonical parameters, with defaults for what is not given. */
export function canonicalOf(
  g: GraphBuilder,
  family: FamilyDefinition,
  given: Given,
): readonly NodeId[] {
  const all: Record<string, NodeId> = { ...given };
  for (const [name, value] of Object.entries(family.signature.defaults)) {
    all[name] ??= g.scalar(value);
  }
  return formOf(family, Object.keys(given)).canonical(g, all);
}

/** A number of a golden file. */
export type GoldenNumber = number | "inf" | "-inf" | "nan";

/** The number that it stands for. */
export function goldenNumber(x: GoldenNumber): number {
  return x === "inf" ? Infinity : x === "-inf" ? -Infinity : x === "nan" ? NaN : x;
}

/** Whether two numbers agree within a relative or an absolute tolerance. */
export function agree(a: number, b: number, relative: number, absolute: number): boolean {
  return Object.is(a, b) || a === b ||
    Math.abs(a - b) <= Math.max(absolute, relative * Math.max(Math.abs(a), Math.abs(b)));
}
