/** Adjoints of matrix products, Cholesky factors and triangular solves. */
import type { CholeskyNode, MatmulNode, NodeId, SolveNode } from "../../language/ir/node.ts";
import { type Contribute, filled } from "./adjoints.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Gives the arguments their adjoints. */
export function pullMatrix(
  g: SimplifyingBuilder,
  node: MatmulNode | CholeskyNode | SolveNode,
  id: NodeId,
  adjoint: NodeId,
  contribute: Contribute,
  isActive: (argument: number) => boolean,
): void {
  const full = filled(g, adjoint, node.shape);
  if (node.kind === "cholesky") return contribute(0, choleskyAdjoint(g, id, full));
  const [a, b] = node.args;
  if (node.kind === "matmul") {
    if (isActive(0)) contribute(0, g.matmul(full, transposed(g, b)));
    if (isActive(1)) contribute(1, g.matmul(transposed(g, a), full));
    return;
  }
  // X = L⁻¹ B: B̄ = L⁻ᵀ X̄ and L̄ = −B̄ Xᵀ below the diagonal; X = L⁻ᵀ B likewise (Giles 2008, 2.3).
  const right = g.solve(a, full, !node.transposed);
  if (isActive(1)) contribute(1, right);
  if (!isActive(0)) return;
  const product = node.transposed
    ? g.matmul(id, transposed(g, right))
    : g.matmul(right, transposed(g, id));
  contribute(0, g.neg(lower(g, product, 1)));
}

/**
 * Murray (2016), "Differentiation of the Cholesky decomposition", equation 10: with P the lower half
 * of Lᵀ L̄ (diagonal halved) and S = L⁻ᵀ P L⁻¹, the lower triangle of the argument gets S + Sᵀ, its
 * diagonal S. Only the lower triangle is ever read.
 */
function choleskyAdjoint(g: SimplifyingBuilder, factor: NodeId, adjoint: NodeId): NodeId {
  const p = lower(g, g.matmul(transposed(g, factor), adjoint), 0.5);
  const left = g.solve(factor, p, true);
  const s = g.solve(factor, transposed(g, left), true);
  return lower(g, g.add(s, transposed(g, s)), 0.5);
}

/** The lower triangle; its diagonal by a factor. */
function lower(g: SimplifyingBuilder, x: NodeId, diagonal: number): NodeId {
  const [n] = g.shapeOf(x);
  const mask = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) mask[i * n + j] = 1;
    mask[i * n + i] = diagonal;
  }
  return g.mul(g.array(mask, [n, n]), x);
}

/** The transpose of a matrix. */
function transposed(g: SimplifyingBuilder, x: NodeId): NodeId {
  const [n, m] = g.shapeOf(x);
  const index = new Int32Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) index[j * n + i] = i * m + j;
  }
  return g.gather(x, index, [m, n]);
}
