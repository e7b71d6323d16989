/** The hypergrid (Bengio et al. 2021): steps on a grid of any dimension, with an exit in every cell. */
import { z } from "../../base/zod.ts";
import { log } from "../../numerics/math/mod.ts";
import { type BuiltInEnvironment, builtInEnvironment } from "./built_in.ts";
import type { Environment } from "./environment.ts";
import { maxObjects, SpecChecks } from "./checks.ts";
import { graphEnvironment } from "./graph.ts";
import { maskOf } from "./tree.ts";

const parameters = z.strictObject({
  ndim: z.int().positive().default(2).describe("number of dimensions"),
  height: z.int().min(2).default(8).describe("cells per dimension"),
  r0: z.number().positive().default(0.1).describe("reward everywhere"),
  r1: z.number().min(0).default(0.5).describe("added in the outer region"),
  r2: z.number().min(0).default(2).describe("added on the modes"),
});

/** Parameters of a hypergrid. */
export type HypergridSpec = z.output<typeof parameters>;

/** Cells whose mask is kept. */
const maxKept = 1 << 20;

/** The standard rewards of Bengio et al. 2021 on 8 × 8. */
export const defaultHypergrid: HypergridSpec = parameters.parse({});

/**
 * States are the cells {0 … H − 1}^D, numbered with the first coordinate as the most significant
 * digit; trajectories begin in cell 0, an action adds 1 to one coordinate, and the exit is legal
 * everywhere. So a cell x is reached by (Σ x)! / Π x! paths. With u_d = |x_d / (H − 1) − ½|,
 *
 *     R(x) = R0 + R1 Π_d [0.25 < u_d ≤ 0.5] + R2 Π_d [0.3 < u_d < 0.4]
 *
 * (Bengio et al. 2021, arXiv 2106.04399, section 4.1). The regions are decided in integers:
 * in doubles u_d = 0.30000000000000004 at H = 16, x = 12, which would add modes that the paper
 * does not have. The prior is uniform over legal actions.
 *
 * @throws InputError if the grid has too many cells or a number is out of range.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logSumExp } from "../../numerics/math/log_sum_exp.ts";
 * import { hypergridEnvironment } from "./hypergrid.ts";
 * const grid = hypergridEnvironment({ ndim: 2, height: 16, r0: 0.1, r1: 0.5, r2: 2 });
 * const logZ = logSumExp([...grid.enumerate()].map((object) => object.logReward!));
 * assert.equal(logZ.toFixed(4), "4.1836");
 * ```
 */
export function hypergridEnvironment(spec: HypergridSpec): Environment<number> {
  check(spec);
  const { ndim, height } = spec;
  const grid = new Grid(ndim, height);
  const reward = rewards(spec);
  const prior = new GridPrior(grid);
  return graphEnvironment<number>({
    kind: "hypergrid",
    spec,
    actionNames: [...grid.dimensions.map((d) => `x${d + 1} + 1`), "exit"],
    backwardNames: grid.dimensions.map((d) => `x${d + 1} - 1`),
    maxActions: ndim * (height - 1) + 1,
    count: grid.cells,
    initial: 0,
    legal: (cell) => grid.legal(cell),
    legalBack: (cell) => grid.legalBack(cell),
    after: (cell, d) => cell + grid.strides[d],
    before: (cell, d) => ({ state: cell - grid.strides[d], action: d }),
    undoing: (d) => d,
    key: (cell) => `${cell}`,
    features: {
      size: ndim * height,
      encode: (cell, out, offset) => {
        for (let d = 0; d < ndim; d++) out[offset + d * height + grid.coordinate(cell, d)] = 1;
      },
    },
    object: (cell) => {
      const x = grid.dimensions.map((d) => grid.coordinate(cell, d));
      const actions = x.flatMap((steps, d) => new Array<number>(steps).fill(d));
      return { text: `(${x.join(", ")})`, actions, features: regionNames(spec, (d) => x[d]) };
    },
    logReward: (cell) => reward((d) => grid.coordinate(cell, d)),
    objectLogPrior: (cell) => prior.of(cell),
    *objects() {
      for (let cell = 0; cell < grid.cells; cell++) yield cell;
    },
  });
}

/** Cells by number, and their legal actions. */
class Grid {
  readonly cells: number;
  readonly dimensions: readonly number[];
  readonly strides: readonly number[];
  readonly #forward: Masks;
  readonly #backward: Masks;
  readonly #kept: (Uint8Array | undefined)[];

  constructor(readonly ndim: number, readonly height: number) {
    this.cells = height ** ndim;
    this.dimensions = [...Array(ndim).keys()];
    this.strides = this.dimensions.map((d) => height ** (ndim - 1 - d));
    this.#forward = new Masks(ndim + 1);
    this.#backward = new Masks(ndim);
    this.#kept = new Array(Math.min(this.cells, maxKept));
  }

  coordinate(cell: number, d: number): number {
    return Math.floor(cell / this.strides[d]) % this.height;
  }

  legal(cell: number): Uint8Array {
    return cell < maxKept ? this.#kept[cell] ??= this.#find(cell) : this.#find(cell);
  }

  #find(cell: number): Uint8Array {
    const { ndim, height } = this;
    return this.#forward.of((d) => d === ndim || this.coordinate(cell, d) < height - 1);
  }

  legalBack(cell: number): Uint8Array {
    return this.#backward.of((d) => this.coordinate(cell, d) > 0);
  }
}

function check({ ndim, height, r0, r1, r2 }: HypergridSpec): void {
  const checks = new SpecChecks("hypergrid");
  checks.integer("ndim", ndim, 1, 24);
  checks.integer("height", height, 2, 4096);
  const size = `height ** ndim is ${height} ** ${ndim} cells`;
  checks.require(height ** ndim <= maxObjects, size, `at most ${maxObjects} cells can be walked`);
  checks.positive("r0", r0);
  checks.notNegative("r1", r1);
  checks.notNegative("r2", r2);
  checks.done();
}

/** Masks by which actions are legal, each made once. */
class Masks {
  readonly #known = new Map<number, Uint8Array>();

  constructor(readonly size: number) {}

  of(isLegal: (action: number) => boolean): Uint8Array {
    let bits = 0;
    for (let action = 0; action < this.size; action++) if (isLegal(action)) bits |= 1 << action;
    let mask = this.#known.get(bits);
    if (!mask) {
      const { size } = this;
      const legal = Array.from({ length: size }, (_, a) => a).filter((a) => bits >> a & 1);
      mask = maskOf(size, legal);
      this.#known.set(bits, mask);
    }
    return mask;
  }
}

/** u_d > 0.25, that is d > (H − 1) / 2 for d = |2 x − (H − 1)|; u_d ≤ 0.5 always. */
function isOuter(x: number, height: number): boolean {
  return 2 * Math.abs(2 * x - (height - 1)) > height - 1;
}

/** 0.3 < u_d < 0.4. */
function isThin(x: number, height: number): boolean {
  const tenfold = 10 * Math.abs(2 * x - (height - 1));
  return 6 * (height - 1) < tenfold && tenfold < 8 * (height - 1);
}

type Coordinates = (d: number) => number;

function regions({ ndim, height }: HypergridSpec, x: Coordinates): readonly [boolean, boolean] {
  let [outer, thin] = [true, true];
  for (let d = 0; d < ndim; d++) {
    outer &&= isOuter(x(d), height);
    thin &&= isThin(x(d), height);
  }
  return [outer, thin];
}

function rewards(spec: HypergridSpec): (x: Coordinates) => number {
  const { r0, r1, r2 } = spec;
  const table = [log(r0), log(r0 + r1), log(r0 + r2), log(r0 + r1 + r2)];
  return (x) => {
    const [outer, thin] = regions(spec, x);
    return table[(outer ? 1 : 0) + (thin ? 2 : 0)];
  };
}

function regionNames(spec: HypergridSpec, x: Coordinates): string[] {
  const [outer, thin] = regions(spec, x);
  return [...outer ? ["outer"] : [], ...thin ? ["mode"] : []];
}

/** Log probability of each cell when every legal action is equally likely, pushed once. */
class GridPrior {
  #logPrior: Float64Array | undefined;

  constructor(readonly grid: Grid) {}

  of(cell: number): number {
    this.#logPrior ??= this.#push();
    return this.#logPrior[cell];
  }

  #push(): Float64Array {
    const { cells, ndim, strides } = this.grid;
    const visits = new Float64Array(cells);
    visits[0] = 1;
    for (let cell = 0; cell < cells; cell++) {
      const mask = this.grid.legal(cell);
      const share = visits[cell] / mask.reduce((sum, legal) => sum + legal, 0);
      for (let d = 0; d < ndim; d++) if (mask[d] === 1) visits[cell + strides[d]] += share;
      visits[cell] = log(share);
    }
    return visits;
  }
}

/** The hypergrid, as pipelines make it. */
export const hypergrid: BuiltInEnvironment<typeof parameters> = builtInEnvironment({
  kind: "hypergrid",
  description: "A grid {0 … height − 1}^ndim with modes near its corners (Bengio et al. 2021).",
  called: "the grid",
  parameters,
  make: hypergridEnvironment,
});
