/** Small checked programs, built on the graph without a text. */
import { makeDataset } from "../../../src/base/dataset.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type {
  CheckedProgram,
  Distribution,
  Parameter,
} from "../../../src/engine/language/ir/program.ts";

const real = (name: string, role: "predictor" | "response", values: number[]) => ({
  ...{ name, role, type: "real" as const, values: Float64Array.from(values) },
});

/** x and y of a line. */
export const lineData = makeDataset("line", [
  real("x", "predictor", [1, 2, 3, 6]),
  real("y", "response", [0, 1, 2, 5]),
]);

function parameter(name: string, prior: Distribution, positive = false): Parameter {
  return {
    ...{ name, shape: prior.shape, prior },
    transform: { kind: positive ? "log" : "identity" },
  };
}

const common = { deterministics: [], coords: {}, hash: "none", diagnostics: [] };

/** y ~ Normal(a + b (x − mean x), 0.5); a, b ~ Normal(0, 1). */
export function centredLine(): CheckedProgram {
  const g = new GraphBuilder();
  const x = g.column("x", [4]);
  const mean = g.div(g.sum(x), g.scalar(4));
  const a = g.parameter(0, []);
  const b = g.parameter(1, []);
  const mu = g.add(a, g.mul(b, g.sub(x, mean)));
  const unit: Distribution = { family: "normal", args: [g.scalar(0), g.scalar(1)], shape: [] };
  const distribution: Distribution = { family: "normal", args: [mu, g.scalar(0.5)], shape: [4] };
  return {
    ...common,
    nodes: g.nodes,
    parameters: [parameter("a", unit), parameter("b", unit)],
    likelihood: { name: "y", column: "y", distribution },
  };
}

/** y ~ Normal(z, 1); z ~ Normal(m, s) with one element per row; m ~ Normal(0, 1), s ~ HalfNormal(1). */
export function rowEffects(order: "rows" | "reversed" = "rows"): CheckedProgram {
  const g = new GraphBuilder();
  const m = g.parameter(0, []);
  const s = g.parameter(1, []);
  const z = g.parameter(2, [4]);
  const seen = order === "rows" ? z : g.gather(z, Int32Array.of(3, 2, 1, 0), [4]);
  const distribution: Distribution = { family: "normal", args: [seen, g.scalar(1)], shape: [4] };
  return {
    ...common,
    nodes: g.nodes,
    parameters: [
      parameter("m", { family: "normal", args: [g.scalar(0), g.scalar(1)], shape: [] }),
      parameter("s", { family: "half_normal", args: [g.scalar(1)], shape: [] }, true),
      parameter("z", { family: "normal", args: [m, s], shape: [4] }),
    ],
    likelihood: { name: "y", column: "y", distribution },
  };
}

/** As `rowEffects`, but every row sees the sum of all elements. */
export function sharedEffects(): CheckedProgram {
  const g = new GraphBuilder();
  const z = g.parameter(0, [4]);
  const distribution: Distribution = {
    family: "normal",
    args: [g.add(z, g.sum(z)), g.scalar(1)],
    shape: [4],
  };
  const prior: Distribution = { family: "normal", args: [g.scalar(0), g.scalar(1)], shape: [4] };
  return {
    ...common,
    nodes: g.nodes,
    parameters: [parameter("z", prior)],
    likelihood: { name: "y", column: "y", distribution },
  };
}
