/** Numbers and grids that data give at no cost: a constant is charged no more than such a replacement would lose. */
import type { Dataset } from "../../../base/dataset.ts";
import { quantile } from "../../../numerics/math/mod.ts";
import { families } from "../../language/distributions/table.ts";
import { halfWidth, leastWidth } from "../../language/distributions/width.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";

/** Entries of an array that a grid may stand for. */
const mostEntries = 64;

/** Operations that keep the scale of a column. */
const distances: ReadonlySet<string> = new Set(["add", "sub", "abs"]);

/** Statistics and grids that a program may write instead of its own constants. */
export class Given {
  readonly #mean: number;
  readonly #deviation: number;
  /** Numbers that are added to the location of the response: to observe the response less its mean is free. */
  readonly #added: ReadonlySet<NodeId>;

  /** @param valuesOf what a node is before anything is sampled; undefined of others. */
  constructor(
    private readonly program: CheckedProgram,
    private readonly dataset: Dataset,
    private readonly valuesOf: (id: NodeId) => Float64Array | undefined,
  ) {
    const { column } = program.likelihood;
    const response = dataset.columns.find(({ name }) => name === column);
    [this.#mean, this.#deviation] = momentsOf(response?.values ?? new Float64Array(0));
    this.#added = addendsOf(program);
  }

  /**
   * Of an argument of priors the mean of the response and scales as wide as it, where the language lets a prior have
   * them; of a number that is added to the response's location its mean; of one that meets a column the mean, the middle
   * and the deviation of that: of the column itself, for a number that was computed may hold digits of another.
   * Distances from a grid have its step.
   */
  numbers(id: NodeId, isOfPriors: boolean): number[] {
    if (isOfPriors) return this.#ofResponse().filter((one) => this.#isAllowed(id, one));
    if (this.#added.has(id)) return [this.#mean].filter(Number.isFinite);
    return this.program.nodes.flatMap(({ kind, args }) => {
      if (kind !== "map" || args.length !== 2 || !args.includes(id)) return [];
      return this.#statisticsOf(args[0] === id ? args[1] : args[0], true);
    });
  }

  /** Statistics of the column at a node; of a column less something its deviation alone. */
  #statisticsOf(id: NodeId, isItself: boolean): number[] {
    const node = this.program.nodes[id];
    if (node.kind === "column") {
      const { role, values } = this.dataset.columns.find(({ name }) => name === node.column)!;
      if (role === "response" || role === "ignore") return [];
      const [mean, deviation] = momentsOf(values);
      const middle = quantile(values.toSorted(), 0.5);
      return (isItself ? [mean, middle, deviation] : [deviation]).filter(Number.isFinite);
    }
    if (node.kind === "map") {
      if (!distances.has(node.op)) return [];
      return node.args.flatMap((arg) => [
        ...this.#statisticsOf(arg, false),
        ...stepOf(this.valuesOf(arg)),
      ]);
    }
    return node.args.length === 1 ? this.#statisticsOf(node.args[0], isItself) : [];
  }

  /** Of values that rise, grids of as many over the range of each predictor. */
  grids(values: Float64Array): Float64Array[] {
    const rises = values.every((one, i) => i === 0 || one > values[i - 1]);
    if (!rises || values.length < 2 || values.length > mostEntries) return [];
    return this.dataset.columns.flatMap(({ role, values: column }) => {
      if (role !== "predictor") return [];
      const sorted = column.toSorted();
      const [low, high] = [sorted[0], sorted[sorted.length - 1]];
      const step = (high - low) / (values.length - 1);
      return step > 0 ? [values.map((_, i) => low + i * step)] : [];
    });
  }

  #ofResponse(): number[] {
    const scale = this.#deviation;
    return scale > 0 ? [this.#mean, scale, 2 * scale, 1 / scale] : [];
  }

  /** Whether all priors that have the number would be as wide with another as the language wants. */
  #isAllowed(id: NodeId, number: number): boolean {
    return priorsOf(this.program).every((prior) => {
      if (!prior.args.includes(id)) return true;
      const args = prior.args.map((arg) => arg === id ? number : this.#constantOf(arg));
      if (args.some((one) => one === undefined)) return false;
      const width = halfWidth(prior, args as number[]);
      return width !== undefined && width >= leastWidth * this.#deviation;
    });
  }

  /** The number that all entries of a node are. */
  #constantOf(id: NodeId): number | undefined {
    const values = this.valuesOf(id);
    return values?.every((one) => one === values[0]) ? values[0] : undefined;
  }
}

/** The step of a grid. */
function stepOf(values: Float64Array | undefined): number[] {
  if (!values || values.length < 3 || values.length > mostEntries) return [];
  const step = (values[values.length - 1] - values[0]) / (values.length - 1);
  const isGrid = values.every((one, i) => Math.abs(one - values[0] - i * step) < 1e-9 * step);
  return isGrid ? [step] : [];
}

function priorsOf({ parameters }: CheckedProgram): Distribution[] {
  return parameters.flatMap(({ prior }) => [prior, ...(prior.components ?? [])]);
}

function momentsOf(values: Float64Array): [mean: number, deviation: number] {
  const n = values.length;
  const mean = values.reduce((sum, one) => sum + one / n, 0);
  const square = values.reduce((sum, one) => sum + (one - mean) ** 2 / (n - 1), 0);
  return [mean, Math.sqrt(square)];
}

/** Nodes of which the response's location is a sum. */
function addendsOf({ nodes, likelihood: { distribution } }: CheckedProgram): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  const visit = (id: NodeId) => {
    found.add(id);
    const node = nodes[id];
    if (node.kind === "map" && node.op === "add") node.args.forEach(visit);
  };
  const { location, parameters, eventRank } = families[distribution.family];
  const at = location ?? (eventRank === 1 && parameters[0] === "mu" ? 0 : undefined);
  if (at !== undefined) visit(distribution.args[at]);
  return found;
}
