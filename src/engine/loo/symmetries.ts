/** Symmetries of a posterior: maps of its coordinates that leave density and likelihoods as they are. */
import { RandomStream } from "../../base/random.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import { uniformStart } from "../inference/mcmc/start.ts";
import type { PointwiseLikelihood } from "../../numerics/math/mod.ts";

/** A map of unconstrained vectors onto themselves that keeps volumes: `from` to `out`, both `[dimension]`. */
export type Symmetry = (from: Float64Array, out: Float64Array) => void;

/** Maps that might be symmetries, a group without the identity: all of them are if the first ones are. */
export interface SymmetryCandidate {
  /** Moved parameters, as bits: unions of groups that hold are not tried. */
  readonly parts: number;
  /** Maps that make the others. */
  readonly generators: readonly Symmetry[];
  /** All of the group but the identity. */
  readonly elements: readonly Symmetry[];
}

/** Points at which a map is tried. A round number: functions that agree at one differ at the next only by design. */
const points = 4;
/** Relative difference that is rounding. */
const rounding = 1e-9;
/** Elements of a group at most: the labels of five components, and a sign. */
const mostElements = 240;

/** All maps of the candidates that hold at random points, and their products; the identity is left out. */
export function symmetriesOf(
  density: PointwiseLikelihood,
  candidates: readonly SymmetryCandidate[],
  key: StreamKey,
  budget: GradientBudget,
): readonly Symmetry[] {
  const found: SymmetryCandidate[] = [];
  let elements: readonly Symmetry[] = [];
  for (const one of candidates) {
    const known = found.reduce(
      (parts, { parts: own }) => (own & one.parts) === own ? parts | own : parts,
      0,
    );
    if (known === one.parts || !holds(density, one, key, budget)) continue;
    const next = products(elements, one.elements);
    if (next.length > mostElements) continue;
    found.push(one);
    elements = next;
  }
  return elements;
}

function holds(
  density: PointwiseLikelihood,
  { generators }: SymmetryCandidate,
  key: StreamKey,
  budget: GradientBudget,
): boolean {
  const moved = new Float64Array(density.dimension);
  for (let k = 0; k < points; k++) {
    const at = uniformStart(density, new RandomStream(...key, "symmetry", k), budget);
    if (!at) return false;
    const here = valuesAt(density, at, budget);
    for (const generator of generators) {
      generator(at, moved);
      if (!alike(here, valuesAt(density, moved, budget))) return false;
    }
  }
  return true;
}

/** The log density, then log likelihoods. */
function valuesAt(density: PointwiseLikelihood, at: Float64Array, budget: GradientBudget) {
  const out = new Float64Array(density.observations + 1);
  out[0] = density.logDensity(at, new Float64Array(at.length), 0);
  density.logLikelihood(at, 0, out, 1);
  budget.used += 1;
  return out;
}

function alike(a: Float64Array, b: Float64Array): boolean {
  return a.every((x, i) => x === b[i] || Math.abs(x - b[i]) <= rounding * (1 + Math.abs(x)));
}

/** Elements of both groups, and one after the other. */
function products(a: readonly Symmetry[], b: readonly Symmetry[]): readonly Symmetry[] {
  const both = a.flatMap((first) =>
    b.map((second): Symmetry => (from, out) => {
      const between = new Float64Array(from.length);
      first(from, between);
      second(between, out);
    })
  );
  return [...a, ...b, ...both];
}
