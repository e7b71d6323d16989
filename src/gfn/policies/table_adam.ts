/** Adam for a table, all in f64: rows that appear later begin with moments of 0. */
import type { NamedTensor } from "../../base/safetensors.ts";
import { adamStep, clipScale, type Moments, norm } from "./adam.ts";
import type { Optimiser } from "./optimiser.ts";
import { findTensor } from "./optimizer_file.ts";
import type { StepOptions } from "./policy.ts";
import type { Row, TableRows } from "./table_rows.ts";

/** Adam for a table: moments and averages of rows by their keys. */
export class TableAdam implements Optimiser {
  readonly #moments = new Map<string, Moments>();
  readonly #averages = new Map<string, Float64Array>();
  #steps = 0;

  /** @param flow Where the log flow stands in a row. */
  constructor(readonly table: TableRows, readonly flow: number) {}

  get steps(): number {
    return this.#steps;
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    const rows = this.table.inOrder();
    const { learningRate, flowLearningRate = learningRate, averageDecay } = options;
    const gradientNorm = norm(Float64Array.from(rows, (row) => norm(row.gradient)));
    const scale = clipScale(gradientNorm, options.clipNorm);
    const factors = this.#factors(learningRate, flowLearningRate);
    this.#steps++;
    for (const row of rows) {
      const { parameters, gradient } = row;
      const moments = this.#momentsOf(row);
      adamStep(parameters, gradient, moments, this.#steps, learningRate, scale, factors);
      gradient.fill(0);
    }
    if (averageDecay !== undefined) {
      for (const row of rows) {
        this.#updateAverage(row, averageDecay);
      }
    }
    return { gradientNorm };
  }

  #momentsOf({ key }: Row): Moments {
    const known = this.#moments.get(key);
    if (known) return known;
    const zeros = () => new Float64Array(this.table.width);
    const moments = { first: zeros(), second: zeros() };
    this.#moments.set(key, moments);
    return moments;
  }

  #factors(rate: number, flowRate: number): Float32Array | undefined {
    if (rate === flowRate || rate === 0) return undefined;
    const factors = new Float32Array(this.table.width).fill(1);
    factors[this.flow] = flowRate / rate;
    return factors;
  }

  /** A row that appears later begins with its own parameters. */
  #updateAverage({ key, parameters }: Row, decay: number): void {
    const average = this.#averages.get(key);
    if (!average) this.#averages.set(key, parameters.slice());
    else average.forEach((x, k) => average[k] += (1 - decay) * (parameters[k] - x));
  }

  #averageOf = (row: Row): Float64Array => this.#averages.get(row.key) ?? row.parameters;

  averaged(): NamedTensor[] | undefined {
    if (this.#averages.size === 0) return undefined;
    return [this.table.keyTensor(), this.table.stack("rows", this.#averageOf)];
  }

  tensors(): NamedTensor[] {
    const { table } = this;
    const average = this.#averages.size === 0 ? [] : [table.stack("average", this.#averageOf)];
    return [
      table.keyTensor(),
      table.stack("first_moment", (row) => this.#momentsOf(row).first),
      table.stack("second_moment", (row) => this.#momentsOf(row).second),
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
      ...average,
    ];
  }

  load(tensors: readonly NamedTensor[]): void {
    const { table } = this;
    const each = (name: string, put: (row: Row, values: Float64Array) => void) =>
      table.unstack(tensors, name, put);
    each("first_moment", (row, values) => this.#momentsOf(row).first.set(values));
    each("second_moment", (row, values) => this.#momentsOf(row).second.set(values));
    this.#steps = findTensor(tensors, "steps").values[0];
    if (!tensors.some(({ name }) => name === "average")) return;
    each("average", (row, values) => this.#averages.set(row.key, values.slice()));
  }
}
