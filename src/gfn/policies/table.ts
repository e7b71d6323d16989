/** A table with logits and a log flow per prefix: exact, deterministic, for small trees and tests. */
import type { StepOptions } from "../policy.ts";
import type { NamedTensor } from "../safetensors.ts";
import { adamStep, clipScale, norm } from "./adam.ts";
import type { Moments } from "./adam.ts";
import type { Network, NetworkOutputs, PrefixBatch } from "./network.ts";

interface Row {
  readonly prefix: readonly number[];
  readonly parameters: Float64Array;
  readonly moments: Moments;
  readonly gradient: Float64Array;
}

/** Lexicographic; a prefix comes before what it begins. */
function comparePrefixes(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/**
 * Rows appear when a gradient first reaches their prefix; a prefix without a row has logits and
 * log flow 0, which is the uniform policy. Everything is f64.
 */
export class TableNetwork implements Network {
  readonly kind = "table";
  readonly backend = "host";
  readonly #rows = new Map<string, Row>();
  readonly #kept = new Map<number, PrefixBatch>();
  #sorted: readonly Row[] = [];
  #steps = 0;
  #nextHandle = 1;

  /** @param actions Number of actions. */
  constructor(readonly actions: number) {}

  /** The table of a file. */
  static fromTensors(actions: number, tensors: readonly NamedTensor[]): TableNetwork {
    const table = new TableNetwork(actions);
    table.#fill(tensors, (row, values) => row.parameters.set(values));
    return table;
  }

  get size(): number {
    return this.#rows.size * (this.actions + 1);
  }

  outputs(batch: PrefixBatch, keep: boolean): Promise<NetworkOutputs> {
    const width = this.actions + 1;
    const values = new Float64Array(batch.B * batch.T * width);
    for (let at = 0; at < batch.B * batch.T; at++) {
      const row = this.#rows.get(this.#prefix(batch, at).join());
      if (row) values.set(row.parameters, at * width);
    }
    const handle = keep ? this.#nextHandle++ : 0;
    if (keep) this.#kept.set(handle, batch);
    return Promise.resolve({ values, handle });
  }

  accumulate(handle: number, gradient: Float64Array): Promise<void> {
    const batch = this.#kept.get(handle);
    if (!batch) throw new Error(`internal: nothing kept under handle ${handle}`);
    this.#kept.delete(handle);
    const width = this.actions + 1;
    for (let at = 0; at < batch.B * batch.T; at++) {
      const part = gradient.subarray(at * width, (at + 1) * width);
      if (part.every((g) => g === 0)) continue;
      const row = this.#row(this.#prefix(batch, at));
      part.forEach((g, i) => row.gradient[i] += g);
    }
    return Promise.resolve();
  }

  release(handle: number): void {
    this.#kept.delete(handle);
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    const rows = this.#inOrder();
    const gradientNorm = norm(Float64Array.from(rows, (row) => norm(row.gradient)));
    const scale = clipScale(gradientNorm, options.clipNorm);
    this.#steps++;
    for (const { parameters, gradient, moments } of rows) {
      adamStep(parameters, gradient, moments, this.#steps, options.learningRate, scale);
      gradient.fill(0);
    }
    return { gradientNorm };
  }

  tensors(): NamedTensor[] {
    return [this.#prefixTensor(), this.#stack("rows", (row) => row.parameters)];
  }

  optimizerTensors(): NamedTensor[] {
    return [
      this.#prefixTensor(),
      this.#stack("first_moment", (row) => row.moments.first),
      this.#stack("second_moment", (row) => row.moments.second),
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
    ];
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    this.#fill(tensors, (row, values) => row.moments.first.set(values), "first_moment");
    this.#fill(tensors, (row, values) => row.moments.second.set(values), "second_moment");
    this.#steps = find(tensors, "steps").values[0];
  }

  clone(): Promise<TableNetwork> {
    return Promise.resolve(TableNetwork.fromTensors(this.actions, this.tensors()));
  }

  dispose(): void {
    this.#kept.clear();
  }

  /** The prefix of the state at flat index `at`. */
  #prefix(batch: PrefixBatch, at: number): number[] {
    const t = at % batch.T;
    return [...batch.actions.subarray(at - t, at)];
  }

  #row(prefix: readonly number[]): Row {
    const key = prefix.join();
    let row = this.#rows.get(key);
    if (!row) {
      const zeros = () => new Float64Array(this.actions + 1);
      const moments = { first: zeros(), second: zeros() };
      row = { prefix, parameters: zeros(), moments, gradient: zeros() };
      this.#rows.set(key, row);
    }
    return row;
  }

  /** Rows by prefix, so that neither bytes nor sums depend on the order of visits. */
  #inOrder(): readonly Row[] {
    if (this.#sorted.length !== this.#rows.size) {
      this.#sorted = [...this.#rows.values()].sort((a, b) => comparePrefixes(a.prefix, b.prefix));
    }
    return this.#sorted;
  }

  /** `[rows, longest]`, padded with −1. */
  #prefixTensor(): NamedTensor {
    const rows = this.#inOrder();
    const longest = rows.reduce((max, row) => Math.max(max, row.prefix.length), 0);
    const values = new Int32Array(rows.length * longest).fill(-1);
    rows.forEach((row, i) => values.set(row.prefix, i * longest));
    return { name: "prefixes", shape: [rows.length, longest], values };
  }

  #stack(name: string, part: (row: Row) => Float64Array | Float32Array): NamedTensor {
    const rows = this.#inOrder();
    const width = this.actions + 1;
    const values = new Float64Array(rows.length * width);
    rows.forEach((row, i) => values.set(part(row), i * width));
    return { name, shape: [rows.length, width], values };
  }

  #fill(
    tensors: readonly NamedTensor[],
    put: (row: Row, values: Float64Array) => void,
    name = "rows",
  ): void {
    const prefixes = find(tensors, "prefixes");
    const [count, longest] = prefixes.shape;
    const values = find(tensors, name).values as Float64Array;
    const width = this.actions + 1;
    for (let i = 0; i < count; i++) {
      const prefix = [...prefixes.values.subarray(i * longest, (i + 1) * longest)];
      const row = this.#row(prefix.filter((action) => action >= 0));
      put(row, values.subarray(i * width, (i + 1) * width));
    }
  }
}

function find(tensors: readonly NamedTensor[], name: string): NamedTensor {
  const tensor = tensors.find((t) => t.name === name);
  if (!tensor) throw new Error(`Cannot read table policy: tensor "${name}" is missing`);
  return tensor;
}
