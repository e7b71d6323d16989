/** PyMC's default transform of each family (`_default_transform` in its distributions). */
import type { Distribution, Transform } from "./graph.ts";
import type { GraphBuilder } from "./graph_builder.ts";
import { signatures } from "./signatures.ts";

/** How a parameter with this prior is made unconstrained. An infinite bound is one-sided. */
export function transformOf(
  graph: GraphBuilder,
  { family, arguments: nodes }: Distribution,
): Transform {
  switch (signatures[family].support) {
    case "real":
      return { kind: "identity" };
    case "positive":
      return { kind: "log" };
    case "unit":
      return { kind: "logodds" };
    case "interval": {
      const [lower, upper] = nodes.slice(-2);
      const free = graph.constantOf(lower) === -Infinity && graph.constantOf(upper) === Infinity;
      return free ? { kind: "identity" } : { kind: "interval", lower, upper };
    }
  }
}
