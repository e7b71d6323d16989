/** A small decoder over actions: parameters, embeddings and optimiser on the host. */
import type { StepOptions } from "../policy.ts";
import type { NamedTensor } from "../safetensors.ts";
import { DecoderNetwork } from "../tensor/decoder_network.ts";
import type { BackendName, HostTensor, KeptActivations } from "../tensor/decoder_network.ts";
import { adamStep, clipScale, norm } from "./adam.ts";
import type { Network, NetworkOutputs, PrefixBatch } from "./network.ts";
import { initialise, layout, parameterCount } from "./transformer_layout.ts";
import type { Slot, TransformerShape } from "./transformer_layout.ts";

/** Tokens per forward pass without gradients, which bounds memory. */
const CHUNK_TOKENS = 8192;

interface Kept {
  readonly batch: PrefixBatch;
  readonly device: KeptActivations;
}

/** The decoder as a `Network`. Parameters are one flat vector on the host, in f32. */
export class TransformerNetwork implements Network {
  readonly kind = "transformer";
  readonly #slots: readonly Slot[];
  readonly #byName: ReadonlyMap<string, Slot>;
  readonly #gradient: Float64Array;
  readonly #moments: { first: Float32Array; second: Float32Array };
  readonly #kept = new Map<number, Kept>();
  #steps = 0;
  #nextHandle = 1;
  #stale = true;

  private constructor(
    readonly shape: TransformerShape,
    readonly parameters: Float32Array,
    readonly device: DecoderNetwork,
  ) {
    this.#slots = layout(shape);
    this.#byName = new Map(this.#slots.map((slot) => [slot.name, slot]));
    this.#gradient = new Float64Array(parameters.length);
    const zeros = () => new Float32Array(parameters.length);
    this.#moments = { first: zeros(), second: zeros() };
  }

  /** A network with random parameters. @throws MissingPartError without the backend. */
  static async create(
    shape: TransformerShape,
    backend: BackendName,
    seedKey: string,
  ): Promise<TransformerNetwork> {
    const parameters = initialise(layout(shape), seedKey);
    return await TransformerNetwork.#open(shape, backend, parameters);
  }

  /** The network of a file. @throws Error if a tensor is missing or of another shape. */
  static async fromTensors(
    shape: TransformerShape,
    backend: BackendName,
    tensors: readonly NamedTensor[],
  ): Promise<TransformerNetwork> {
    const slots = layout(shape);
    const parameters = new Float32Array(parameterCount(slots));
    for (const slot of slots) {
      const tensor = tensors.find((t) => t.name === slot.name);
      if (tensor?.values.length !== slot.size) {
        throw new Error(`Cannot read policy: tensor "${slot.name}" is missing or of another size`);
      }
      parameters.set(tensor.values, slot.offset);
    }
    return await TransformerNetwork.#open(shape, backend, parameters);
  }

  static async #open(shape: TransformerShape, backend: BackendName, parameters: Float32Array) {
    const { layers, width, heads, actions } = shape;
    const device = await DecoderNetwork.open(backend, {
      layers,
      width,
      heads,
      outputs: actions + 1,
    });
    return new TransformerNetwork(shape, parameters, device);
  }

  get backend(): BackendName {
    return this.device.backend.name;
  }

  get size(): number {
    return this.parameters.length;
  }

  async outputs(batch: PrefixBatch, keep: boolean): Promise<NetworkOutputs> {
    this.#uploadIfStale();
    if (!keep) return { values: await this.#outputsInChunks(batch), handle: 0 };
    const embedded = this.#embed(batch, 0, batch.B);
    const { values, kept } = await this.device.forward(embedded, batch.B, batch.T, true);
    if (!kept) throw new Error("internal: the forward pass kept nothing");
    const handle = this.#nextHandle++;
    this.#kept.set(handle, { batch, device: kept });
    return { values, handle };
  }

  async #outputsInChunks(batch: PrefixBatch): Promise<Float32Array> {
    const perRow = batch.T * (this.shape.actions + 1);
    const values = new Float32Array(batch.B * perRow);
    const rows = Math.max(1, Math.floor(CHUNK_TOKENS / batch.T));
    for (let begin = 0; begin < batch.B; begin += rows) {
      const end = Math.min(batch.B, begin + rows);
      const embedded = this.#embed(batch, begin, end);
      const chunk = await this.device.forward(embedded, end - begin, batch.T, false);
      values.set(chunk.values, begin * perRow);
    }
    return values;
  }

  async accumulate(handle: number, gradient: Float64Array): Promise<void> {
    const kept = this.#kept.get(handle);
    if (!kept) throw new Error(`internal: no activations under handle ${handle}`);
    this.#kept.delete(handle);
    const gradients = await this.device.backward(kept.device, Float32Array.from(gradient));
    for (const [name, values] of gradients) {
      if (name === "embedded") this.#accumulateEmbedding(kept.batch, values);
      else addTo(this.#gradientOf(name), values, 0);
    }
  }

  release(handle: number): void {
    const kept = this.#kept.get(handle);
    if (kept) this.device.release(kept.device);
    this.#kept.delete(handle);
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    for (const handle of [...this.#kept.keys()]) this.release(handle);
    const gradientNorm = norm(this.#gradient);
    const scale = clipScale(gradientNorm, options.clipNorm);
    this.#steps++;
    adamStep(
      this.parameters,
      this.#gradient,
      this.#moments,
      this.#steps,
      options.learningRate,
      scale,
    );
    this.#gradient.fill(0);
    this.#stale = true;
    return { gradientNorm };
  }

  tensors(): HostTensor[] {
    return this.#slots.map(({ name, shape, offset, size }) => {
      return { name, shape, values: this.parameters.subarray(offset, offset + size) };
    });
  }

  optimizerTensors(): NamedTensor[] {
    const shape = [this.parameters.length];
    return [
      { name: "first_moment", shape, values: this.#moments.first },
      { name: "second_moment", shape, values: this.#moments.second },
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
    ];
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    const values = (name: string, length: number) => {
      const tensor = tensors.find((t) => t.name === name);
      if (tensor?.values.length === length) return tensor.values;
      throw new Error(`Cannot read optimiser: "${name}" is missing or of another size`);
    };
    this.#moments.first.set(values("first_moment", this.size));
    this.#moments.second.set(values("second_moment", this.size));
    this.#steps = values("steps", 1)[0];
  }

  async clone(): Promise<TransformerNetwork> {
    return await TransformerNetwork.#open(this.shape, this.backend, this.parameters.slice());
  }

  dispose(): void {
    for (const handle of [...this.#kept.keys()]) this.release(handle);
    this.device.dispose();
    this.#stale = true;
  }

  #uploadIfStale(): void {
    if (!this.#stale) return;
    const onHost = ["action_embedding", "position_embedding"];
    this.device.upload(this.tensors().filter((t) => !onHost.includes(t.name)));
    this.#stale = false;
  }

  #view(vector: Float32Array, name: string): Float32Array;
  #view(vector: Float64Array, name: string): Float64Array;
  #view(vector: Float32Array | Float64Array, name: string): Float32Array | Float64Array {
    const slot = this.#byName.get(name);
    if (!slot) throw new Error(`internal: no parameter ${name}`);
    return vector.subarray(slot.offset, slot.offset + slot.size);
  }

  #gradientOf(name: string): Float64Array {
    return this.#view(this.#gradient, name);
  }

  /** `[rows·T, width]`: what stands before each state, plus its position. */
  #embed(batch: PrefixBatch, begin: number, end: number): Float32Array {
    const { width } = this.shape;
    const actions = this.#view(this.parameters, "action_embedding");
    const positions = this.#view(this.parameters, "position_embedding");
    const embedded = new Float32Array((end - begin) * batch.T * width);
    let at = 0;
    for (let b = begin; b < end; b++) {
      for (let t = 0; t < batch.T; t++) {
        const source = this.#inputToken(batch, b, t) * width;
        for (let k = 0; k < width; k++) {
          embedded[at++] = actions[source + k] + positions[t * width + k];
        }
      }
    }
    return embedded;
  }

  /** The action before state (b, t); at the start the extra row of the embedding. */
  #inputToken(batch: PrefixBatch, b: number, t: number): number {
    return t === 0 ? this.shape.actions : batch.actions[b * batch.T + t - 1];
  }

  #accumulateEmbedding(batch: PrefixBatch, gradient: Float32Array): void {
    const { width } = this.shape;
    const actions = this.#gradientOf("action_embedding");
    const positions = this.#gradientOf("position_embedding");
    for (let b = 0; b < batch.B; b++) {
      for (let t = 0; t < batch.T; t++) {
        const row = gradient.subarray((b * batch.T + t) * width, (b * batch.T + t + 1) * width);
        addTo(actions, row, this.#inputToken(batch, b, t) * width);
        addTo(positions, row, t * width);
      }
    }
  }
}

function addTo(target: Float64Array, values: Float32Array, offset: number): void {
  for (let i = 0; i < values.length; i++) target[offset + i] += values[i];
}
