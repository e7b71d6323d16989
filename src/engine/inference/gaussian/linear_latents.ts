/** Finds the free variables that enter a program's normal likelihood linearly. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution, Parameter } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";

/** Indices of parameters. */
type Indices = ReadonlySet<number>;

const none: Indices = new Set();

/** A normal distribution whose location may be linear in latents, and whose scale may not. */
interface Located {
  readonly location: readonly NodeId[];
  readonly scale: readonly NodeId[];
  /** The factor of earlier values, which may not be linear in latents either. */
  readonly coefficients?: readonly NodeId[];
}

/**
 * The parameters that can be integrated out in closed form given the others: their priors are
 * normal with a location that is affine in such parameters, the likelihood is normal with a
 * location that is affine in them, and nothing else depends on them. Of two parameters in a
 * product, the shorter one is not integrated. `undefined` if the likelihood is not normal, or if a
 * discrete variable is summed out; empty if there are none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { checkProgram } from "../../language/pymc/check.ts";
 * import { linearLatents } from "./linear_latents.ts";
 * const values = Float64Array.of(0.5, 0.7, 0.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     steps = pm.Normal("steps", 0, 1, shape=3)
 *     sigma = pm.HalfNormal("sigma", 1)
 *     pm.Normal("y", mu=pm.math.cumsum(steps), sigma=sigma, observed=data["y"])
 * `;
 * const checked = checkProgram(text, data, undefined, { rows: "ordered" });
 * assert.ok(checked.ok);
 * const names = linearLatents(checked.program)!.map((k) => checked.program.parameters[k].name);
 * assert.deepEqual(names, ["steps"]);
 * ```
 */
export function linearLatents(program: CheckedProgram): readonly number[] | undefined {
  const { parameters, likelihood } = program;
  if (parameters.some(({ transform }) => transform.kind === "summed")) return undefined;
  const { family, shape } = likelihood.distribution;
  if (family !== "normal" && !(family === "mv_normal" && shape.length === 1)) return undefined;
  const observed = locatedOf(likelihood.distribution)!;
  let latents = new Set([...parameters.keys()].filter((k) => isNormal(parameters[k])));
  for (;;) {
    const inTheWay = new Pass(program, latents, observed).conflict();
    if (inTheWay.size === 0) return [...latents];
    latents = new Set([...latents].filter((k) => !inTheWay.has(k)));
  }
}

/** Whether a prior is one whose values can be integrated out. */
function isNormal({ prior, transform, shape }: Parameter): boolean {
  if (sizeOf(shape) === 0) return false;
  if (prior.family === "zero_sum_normal") return (prior.sizes?.[0] ?? 1) === 1;
  return transform.kind === "identity" && locatedOf(prior) !== undefined;
}

/** Locations and scales of a normal distribution of any kind. */
export function locatedOf({ family, args, components }: Distribution): Located | undefined {
  switch (family) {
    case "normal":
    case "mv_normal":
      return { location: [args[0]], scale: [args[1]] };
    case "zero_sum_normal":
      return { location: [], scale: [args[0]] };
    case "gaussian_random_walk": {
      const first = components?.[0];
      if (first?.family !== "normal") return undefined;
      return { location: [args[0], first.args[0]], scale: [args[1], first.args[1]] };
    }
    case "ar": {
      const first = components?.[0];
      if (first?.family !== "normal") return undefined;
      const [rho, sigma] = args;
      const scale = [sigma, first.args[1]];
      return { location: [first.args[0]], scale, coefficients: [rho] };
    }
    default:
      return undefined;
  }
}

/** One pass over the whole graph: which latents each node depends on, and conflicts. */
class Pass {
  readonly #program: CheckedProgram;
  readonly #latents: Indices;
  readonly #observed: Located;
  readonly #found = new Map<NodeId, Indices>();
  #conflict: Indices = none;

  constructor(program: CheckedProgram, latents: Indices, observed: Located) {
    this.#program = program;
    this.#latents = latents;
    this.#observed = observed;
  }

  /** Latents that prevent integrating all of them out; empty if none do. */
  conflict(): Indices {
    for (const [k, { prior, transform }] of this.#program.parameters.entries()) {
      if (this.#latents.has(k)) this.#look(locatedOf(prior)!);
      else this.#forbid([...nodesOf(prior), ...boundsOf(transform)]);
    }
    this.#look(this.#observed);
    return this.#conflict;
  }

  #look({ location, scale, coefficients = [] }: Located): void {
    for (const id of location) this.#of(id);
    this.#forbid([...scale, ...coefficients]);
  }

  #forbid(ids: readonly NodeId[]): void {
    for (const id of ids) this.#drop(this.#of(id));
  }

  /** Only the first conflict counts: without it the others may vanish. */
  #drop(latents: Indices): Indices {
    if (this.#conflict.size === 0) this.#conflict = latents;
    return none;
  }

  #of(id: NodeId): Indices {
    const known = this.#found.get(id);
    if (known) return known;
    const made = this.#make(this.#program.nodes[id]);
    this.#found.set(id, made);
    return made;
  }

  #make(node: GraphNode): Indices {
    if (node.kind === "parameter") {
      return this.#latents.has(node.parameter) ? new Set([node.parameter]) : none;
    }
    const each = node.args.map((arg) => this.#of(arg));
    const all = each.reduce(union, none);
    if (all.size === 0) return none;
    switch (node.kind) {
      case "map":
        return this.#map(node.op, each, all);
      case "reduce":
        return node.op === "sum" ? all : this.#drop(all);
      case "scan":
        return node.op === "cumsum" ? all : this.#drop(all);
      case "matmul":
        return this.#product(each, all);
      case "solve":
        return each[0].size === 0 ? all : this.#drop(each[0]);
      case "cholesky":
        return this.#drop(all);
      case "take":
        return each[1].size === 0 ? all : this.#drop(each[1]);
      default:
        return all;
    }
  }

  #map(op: string, each: readonly Indices[], all: Indices): Indices {
    switch (op) {
      case "neg":
      case "add":
      case "sub":
        return all;
      case "mul":
        return this.#product(each, all);
      case "div":
        return each[1].size === 0 ? all : this.#drop(each[1]);
      case "where":
        return each[0].size === 0 ? all : this.#drop(each[0]);
      default:
        return this.#drop(all);
    }
  }

  /** A product is linear if one factor is free of latents. */
  #product([a, b]: readonly Indices[], all: Indices): Indices {
    if (a.size === 0 || b.size === 0) return all;
    const both = new Set([...a].filter((k) => b.has(k)));
    if (both.size > 0) return this.#drop(both);
    return this.#drop(this.#length(a) < this.#length(b) ? a : b);
  }

  #length(latents: Indices): number {
    let length = 0;
    for (const k of latents) length += sizeOf(this.#program.parameters[k].shape);
    return length;
  }
}

function nodesOf({ args, components }: Distribution): NodeId[] {
  return [...args, ...(components ?? []).flatMap(nodesOf)];
}

function boundsOf(transform: Parameter["transform"]): NodeId[] {
  if (transform.kind === "chain") return transform.parts.flatMap(boundsOf);
  return transform.kind === "interval" ? [transform.lower, transform.upper] : [];
}

function union(a: Indices, b: Indices): Indices {
  if (a.size === 0) return b;
  return b.size === 0 ? a : new Set([...a, ...b]);
}
