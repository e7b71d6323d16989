/** A table with logits and a log flow per state: exact, deterministic, for few states and tests. */
import type { Environment } from "../environments/environment.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import {
  type DenseNetwork,
  distinctWalks,
  type NetworkOutputs,
  type NetworkSession,
  type OutputSizes,
  outputWidth,
  walkKey,
} from "./network.ts";
import type { Optimiser } from "./optimiser.ts";
import { TableAdam } from "./table_adam.ts";
import { TableRows } from "./table_rows.ts";

/** A state without a row has logits and log flow 0, which is the uniform policy. */
export class TableNetwork implements DenseNetwork {
  readonly kind = "table";
  readonly backend = "host";
  readonly computes = "host: plain code in double precision";
  readonly #kept = new Map<number, readonly string[]>();
  readonly #rows: TableRows;
  #nextHandle = 1;

  /** An empty table. */
  constructor(readonly outputSizes: OutputSizes) {
    this.#rows = new TableRows(outputWidth(outputSizes));
  }

  /** The table of a file. */
  static fromTensors(outputSizes: OutputSizes, tensors: readonly NamedTensor[]): TableNetwork {
    const table = new TableNetwork(outputSizes);
    table.#rows.unstack(tensors, "rows", (row, values) => row.parameters.set(values));
    return table;
  }

  get size(): number {
    return this.#rows.size * this.#rows.width;
  }

  outputs(batch: Batch, keep: boolean): Promise<NetworkOutputs> {
    const { keys, index } = batch.states;
    const handle = keep ? this.#nextHandle++ : 0;
    if (keep) this.#kept.set(handle, keys);
    return Promise.resolve({ values: this.#values(keys), rows: index, handle });
  }

  #values(keys: readonly string[]): Float64Array {
    const { width } = this.#rows;
    const values = new Float64Array(keys.length * width);
    keys.forEach((key, i) => {
      const row = this.#rows.known(key);
      if (row) values.set(row.parameters, i * width);
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
    const { width } = this.#rows;
    keys.forEach((key, i) => {
      const part = gradient.subarray(i * width, (i + 1) * width);
      if (part.every((g) => g === 0)) return;
      const row = this.#rows.row(key);
      part.forEach((g, k) => row.gradient[k] += g);
    });
    return Promise.resolve();
  }

  release(handle: number): void {
    this.#kept.delete(handle);
  }

  optimiser(): Optimiser {
    return new TableAdam(this.#rows, this.outputSizes.actions);
  }

  parametersChanged(): void {}

  tensors(): NamedTensor[] {
    return [this.#rows.keyTensor(), this.#rows.stack("rows", (row) => row.parameters)];
  }

  copy(tensors: readonly NamedTensor[] = this.tensors()): Promise<TableNetwork> {
    return Promise.resolve(TableNetwork.fromTensors(this.outputSizes, tensors));
  }

  dispose(): void {
    this.#kept.clear();
  }
}
