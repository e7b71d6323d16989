/** Values of variables with several parts: the factor of a covariance, correlations, deviations. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { numberOf } from "../interpreter/arrays.ts";
import type { GivenValue } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { unpack } from "../numpy/rearranging.ts";
import type { NumericValue, Value } from "../interpreter/values.ts";

/** Result of `pm.LKJCholeskyCov`: `(chol, corr, stds)`; other variables are themselves. */
export function structuredValue(
  checking: ModelState,
  distribution: Distribution,
  value: NumericValue,
  given: ReadonlyMap<string, GivenValue>,
): Value {
  if (distribution.family !== "lkj_cholesky_cov") return value;
  const computed = given.get("compute_corr");
  if (computed && numberOf(checking, computed.value) === 0) return value;
  return { kind: "sequence", form: "tuple", items: factorParts(checking, distribution, value) };
}

function factorParts(
  { graph: g }: ModelState,
  distribution: Distribution,
  packed: NumericValue,
): NumericValue[] {
  const [n] = distribution.sizes ?? [1];
  const chol = unpack(g, packed.node, n);
  const covariance = g.matmul(chol, transposed(g, chol, n));
  const stds = g.map("sqrt", g.sum(g.mul(chol, chol), [1]));
  const scale = g.mul(g.reshape(stds, [n, 1]), g.reshape(stds, [1, n]));
  const tensor = (node: NodeId): NumericValue => ({ ...packed, node });
  return [tensor(chol), tensor(g.div(covariance, scale)), tensor(stds)];
}

function transposed(g: GraphBuilder, x: NodeId, n: number): NodeId {
  const index = Int32Array.from(
    { length: n * n },
    (_, flat) => flat % n * n + Math.floor(flat / n),
  );
  return g.gather(x, index, [n, n]);
}
