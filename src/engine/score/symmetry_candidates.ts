/** Maps under which a program's posterior may be symmetric: labels of components, and signs. */
import { unconstrainedShape } from "../language/distributions/transforms.ts";
import type { CheckedProgram, Parameter } from "../language/ir/program.ts";
import { sizeOf } from "../language/ir/shape.ts";
import type { Symmetry, SymmetryCandidate } from "../loo/symmetries.ts";

/** Components whose labels are exchanged at most: their orders are 120. */
const mostComponents = 5;
/** Parameters that are moved together at most; of so many there are 63 sets. */
const mostParameters = 6;

/** A parameter, and where its unconstrained numbers stand. */
interface Placed {
  readonly parameter: Parameter;
  readonly offset: number;
}

/** Numbers of which each stands for a component: elements of a vector, or parameters that are joined to one. */
interface Components {
  /** Moved parameters, as bits. */
  readonly bits: number;
  /** Number of components. */
  readonly length: number;
  /** Where their unconstrained numbers stand; of a simplex, or of `w` and `1 - w`, all but the last. */
  readonly at: readonly number[];
}

/**
 * Exchanges of the elements of vectors of one length (`mu[0]` with `mu[1]`, or `a` with `b` in `stack([a, b])`, and the
 * weights with them), and other signs of whole parameters, alone and together; sets of few parameters first.
 */
export function symmetryCandidates(program: CheckedProgram): readonly SymmetryCandidate[] {
  const placed = placedParameters(program);
  const components = [...vectorsOf(placed), ...joined(program, placed)];
  const lengths = new Set(components.map(({ length }) => length));
  const labels = [...lengths].filter((n) => n >= 2 && n <= mostComponents).flatMap((n) =>
    subsets(components.filter(({ length }) => length === n)).map((own) => exchange(own, n))
  );
  const signed = placed.filter(({ parameter }) => parameter.transform.kind === "identity");
  const signs = subsets(signed).map((own): SymmetryCandidate => {
    const flip = [flipped(own)];
    const parts = own.reduce((bits, one) => bits | 1 << placed.indexOf(one), 0);
    return { parts, generators: flip, elements: flip };
  });
  return [...labels, ...signs];
}

function placedParameters({ parameters }: CheckedProgram): readonly Placed[] {
  let offset = 0;
  return parameters.map((parameter) => {
    const one = { parameter, offset };
    offset += sizeOf(unconstrainedShape(parameter.transform, parameter.shape));
    return one;
  });
}

/** Vectors whose numbers stand one for an element, or all but the last of a simplex. */
function vectorsOf(placed: readonly Placed[]): readonly Components[] {
  return placed.flatMap(({ parameter: { shape, transform }, offset }, k) => {
    const known = ["identity", "log", "logodds", "affine", "simplex"].includes(transform.kind);
    if (!known || shape.length !== 1) return [];
    const count = transform.kind === "simplex" ? shape[0] - 1 : shape[0];
    const at = Array.from({ length: count }, (_, i) => offset + i);
    return [{ bits: 1 << k, length: shape[0], at }];
  });
}

/** Single parameters that a program joins, or that are arguments of a mixture's components. */
function joined(program: CheckedProgram, placed: readonly Placed[]): readonly Components[] {
  const { nodes, likelihood: { distribution: { components = [] } } } = program;
  const alike = components.every(({ family }) => family === components[0].family);
  const arguments_ = (alike ? components[0]?.args ?? [] : []).map((_, j) =>
    components.map(({ args }) => args[j])
  );
  const joins = nodes.flatMap((node) => node.kind === "join" ? [node.args] : []);
  return [...joins, ...arguments_].flatMap((ids) => {
    const found = ids.map((id) => {
      const node = nodes[id];
      return node.kind === "parameter" && node.shape.length === 0 ? node.parameter : undefined;
    });
    const rest = ids.length === 2 && found[0] !== undefined && isRest(program, ids);
    const own = (rest ? found.slice(0, 1) : found).filter((one) => one !== undefined);
    const kinds = new Set(own.map((k) => placed[k].parameter.transform.kind));
    if (own.length + Number(rest) !== ids.length || new Set(own).size !== own.length) return [];
    if (kinds.size !== 1 || (rest && !kinds.has("logodds"))) return [];
    const bits = own.reduce((all, k) => all | 1 << k, 0);
    return [{ bits, length: ids.length, at: own.map((k) => placed[k].offset) }];
  });
}

/** Whether the second is 1 less the first. */
function isRest({ nodes }: CheckedProgram, [first, second]: readonly number[]): boolean {
  const node = nodes[second];
  if (node.kind !== "map" || node.op !== "sub" || node.args[1] !== first) return false;
  const one = nodes[node.args[0]];
  return one.kind === "constant" && one.values.every((value) => value === 1);
}

/** Sets of these that are not empty, small ones first. */
function subsets<T>(some: readonly T[]): readonly (readonly T[])[] {
  const few = some.slice(0, mostParameters);
  const sets = Array.from(
    { length: 2 ** few.length - 1 },
    (_, k) => few.filter((_, i) => (k + 1) >> i & 1),
  );
  return sets.sort((a, b) => a.length - b.length);
}

/** All orders of these components. */
function exchange(own: readonly Components[], n: number): SymmetryCandidate {
  const identity = Array.from({ length: n }, (_, k) => k);
  const neighbours = identity.slice(1).map((k) =>
    identity.map((i) => i === k ? k - 1 : i === k - 1 ? k : i)
  );
  const orders = permutations(identity).filter((order) => order.some((k, i) => k !== i));
  return {
    parts: own.reduce((all, { bits }) => all | bits, 0),
    generators: neighbours.map((order) => permuted(own, order)),
    elements: orders.map((order) => permuted(own, order)),
  };
}

function permutations(of: readonly number[]): readonly (readonly number[])[] {
  if (of.length <= 1) return [of];
  return of.flatMap((first) =>
    permutations(of.filter((other) => other !== first)).map((rest) => [first, ...rest])
  );
}

function permuted(own: readonly Components[], order: readonly number[]): Symmetry {
  return (from, out) => {
    out.set(from);
    for (const { at } of own) {
      const values = at.map((k) => from[k]);
      const last = -values.reduce((sum, value) => sum + value, 0);
      at.forEach((to, k) => out[to] = values[order[k]] ?? last);
    }
  };
}

function flipped(own: readonly Placed[]): Symmetry {
  return (from, out) => {
    out.set(from);
    for (const { parameter, offset } of own) {
      for (let k = 0; k < sizeOf(parameter.shape); k++) out[offset + k] = -from[offset + k];
    }
  };
}
