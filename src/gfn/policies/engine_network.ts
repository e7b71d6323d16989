/** A network out of two parts: an engine that computes, and a store of parameters that learns. */
import type { Environment } from "../environments/environment.ts";
import type { StepOptions } from "./policy.ts";
import type { NamedTensor } from "../parameters/safetensors.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type {
  Network,
  NetworkOutputs,
  NetworkSession,
  OutputSizes,
  StateOutputs,
} from "./network.ts";

/** Computes outputs and gradients from the parameters of a store. */
export interface Engine<Kept> {
  readonly backend: string;
  readonly computes: string;
  /** To be called whenever the store's parameters have changed. */
  parametersChanged(): void;
  /** With `keep`, what `backward` or `release` is to be given, once. */
  forward(batch: Batch, keep: boolean): Promise<StateOutputs & { readonly kept?: Kept }>;
  /** Adds to the store's gradient, and releases what was kept. */
  backward(kept: Kept, gradient: Float64Array): Promise<void>;
  release(kept: Kept): void;
  begin(environment: Environment, count: number): NetworkSession;
  dispose(): void;
}

/** One flat vector of parameters with its optimiser. */
export interface ParameterStore {
  readonly size: number;
  /** A copy, of the average if that is asked for and one is kept. */
  vector(averaged?: boolean): Float32Array;
  step(options: StepOptions): { readonly gradientNorm: number };
  tensors(): NamedTensor[];
  optimizerTensors(): NamedTensor[];
  loadOptimizer(tensors: readonly NamedTensor[]): void;
}

/** What stays the same when a network is cloned. */
export interface NetworkPlan<Kept> {
  readonly kind: string;
  readonly outputSizes: OutputSizes;
  /** Both parts around a vector of parameters. */
  open(parameters: Float32Array): Promise<{
    readonly engine: Engine<Kept>;
    readonly store: ParameterStore;
  }>;
}

/** Keeps track of what is pending between a forward pass and its backward pass. */
export class EngineNetwork<Kept> implements Network {
  readonly #kept = new Map<number, Kept>();
  #nextHandle = 1;

  private constructor(
    readonly plan: NetworkPlan<Kept>,
    readonly engine: Engine<Kept>,
    readonly store: ParameterStore,
  ) {}

  /** @throws MissingPartError if the machine lacks what the engine needs. */
  static async open<Kept>(
    plan: NetworkPlan<Kept>,
    parameters: Float32Array,
  ): Promise<EngineNetwork<Kept>> {
    const { engine, store } = await plan.open(parameters);
    return new EngineNetwork(plan, engine, store);
  }

  get kind(): string {
    return this.plan.kind;
  }

  get backend(): string {
    return this.engine.backend;
  }

  get computes(): string {
    return this.engine.computes;
  }

  get size(): number {
    return this.store.size;
  }

  get outputSizes(): OutputSizes {
    return this.plan.outputSizes;
  }

  async outputs(batch: Batch, keep: boolean): Promise<NetworkOutputs> {
    const { values, rows, kept } = await this.engine.forward(batch, keep);
    if (!keep) return { values, rows, handle: 0 };
    if (kept === undefined) throw new Error("internal: the forward pass kept nothing");
    const handle = this.#nextHandle++;
    this.#kept.set(handle, kept);
    return { values, rows, handle };
  }

  async accumulate(handle: number, gradient: Float64Array): Promise<void> {
    const kept = this.#kept.get(handle);
    if (kept === undefined) throw new Error(`internal: no activations under handle ${handle}`);
    this.#kept.delete(handle);
    await this.engine.backward(kept, gradient);
  }

  release(handle: number): void {
    const kept = this.#kept.get(handle);
    if (kept !== undefined) this.engine.release(kept);
    this.#kept.delete(handle);
  }

  begin(environment: Environment, count: number): NetworkSession {
    return this.engine.begin(environment, count);
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    for (const handle of [...this.#kept.keys()]) this.release(handle);
    const result = this.store.step(options);
    this.engine.parametersChanged();
    return result;
  }

  tensors(): NamedTensor[] {
    return this.store.tensors();
  }

  optimizerTensors(): NamedTensor[] {
    return this.store.optimizerTensors();
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    this.store.loadOptimizer(tensors);
  }

  async clone(averaged: boolean): Promise<EngineNetwork<Kept>> {
    return await EngineNetwork.open(this.plan, this.store.vector(averaged));
  }

  dispose(): void {
    for (const handle of [...this.#kept.keys()]) this.release(handle);
    this.engine.dispose();
  }
}
