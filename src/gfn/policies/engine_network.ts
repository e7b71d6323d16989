/** A network out of two parts: an engine that computes, and a store of parameters that learns. */
import type { Environment } from "../environments/environment.ts";
import { gather, type Slot } from "../parameters/parameter_layout.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type {
  DenseNetwork,
  NetworkOutputs,
  NetworkSession,
  OutputSizes,
  StateOutputs,
} from "./network.ts";
import type { Optimiser } from "./optimiser.ts";

/** Computes outputs and gradients from the parameters of a store. */
export interface Engine<Kept> {
  readonly backend: string;
  readonly computes: string;
  /** To be called whenever the store's parameters have changed. */
  parametersChanged(): void;
  /** With `keep`, the argument of one call of `backward` or `release`. */
  forward(batch: Batch, keep: boolean): Promise<StateOutputs & { readonly kept?: Kept }>;
  /** Adds to the store's gradient, and releases the kept values. */
  backward(kept: Kept, gradient: Float64Array): Promise<void>;
  release(kept: Kept): void;
  begin(environment: Environment, count: number): NetworkSession;
  dispose(): void;
}

/** One flat vector of parameters with its gradient. */
interface ParameterStore {
  readonly size: number;
  readonly slots: readonly Slot[];
  /** Names of tensors that are not learned, or how they begin. */
  readonly frozen: readonly string[];
  tensors(): NamedTensor[];
}

/** Engine and parameters that a plan opens. */
interface OpenedNetwork<Kept> {
  readonly engine: Engine<Kept>;
  readonly store: ParameterStore;
  /** A fresh one over the store. */
  optimiser(): Optimiser;
}

/** Properties of a network that its clones share. */
export interface NetworkPlan<Kept> {
  readonly kind: string;
  readonly outputSizes: OutputSizes;
  readonly stepwise?: boolean;
  readonly readsNoPrompts?: boolean;
  /** Both parts around a vector of parameters, some of which may be frozen. */
  open(parameters: Float32Array, frozen: readonly string[]): Promise<OpenedNetwork<Kept>>;
}

/** Keeps values between a forward pass and its backward pass. */
export class EngineNetwork<Kept> implements DenseNetwork {
  readonly #kept = new Map<number, Kept>();
  #nextHandle = 1;

  private constructor(
    readonly plan: NetworkPlan<Kept>,
    readonly opened: OpenedNetwork<Kept>,
  ) {}

  /** @throws MissingPartError if the machine lacks what the engine needs. */
  static async open<Kept>(
    plan: NetworkPlan<Kept>,
    parameters: Float32Array,
    frozen: readonly string[] = [],
  ): Promise<EngineNetwork<Kept>> {
    return new EngineNetwork(plan, await plan.open(parameters, frozen));
  }

  get engine(): Engine<Kept> {
    return this.opened.engine;
  }

  get store(): ParameterStore {
    return this.opened.store;
  }

  get stepwise(): boolean {
    return this.plan.stepwise ?? false;
  }

  get readsNoPrompts(): boolean {
    return this.plan.readsNoPrompts ?? false;
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

  optimiser(): Optimiser {
    return this.opened.optimiser();
  }

  parametersChanged(): void {
    for (const handle of [...this.#kept.keys()]) this.release(handle);
    this.engine.parametersChanged();
  }

  tensors(): NamedTensor[] {
    return this.store.tensors();
  }

  async copy(tensors: readonly NamedTensor[] = this.tensors()): Promise<EngineNetwork<Kept>> {
    const { slots, frozen } = this.store;
    return await EngineNetwork.open(this.plan, gather(slots, tensors), frozen);
  }

  dispose(): void {
    for (const handle of [...this.#kept.keys()]) this.release(handle);
    this.engine.dispose();
  }
}
