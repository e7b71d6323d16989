/** Stages of a loop that run ahead of those that change its state, on copies of older state. */
import type { LoopJob, UnitJob } from "../process/messages.ts";
import type { Wire } from "../read/resolved.ts";
import { stagesAhead, wiresOf } from "../read/stages_ahead.ts";
import type { ContextPlace, Host } from "./context.ts";
import { HeldHost } from "./held_host.ts";
import type { ImportedKinds } from "./kinds.ts";
import type { WireLookup } from "./wire_values.ts";

type Values = Record<string, unknown>;

/** How the loop runs a stage, wherever its values come from. */
interface UnitRunner {
  run(unit: UnitJob, host: Host, at: ContextPlace, lookup: WireLookup): Promise<Values>;
  /** Whether an instance may run at several steps at once: it keeps nothing between them. */
  keepsNothing(unit: UnitJob): boolean;
}

/** A step whose stages are under way. */
interface Batch {
  readonly host: HeldHost;
  /** Outputs of each stage at this step, or of an earlier step if it does not run at every step. */
  readonly outputs: ReadonlyMap<string, Promise<Values>>;
}

/**
 * Step t of the stages that run ahead reads the state after step max(0, t − 1 − staleness): the
 * step determines it and no clock, so that bits do not depend on speed. A stage runs its steps in
 * their order; one that keeps nothing between them runs them at once.
 */
export class WorkAhead {
  readonly units: readonly UnitJob[];
  readonly #names: readonly string[];
  /** Copies of the state after a step. */
  readonly #states = new Map<number, Values>();
  readonly #batches = new Map<number, Batch>();
  /** Latest outputs of each stage, of the steps that were started. */
  #latest = new Map<string, Promise<Values>>();
  /** The last step that was started. */
  #started = 0;

  constructor(readonly job: LoopJob, readonly kinds: ImportedKinds, readonly runner: UnitRunner) {
    const ahead = stagesAhead(job);
    this.units = job.stages.filter(({ name }) => ahead.has(name));
    const read = this.units.flatMap(wiresOf).filter(({ scope }) => scope === "state");
    this.#names = [...new Set(read.map(({ port }) => port))].sort();
  }

  /** The last step that was started: as far as the loop has to go before it can stop. */
  get started(): number {
    return this.#started;
  }

  /**
   * Begins after a step, with what stages had given then.
   *
   * @param pieces Parts of the checkpoint that the loop goes on from, if it does.
   */
  async open(
    step: number,
    outputs: ReadonlyMap<string, Values>,
    decode: (type: string, bytes: Uint8Array) => Promise<unknown>,
    pieces: ReadonlyMap<string, Uint8Array>,
  ): Promise<void> {
    this.#started = step;
    this.#latest = new Map([...outputs].map(([name, one]) => [name, Promise.resolve(one)]));
    for (const [piece, bytes] of pieces) {
      const [, at, name] = /^behind:(\d+):(.*)$/.exec(piece) ?? [];
      if (name === undefined) continue;
      const value = await decode(this.job.state[name].type, bytes);
      this.#states.set(Number(at), { ...this.#states.get(Number(at)), [name]: value });
    }
  }

  /** Keeps the state as it is after a step, if a later one is going to read it. */
  async keep(step: number, state: Readonly<Values>): Promise<void> {
    const { steps, staleness } = this.job;
    if (step > 0 && step + 1 + staleness > steps) return;
    const copy: Values = {};
    for (const name of this.#names) copy[name] = await this.#copy(name, state[name]);
    this.#states.set(step, copy);
  }

  /** Starts every step whose state is known, but none beyond `most`. */
  start(host: Host, most: number): void {
    while (this.#started < Math.min(most, this.job.steps)) {
      const step = this.#started + 1;
      const state = this.#states.get(this.#stateOf(step));
      if (!state) return;
      this.#batches.set(step, this.#begin(step, state, host));
      this.#started = step;
    }
  }

  /** Returns the outputs of the stages at a step, and sends their messages, which were held back until now. */
  async take(step: number, host: Host): Promise<ReadonlyMap<string, Values>> {
    const { host: held, outputs } = this.#batches.get(step)!;
    const given = new Map<string, Values>();
    try {
      for (const { name } of this.units) {
        const values = await outputs.get(name);
        if (values) given.set(name, values);
      }
    } finally {
      held.tell(host);
    }
    this.#batches.delete(step);
    this.#release(this.#stateOf(step + 1));
    return given;
  }

  /** The states that later steps read, as parts of a checkpoint; nothing is under way then. */
  async save(): Promise<[string, Uint8Array][]> {
    const pieces: [string, Uint8Array][] = [];
    for (const [step, state] of this.#states) {
      for (const name of this.#names) {
        const codec = this.kinds.codec(this.job.state[name].type);
        pieces.push([`behind:${step}:${name}`, await codec.encode(state[name])]);
      }
    }
    return pieces;
  }

  #stateOf(step: number): number {
    return Math.max(0, step - 1 - this.job.staleness);
  }

  #begin(step: number, state: Readonly<Values>, host: Host): Batch {
    const held = new HeldHost(host);
    const { steps, staleness } = this.job;
    const at = { step, steps, staleness, behind: step - 1 - this.#stateOf(step) };
    const outputs = new Map(this.#latest);
    for (const unit of this.units) {
      if (step % unit.every !== 0) continue;
      const given = this.#run(unit, { held, at, state, outputs: new Map(outputs) });
      given.catch(() => {}); // `take` reports the error
      outputs.set(unit.name, given);
    }
    this.#latest = outputs;
    return { host: held, outputs };
  }

  async #run(
    unit: UnitJob,
    { held, at, state, outputs }: {
      readonly held: HeldHost;
      readonly at: ContextPlace;
      readonly state: Readonly<Values>;
      readonly outputs: ReadonlyMap<string, Promise<Values>>;
    },
  ): Promise<Values> {
    if (!this.runner.keepsNothing(unit)) await outputs.get(unit.name);
    const given = new Map<string, Values>();
    for (const { scope, stage } of wiresOf(unit)) {
      const values = scope === "stage" ? await outputs.get(stage) : undefined;
      if (values) given.set(stage, values);
    }
    const lookup = ({ scope, stage, port }: Wire) =>
      scope === "state" ? state[port] : given.get(stage)?.[port];
    return await this.runner.run(unit, held, at, lookup);
  }

  async #copy(name: string, value: unknown): Promise<unknown> {
    const { copy, encode, decode } = this.kinds.codec(this.job.state[name].type);
    if (copy) return await copy(value);
    return await decode(await encode(value), { plugins: this.kinds.plugins });
  }

  /** Lets go of the states before `first`, which all steps that are left have passed. */
  #release(first: number): void {
    for (const [step, state] of this.#states) {
      if (step >= first) continue;
      this.#states.delete(step);
      for (const name of this.#names) {
        this.kinds.codec(this.job.state[name].type).release?.(state[name]);
      }
    }
  }
}
