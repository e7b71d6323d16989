/** A table with logits and a log flow per state: exact, deterministic, for few states and tests. */
import type { Environment } from "../environments/environment.ts";
import type { StepOptions } from "./policy.ts";
import type { NamedTensor } from "../parameters/safetensors.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import { adamStep, clipScale, norm } from "./adam.ts";
import type { Moments } from "./adam.ts";
import {
  distinctWalks,
  type Network,
  type NetworkOutputs,
  type NetworkSession,
  type OutputSizes,
  outputWidth,
  walkKey,
} from "./network.ts";

interface Row {
  readonly key: string;
  readonly parameters: Float64Array;
  readonly moments: Moments;
  readonly gradient: Float64Array;
  average: Float64Array | undefined;
}

/** In order of UTF-16 code units. */
const byKey = (a: Row, b: Row): number => a.key < b.key ? -1 : 1;

/**
 * Rows appear when a gradient first reaches their state; a state without a row has logits and
 * log flow 0, which is the uniform policy. Everything is f64.
 */
export class TableNetwork implements Network {
  readonly kind = "table";
  readonly backend = "host";
  readonly computes = "host: plain code in double precision";
  readonly #rows = new Map<string, Row>();
  readonly #kept = new Map<number, readonly string[]>();
  readonly #width: number;
  #sorted: readonly Row[] = [];
  #steps = 0;
  #nextHandle = 1;

  /** An empty table. */
  constructor(readonly outputSizes: OutputSizes) {
    this.#width = outputWidth(outputSizes);
  }

  /** The table of a file. */
  static fromTensors(outputSizes: OutputSizes, tensors: readonly NamedTensor[]): TableNetwork {
    const table = new TableNetwork(outputSizes);
    table.#fill(tensors, (row, values) => row.parameters.set(values), "rows");
    return table;
  }

  get size(): number {
    return this.#rows.size * this.#width;
  }

  outputs(batch: Batch, keep: boolean): Promise<NetworkOutputs> {
    const { keys, index } = batch.states;
    const handle = keep ? this.#nextHandle++ : 0;
    if (keep) this.#kept.set(handle, keys);
    return Promise.resolve({ values: this.#values(keys), rows: index, handle });
  }

  #values(keys: readonly string[]): Float64Array {
    const values = new Float64Array(keys.length * this.#width);
    keys.forEach((key, i) => {
      const row = this.#rows.get(key);
      if (row) values.set(row.parameters, i * this.#width);
    });
    return values;
  }

  begin(environment: Environment): NetworkSession {
    return {
      next: (walks) => {
        const { keys, rows } = distinctWalks(walks, (walk) => walkKey(environment, walk));
        return Promise.resolve({ values: this.#values(keys), rows });
      },
      end() {},
    };
  }

  accumulate(handle: number, gradient: Float64Array): Promise<void> {
    const keys = this.#kept.get(handle);
    if (!keys) throw new Error(`internal: nothing kept under handle ${handle}`);
    this.#kept.delete(handle);
    keys.forEach((key, i) => {
      const part = gradient.subarray(i * this.#width, (i + 1) * this.#width);
      if (part.every((g) => g === 0)) return;
      const row = this.#row(key);
      part.forEach((g, k) => row.gradient[k] += g);
    });
    return Promise.resolve();
  }

  release(handle: number): void {
    this.#kept.delete(handle);
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    const rows = this.#inOrder();
    const { learningRate, flowLearningRate = learningRate, averageDecay } = options;
    const gradientNorm = norm(Float64Array.from(rows, (row) => norm(row.gradient)));
    const scale = clipScale(gradientNorm, options.clipNorm);
    const factors = this.#factors(learningRate, flowLearningRate);
    this.#steps++;
    for (const { parameters, gradient, moments } of rows) {
      adamStep(parameters, gradient, moments, this.#steps, learningRate, scale, factors);
      gradient.fill(0);
    }
    if (averageDecay !== undefined) { for (const row of rows) updateAverage(row, averageDecay); }
    return { gradientNorm };
  }

  #factors(rate: number, flowRate: number): Float32Array | undefined {
    if (rate === flowRate || rate === 0) return undefined;
    const factors = new Float32Array(this.#width).fill(1);
    factors[this.outputSizes.actions] = flowRate / rate;
    return factors;
  }

  tensors(): NamedTensor[] {
    return [this.#keyTensor(), this.#stack("rows", (row) => row.parameters)];
  }

  optimizerTensors(): NamedTensor[] {
    const averaged = this.#inOrder().some((row) => row.average);
    return [
      this.#keyTensor(),
      this.#stack("first_moment", (row) => row.moments.first),
      this.#stack("second_moment", (row) => row.moments.second),
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
      ...(averaged ? [this.#stack("average", (row) => row.average ?? row.parameters)] : []),
    ];
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    this.#fill(tensors, (row, values) => row.moments.first.set(values), "first_moment");
    this.#fill(tensors, (row, values) => row.moments.second.set(values), "second_moment");
    this.#steps = find(tensors, "steps").values[0];
    if (!tensors.some(({ name }) => name === "average")) return;
    this.#fill(tensors, (row, values) => row.average = values.slice(), "average");
  }

  clone(averaged: boolean): Promise<TableNetwork> {
    const part = (row: Row) => averaged && row.average ? row.average : row.parameters;
    const tensors = [this.#keyTensor(), this.#stack("rows", part)];
    return Promise.resolve(TableNetwork.fromTensors(this.outputSizes, tensors));
  }

  dispose(): void {
    this.#kept.clear();
  }

  #row(key: string): Row {
    let row = this.#rows.get(key);
    if (!row) {
      const zeros = () => new Float64Array(this.#width);
      const moments = { first: zeros(), second: zeros() };
      row = { key, parameters: zeros(), moments, gradient: zeros(), average: undefined };
      this.#rows.set(key, row);
    }
    return row;
  }

  /** Rows by key, so that neither bytes nor sums depend on the order of visits. */
  #inOrder(): readonly Row[] {
    if (this.#sorted.length !== this.#rows.size) {
      this.#sorted = [...this.#rows.values()].sort(byKey);
    }
    return this.#sorted;
  }

  /** `[rows, longest]`: the UTF-16 code units of the keys, padded with −1. */
  #keyTensor(): NamedTensor {
    const rows = this.#inOrder();
    const longest = rows.reduce((max, { key }) => Math.max(max, key.length), 0);
    const values = new Int32Array(rows.length * longest).fill(-1);
    rows.forEach(({ key }, i) => {
      for (let c = 0; c < key.length; c++) values[i * longest + c] = key.charCodeAt(c);
    });
    return { name: "keys", shape: [rows.length, longest], values };
  }

  #stack(name: string, part: (row: Row) => Float64Array | Float32Array): NamedTensor {
    const rows = this.#inOrder();
    const values = new Float64Array(rows.length * this.#width);
    rows.forEach((row, i) => values.set(part(row), i * this.#width));
    return { name, shape: [rows.length, this.#width], values };
  }

  #fill(
    tensors: readonly NamedTensor[],
    put: (row: Row, values: Float64Array) => void,
    name: string,
  ): void {
    const keys = find(tensors, "keys");
    const [count, longest] = keys.shape;
    const values = find(tensors, name).values as Float64Array;
    for (let i = 0; i < count; i++) {
      const units = keys.values.subarray(i * longest, (i + 1) * longest).filter((u) => u >= 0);
      const row = this.#row(String.fromCharCode(...units));
      put(row, values.subarray(i * this.#width, (i + 1) * this.#width));
    }
  }
}

/** A row that appears later begins with its own parameters. */
function updateAverage(row: Row, decay: number): void {
  const { parameters } = row;
  if (!row.average) row.average = parameters.slice();
  else row.average.forEach((x, k) => row.average![k] += (1 - decay) * (parameters[k] - x));
}

function find(tensors: readonly NamedTensor[], name: string): NamedTensor {
  const tensor = tensors.find((t) => t.name === name);
  if (!tensor) throw new Error(`Cannot read table policy: tensor "${name}" is missing`);
  return tensor;
}
