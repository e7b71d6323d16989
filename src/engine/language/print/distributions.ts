/** Writes distributions as calls of PyMC, by their canonical parameters. */
import { families } from "../distributions/table.ts";
import type { GraphNode, NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { CannotPrint } from "./cannot_print.ts";
import type { Expressions } from "./expressions.ts";

/** Parts of a distribution that the printer handles; anything else in one is refused. */
const knownParts = new Set(["family", "args", "shape", "components", "sizes"]);

/** Families whose shape is that of their part. */
const boundedFamilies: ReadonlySet<string> = new Set(["truncated", "censored", "windowed"]);

/** The writer of one program's distributions. */
export class Distributions {
  constructor(
    private readonly nodes: readonly GraphNode[],
    private readonly expressions: Expressions,
  ) {}

  /** `pm.Family` and the texts of its arguments, by keyword. @throws CannotPrint */
  call(distribution: Distribution): { readonly callee: string; readonly args: readonly string[] } {
    const { family } = distribution;
    const definition = Object.hasOwn(families, family) ? families[family] : undefined;
    const odd = Object.keys(distribution).find((key) => !knownParts.has(key));
    if (!definition || odd) throw new CannotPrint(`a distribution with ${odd ?? family}`);
    if (family === "windowed") return this.#windowed(distribution);
    const args = [
      ...this.#numbers(distribution),
      ...this.#sizes(distribution),
      ...this.#components(distribution),
      ...definition.quiet ? [definition.quiet] : [],
    ];
    return { callee: `pm.${definition.signature.names[0]}`, args };
  }

  /** The family, then windows and parameters, by keyword. */
  #windowed(distribution: Distribution): { callee: string; args: readonly string[] } {
    const { callee, args } = this.call(distribution.components![0]);
    return { callee: "interval_censored", args: [callee, ...this.#numbers(distribution), ...args] };
  }

  #numbers({ family, args }: Distribution): string[] {
    const { parameters, signature } = families[family];
    if (parameters.length !== args.length) throw new CannotPrint(`the arguments of ${family}`);
    return args.flatMap((id, i) => {
      const name = parameters[i];
      const node = this.nodes[id];
      if (name === "chol" && node.kind === "cholesky") {
        return [`cov=${this.expressions.argument(node.args[0])}`];
      }
      const domain = signature.domains[name];
      if (domain === undefined) throw new CannotPrint(`the parameter ${name} of ${family}`);
      const bound = node.kind === "constant" && Math.abs(node.values[0]) === Infinity &&
        node.shape.length === 0;
      if (bound && signature.defaults[name] === node.values[0]) return [];
      const floored = family === "discrete_uniform" && node.kind === "map" && node.op === "floor";
      return [`${name}=${this.expressions.argument(floored ? node.args[0] : id)}`];
    });
  }

  #sizes({ family, sizes = [] }: Distribution): string[] {
    const { sizes: names = [] } = families[family];
    if (sizes.length > names.length) throw new CannotPrint(`the sizes of ${family}`);
    return sizes.map((size, i) => {
      const name = names[i];
      return `${name}=${name === "constant" ? (size === 1 ? "True" : "False") : size}`;
    });
  }

  #components({ family, components }: Distribution): string[] {
    if (!components) return [];
    const { domains } = families[family].signature;
    const name = Object.keys(domains).find((one) => domains[one] === "distribution");
    if (name === undefined) throw new CannotPrint(`the parts of ${family}`);
    const isMixed = family === "mixture" && !components.every(isDiscrete);
    const inner = components.map((one) =>
      (isMixed ? this.#pointMass(one) : undefined) ?? this.#dist(family, one)
    );
    const listed = family === "mixture" && inner.length > 1;
    return [`${name}=${listed ? `[${inner.join(", ")}]` : inner[0]}`];
  }

  /** A distribution without a name; its shape is said where its arguments do not say it. */
  #dist(family: string, distribution: Distribution): string {
    const { callee, args } = this.call(distribution);
    const { shape } = distribution;
    const own = family === "lkj_cholesky_cov" || this.#widest(distribution.args) < shape.length;
    const said = own && !boundedFamilies.has(family) && shape.length > 0;
    const parts = said
      ? [...args, `shape=(${shape.join(", ")}${shape.length === 1 ? "," : ""})`]
      : args;
    return `${callee}.dist(${parts.join(", ")})`;
  }

  /** Whole numbers from one to the same one: beside densities PyMC has them as a number, not a count. */
  #pointMass({ family, args }: Distribution): string | undefined {
    if (family !== "discrete_uniform") return undefined;
    const [lower, upper] = args.map((id) => {
      const node = this.nodes[id];
      const own = node.kind === "map" && node.op === "floor" ? this.nodes[node.args[0]] : node;
      return own.kind === "constant" && own.shape.length === 0 ? own.values[0] : NaN;
    });
    if (lower !== upper) return undefined;
    return `pm.DiracDelta.dist(${Number.isInteger(lower) ? `${lower}.0` : lower})`;
  }

  #widest(args: readonly NodeId[]): number {
    return Math.max(0, ...args.map((id) => this.nodes[id].shape.length));
  }
}

/** Truncated and censored distributions are what they are made of. */
function isDiscrete({ family, components }: Distribution): boolean {
  const isBounded = boundedFamilies.has(family);
  return isBounded && components ? components.every(isDiscrete) : families[family].discrete;
}
