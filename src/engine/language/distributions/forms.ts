/** Parametrisations that several families share. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Form } from "./family.ts";

/** The canonical parameters themselves. */
export function direct(...names: readonly string[]): Form {
  return { names, canonical: (_g, given) => names.map((name) => given[name]) };
}

/** `sigma` given as a precision: sigma = 1/√tau. */
export function precision(
  name: string,
  names: readonly string[],
  canonical: readonly string[],
): Form {
  return {
    names,
    canonical: (g, given) => {
      const sigma = g.div(g.scalar(1), g.map("sqrt", given[name]));
      return canonical.map((wanted) => (wanted === "sigma" ? sigma : given[wanted]));
    },
  };
}

/** 1 / x; of a quotient 1 / y it is y. */
export function inverse(g: GraphBuilder, x: NodeId): NodeId {
  const node = g.nodes[x];
  if (node.kind === "map" && node.op === "div" && g.constantOf(node.args[0]) === 1) {
    return node.args[1];
  }
  return g.div(g.scalar(1), x);
}

/** x / scale, by a product with the inverse where that is shared by several x. */
export function scaled(g: GraphBuilder, x: NodeId, scale: NodeId): NodeId {
  return g.shapeOf(scale).length < g.shapeOf(x).length
    ? g.mul(x, inverse(g, scale))
    : g.div(x, scale);
}

/** (x − location) / scale. */
export function standardised(
  g: GraphBuilder,
  x: NodeId,
  location: NodeId,
  scale: NodeId,
): NodeId {
  return scaled(g, g.sub(x, location), scale);
}

/** factor · x for a number. */
export function times(g: GraphBuilder, factor: number, x: NodeId): NodeId {
  return g.mul(g.scalar(factor), x);
}

/** x + term for a number. */
export function plus(g: GraphBuilder, x: NodeId, term: number): NodeId {
  return g.add(x, g.scalar(term));
}

/** 1 − x. */
export function complement(g: GraphBuilder, x: NodeId): NodeId {
  return g.sub(g.scalar(1), x);
}
