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

/**
 * Exchanges of the elements of vectors of one length (`mu[0]` with `mu[1]`, and the weights with them), and other signs of
 * whole parameters, alone and together; sets of few parameters first.
 */
export function symmetryCandidates(program: CheckedProgram): readonly SymmetryCandidate[] {
  const placed = placedParameters(program);
  const lengths = new Set(placed.map(componentsOf).filter((n) => n >= 2 && n <= mostComponents));
  const labels = [...lengths].flatMap((n) =>
    subsets(placed.filter((one) => componentsOf(one) === n), placed).map(({ parts, own }) =>
      exchange(parts, own, n)
    )
  );
  const signed = placed.filter(({ parameter }) => parameter.transform.kind === "identity");
  const signs = subsets(signed, placed).map(({ parts, own }): SymmetryCandidate => {
    const flip = [flipped(own)];
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

/** Length of a vector whose numbers stand one for an element, or all but the last of a simplex; 0 of others. */
function componentsOf({ parameter: { shape, transform } }: Placed): number {
  const known = ["identity", "log", "logodds", "affine", "simplex"].includes(transform.kind);
  return known && shape.length === 1 ? shape[0] : 0;
}

/** Sets of these parameters that are not empty, small ones first, with their bits among all. */
function subsets(some: readonly Placed[], all: readonly Placed[]) {
  const few = some.slice(0, mostParameters);
  const sets = Array.from({ length: 2 ** few.length - 1 }, (_, k) => {
    const own = few.filter((_, i) => (k + 1) >> i & 1);
    return { own, parts: own.reduce((bits, one) => bits | 1 << all.indexOf(one), 0) };
  });
  return sets.sort((a, b) => a.own.length - b.own.length);
}

/** All orders of the elements of these vectors. */
function exchange(parts: number, own: readonly Placed[], n: number): SymmetryCandidate {
  const identity = Array.from({ length: n }, (_, k) => k);
  const neighbours = identity.slice(1).map((k) =>
    identity.map((i) => i === k ? k - 1 : i === k - 1 ? k : i)
  );
  const orders = permutations(identity).filter((order) => order.some((k, i) => k !== i));
  return {
    parts,
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

function permuted(own: readonly Placed[], order: readonly number[]): Symmetry {
  return (from, out) => {
    out.set(from);
    for (const { parameter, offset } of own) {
      const length = parameter.transform.kind === "simplex" ? order.length - 1 : order.length;
      const values = from.slice(offset, offset + length);
      const last = -values.reduce((sum, value) => sum + value, 0);
      for (let k = 0; k < length; k++) out[offset + k] = values[order[k]] ?? last;
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
