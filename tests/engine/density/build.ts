/** A tiny builder of checked programs, for tests that need a graph without a text. */
import { families, type FamilyName } from "../../../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import type {
  CheckedProgram,
  Distribution,
  Parameter,
  Transform,
} from "../../../src/engine/language/ir/program.ts";
import type { Shape } from "../../../src/engine/language/ir/shape.ts";

/** Adds parameters one by one; `program` closes the graph with a likelihood. */
export class ProgramBuilder {
  readonly g = new GraphBuilder();
  readonly parameters: Parameter[] = [];
  readonly deterministics: { name: string; node: NodeId }[] = [];

  /** A distribution whose arguments are node ids. */
  distribution(family: FamilyName, shape: Shape, ...args: NodeId[]): Distribution {
    return { family, args, shape };
  }

  /** A distribution whose arguments are numbers. */
  fixed(family: FamilyName, shape: Shape, ...values: number[]): Distribution {
    return this.distribution(family, shape, ...values.map((value) => this.g.scalar(value)));
  }

  /** A parameter under the default transform of its prior, or another. */
  parameter(name: string, prior: Distribution, transform?: Transform): NodeId {
    const chosen = transform ?? families[prior.family].transform(this.g, prior);
    this.parameters.push({ name, shape: prior.shape, prior, transform: chosen });
    return this.g.parameter(this.parameters.length - 1, prior.shape);
  }

  deterministic(name: string, node: NodeId): void {
    this.deterministics.push({ name, node });
  }

  program(column: string, distribution: Distribution): CheckedProgram {
    return {
      nodes: this.g.nodes,
      parameters: this.parameters,
      deterministics: this.deterministics,
      likelihood: { name: "y", column, distribution },
      coords: {},
      hash: "test",
      diagnostics: [],
    };
  }
}

/** alpha − beta · lambda^age under normal noise: the growth curve of the dugongs. */
export function growthProgram(rows = 27): CheckedProgram {
  const b = new ProgramBuilder();
  const { g } = b;
  const alpha = b.parameter("alpha", b.fixed("normal", [], 0, 10));
  const beta = b.parameter("beta", b.fixed("normal", [], 0, 10));
  const lambda = b.parameter("lam", b.fixed("uniform", [], 0.5, 1));
  const sigma = b.parameter("sigma", b.fixed("half_normal", [], 1));
  const mu = g.sub(alpha, g.mul(beta, g.map("pow", lambda, g.column("age", [rows]))));
  b.deterministic("plateau", g.exp(alpha));
  b.deterministic("mu", mu);
  return b.program("length", b.distribution("normal", [rows], mu, sigma));
}
