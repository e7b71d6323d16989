/** Mean functions of Gaussian processes, as `pm.gp.mean` has them. */
import type { GraphBuilder } from "../../ir/builder.ts";
import type { NodeId } from "../../ir/node.ts";
import { bind, evaluateArguments } from "../../interpreter/bind.ts";
import { knownNames } from "../../interpreter/findings.ts";
import { invalid, type Value } from "../../interpreter/values.ts";
import type { Call } from "../../syntax/tree.ts";
import type { ModelState } from "../model_state.ts";
import { numberArgument } from "./make_covariance.ts";
import { type Points, stridedColumn } from "./points.ts";

/** A mean function; an object of the programs that are checked. */
export class MeanFunction {
  /** @param at values at points: `[n]`, or what broadcasts to it; undefined if they do not fit. */
  constructor(readonly at: (g: GraphBuilder, x: Points) => NodeId | undefined) {}

  /** Values `[n]`; undefined if the points have other columns. */
  values(g: GraphBuilder, x: Points): NodeId | undefined {
    const found = this.at(g, x);
    return found === undefined ? undefined : g.broadcast(found, [x.rows]);
  }

  /** The sum or the product with another. */
  joined(op: "add" | "mul", other: MeanFunction): MeanFunction {
    return new MeanFunction((g, x) => {
      const [a, b] = [this.at(g, x), other.at(g, x)];
      return a === undefined || b === undefined ? undefined : g.map(op, a, b);
    });
  }
}

/** The mean function that is zero everywhere. */
export const zeroMean: MeanFunction = new MeanFunction((g) => g.scalar(0));

/** A mean function as a value of the program. */
export function meanValue(object: MeanFunction): Value {
  return { kind: "object", described: "a mean function", object };
}

/** More columns than points will have: a vector of coefficients may have any length. */
function lengthOf(checking: ModelState, value: Value): number {
  if (value.kind === "sequence") return value.items.length;
  return value.kind === "numeric" ? checking.graph.shapeOf(value.node)[0] ?? 1 : 1;
}

/** `pm.gp.mean.name(…)`. */
export function callMean(checking: ModelState, call: Call, name: string): Value {
  const text = checking.text(call.callee);
  const names = { Zero: [], Constant: ["c"], Linear: ["coeffs", "intercept"] }[name];
  if (!names) {
    const hint = knownNames(name, "mean functions", ["Zero", "Constant", "Linear"]);
    const message = `Cannot use ${text}: not in the subset`;
    return checking.error("unsupported/function", message, call.callee, hint);
  }
  const args = evaluateArguments(checking, call);
  const required = name === "Linear" ? 1 : 0;
  const bound = args && bind(checking, args, text, { names, required });
  if (!bound) return invalid;
  const nodes = names.map((one) => {
    const given = bound.get(one);
    if (!given) return checking.graph.scalar(0);
    const most = one === "coeffs" ? lengthOf(checking, given.value) : 1;
    return numberArgument(checking, given, text, most);
  });
  if (nodes.some((node) => node === undefined)) return invalid;
  const [first, second] = nodes as NodeId[];
  if (name === "Zero") return meanValue(zeroMean);
  if (name === "Constant") return meanValue(new MeanFunction(() => first));
  return meanValue(new MeanFunction((g, x) => linear(g, x, first, second)));
}

/** Σ x_k a_k + b; undefined where there are not as many columns as coefficients. */
function linear(g: GraphBuilder, x: Points, a: NodeId, b: NodeId): NodeId | undefined {
  const [length = 1] = g.shapeOf(a);
  if (length !== x.columns) return undefined;
  const slope = (k: number) => g.shapeOf(a).length === 0 ? a : g.gather(a, Int32Array.of(k), []);
  return Array.from({ length }, (_, k) => g.mul(stridedColumn(g, x, k), slope(k)))
    .reduce((sum, term) => g.add(sum, term), b);
}
