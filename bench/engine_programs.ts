/** The programs whose gradients are timed, as checked programs with data. */
import { type Column, type Dataset, makeDataset } from "../src/base/dataset.ts";
import { families, type FamilyName } from "../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../src/engine/language/ir/builder.ts";
import type { NodeId } from "../src/engine/language/ir/node.ts";
import type { CheckedProgram, Distribution, Parameter } from "../src/engine/language/ir/program.ts";
import type { Shape } from "../src/engine/language/ir/shape.ts";

/** A program, its data, and a position. */
export interface TimedProgram {
  readonly program: CheckedProgram;
  readonly dataset: Dataset;
  readonly position: Float64Array;
}

class Writer {
  readonly g = new GraphBuilder();
  readonly parameters: Parameter[] = [];

  distribution(family: FamilyName, shape: Shape, ...args: NodeId[]): Distribution {
    return { family, args, shape };
  }

  parameter(name: string, family: FamilyName, shape: Shape, ...values: number[]): NodeId {
    const prior = this.distribution(family, shape, ...values.map((value) => this.g.scalar(value)));
    const transform = families[family].transform(this.g, prior);
    this.parameters.push({ name, shape, prior, transform });
    return this.g.parameter(this.parameters.length - 1, shape);
  }

  program(distribution: Distribution): CheckedProgram {
    return {
      nodes: this.g.nodes,
      parameters: this.parameters,
      deterministics: [],
      likelihood: { name: "y", column: "y", distribution },
      coords: {},
      hash: "bench",
      diagnostics: [],
    };
  }
}

const predictor = (i: number, j: number) => ((i * (7 + j) + 3 * j) % 19) / 9.5 - 0.9;

function data(rows: number, columns: Record<string, (i: number) => number>): Dataset {
  const list = Object.entries(columns).map(([name, value]): Column => ({
    name,
    role: name === "y" ? "response" : "predictor",
    type: "real",
    values: Float64Array.from({ length: rows }, (_, i) => value(i)),
  }));
  return makeDataset("bench", list);
}

/** α − β λ^age under normal noise. */
export function dugongs(rows = 27): TimedProgram {
  const w = new Writer();
  const { g } = w;
  const alpha = w.parameter("alpha", "normal", [], 0, 10);
  const beta = w.parameter("beta", "normal", [], 0, 10);
  const lambda = w.parameter("lam", "uniform", [], 0.5, 1);
  const sigma = w.parameter("sigma", "half_normal", [], 1);
  const mu = g.sub(alpha, g.mul(beta, g.map("pow", lambda, g.column("age", [rows]))));
  return {
    program: w.program(w.distribution("normal", [rows], mu, sigma)),
    dataset: data(rows, { age: (i) => 1 + i % 30, y: (i) => 1.7 + 0.03 * (i % 30) }),
    position: Float64Array.of(2.6, 0.9, 0.5, -2),
  };
}

/** A cubic log rate of counts. */
export function poisson(rows = 40): TimedProgram {
  const w = new Writer();
  const { g } = w;
  const names = ["a", "b", "c", "d"];
  const q = names.map((name) => w.parameter(name, "normal", [], 0, 10));
  const terms = [0, 1, 2].map((j) => g.mul(q[j + 1], g.column(`x${j}`, [rows])));
  const eta = terms.reduce((sum, term) => g.add(sum, term), q[0]);
  return {
    program: w.program(w.distribution("poisson", [rows], g.exp(eta))),
    dataset: data(rows, {
      x0: (i) => predictor(i, 0),
      x1: (i) => predictor(i, 1),
      x2: (i) => predictor(i, 2),
      y: (i) => (i * 7) % 5,
    }),
    position: Float64Array.of(0.3, 0.2, -0.2, 0.1),
  };
}

/** Ten coefficients on a matrix of data. */
export function logistic(rows: number, columns = 10): TimedProgram {
  const w = new Writer();
  const { g } = w;
  const beta = w.parameter("beta", "normal", [columns], 0, 1);
  const matrix = Float64Array.from(
    { length: rows * columns },
    (_, k) => predictor(Math.floor(k / columns), k % columns),
  );
  const eta = g.matmul(g.array(matrix, [rows, columns]), g.reshape(beta, [columns, 1]));
  const p = g.map("sigmoid", g.reshape(eta, [rows]));
  return {
    program: w.program(w.distribution("bernoulli", [rows], p)),
    dataset: data(rows, { y: (i) => (i * 7) % 5 < 2 ? 1 : 0 }),
    position: Float64Array.from(
      { length: columns },
      (_, j) => [0.3, 0.2, -0.2, 0.1, 0.1, 0.2, -0.3, 0.4, -0.1, 0.3][j % 10],
    ),
  };
}

/** One latent effect for each of many groups, with as many observations per group as wished. */
export function hierarchy(groups: number, each = 5): TimedProgram {
  const w = new Writer();
  const { g } = w;
  const rows = groups * each;
  const mu = w.parameter("mu", "normal", [], 0, 5);
  const tau = w.parameter("tau", "half_normal", [], 2);
  const z = w.parameter("z", "normal", [groups], 0, 1);
  const theta = g.add(mu, g.mul(tau, z));
  const index = Float64Array.from({ length: rows }, (_, i) => Math.floor(i / each));
  const mean = g.take(theta, g.array(index, [rows]));
  return {
    program: w.program(w.distribution("normal", [rows], mean, g.scalar(1))),
    dataset: data(rows, { y: (i) => predictor(i, 3) }),
    position: Float64Array.from({ length: groups + 2 }, (_, i) => predictor(i, 1)),
  };
}
