/** Live values of wires that come from outside: artifacts of other stages, decoded when asked for. */
import type { DecodeContext } from "../contract/port.ts";
import type { Wire, Wires } from "../read/resolved.ts";
import type { StageJob, UnitJob } from "../process/messages.ts";
import type { ImportedKinds } from "./kinds.ts";

/** The value at a wire, or undefined if there is none yet. */
export type WireLookup = (wire: Wire) => unknown;

const keyOf = (wire: Wire): string => `${wire.stage}.${wire.port}`;

/** Artifacts of other stages; each is decoded once and shared by all stages of the process. */
export class WireValues {
  readonly #kinds: ImportedKinds;
  readonly #bytes: ReadonlyMap<string, Uint8Array>;
  readonly #decoded = new Map<string, unknown>();
  readonly context: DecodeContext;

  /** @param ask Asks a service for values that are decoded. */
  constructor(
    kinds: ImportedKinds,
    job: StageJob,
    bytes: readonly Uint8Array[],
    ask?: DecodeContext["ask"],
  ) {
    this.#kinds = kinds;
    this.#bytes = new Map(job.artifacts.map(({ key }, i) => [key, bytes[i]]));
    this.context = { plugins: kinds.plugins, backend: job.backend, ...(ask && { ask }) };
  }

  /** True if the wire comes from another stage of the pipeline. */
  isOutside(wire: Wire): boolean {
    return wire.scope === "stage" && this.#bytes.has(keyOf(wire));
  }

  /** A copy of the value, which its reader may change. */
  fresh(wire: Wire): Promise<unknown> {
    const bytes = this.#bytes.get(keyOf(wire));
    if (!bytes) throw new Error(`internal: no artifact was sent for ${keyOf(wire)}`);
    return this.#kinds.codec(wire.type).decode(bytes, this.context);
  }

  /** The shared value. */
  async shared(wire: Wire): Promise<unknown> {
    const key = keyOf(wire);
    if (!this.#decoded.has(key)) this.#decoded.set(key, await this.fresh(wire));
    return this.#decoded.get(key);
  }

  /**
   * The inputs of a stage, and under its own name each parameter that holds wiring; `inner` gives
   * what does not come from outside.
   */
  async inputs(unit: UnitJob, inner: WireLookup = () => undefined): Promise<Values> {
    const values = await this.#resolve(unit.inputs, inner);
    for (const [parameter, wires] of Object.entries(unit.wired)) {
      values[parameter] = await this.#resolve(wires, inner);
    }
    return values;
  }

  async #resolve(wires: Wires, inner: WireLookup): Promise<Values> {
    const values: Values = {};
    for (const [name, wire] of Object.entries(wires)) {
      values[name] = this.isOutside(wire) ? await this.shared(wire) : inner(wire);
    }
    return values;
  }
}

type Values = Record<string, unknown>;
