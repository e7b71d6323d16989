/** Runs a loop: folds state through its inner stages, step by step, with checkpoints. */
import { setImmediate } from "node:timers";
import type { LoopJob, UnitJob } from "../process/messages.ts";
import { BestState } from "./best_state.ts";
import { joinParts } from "../../base/join_parts.ts";
import type { Wire } from "../read/resolved.ts";
import type { Part } from "../store/checkpoints.ts";
import type { StageInstance } from "../contract/stage.ts";
import type { Ports, PortValues } from "../contract/port.ts";
import type { Host } from "./context.ts";
import { type ContextPlace, stageContext } from "./context.ts";
import type { ImportedKinds } from "./kinds.ts";
import { InnerError } from "./link.ts";
import type { WireLookup, WireValues } from "./wire_values.ts";
import { WorkAhead } from "./work_ahead.ts";

/** A checkpoint as it came from the runner. */
interface ResumeFrom {
  readonly step: number;
  readonly parts: readonly Part[];
  readonly bytes: readonly Uint8Array[];
}

type Instance = StageInstance<Ports, Ports>;
type Values = Record<string, unknown>;

/** Milliseconds after which the loop lets the pipe be read, however busy it is. */
const breathEvery = 20;

/** The loop of a process: open it, then run it to its end or to a stop. */
export class LoopRun {
  readonly #host: Host;
  readonly #kinds: ImportedKinds;
  readonly #job: LoopJob;
  readonly #values: WireValues;
  readonly #instances = new Map<string, Instance>();
  /** Latest outputs of each inner stage. */
  readonly #outputs = new Map<string, Values>();
  #state: Values = {};
  /** In a loop that hands on its best state. */
  readonly #best: BestState | undefined;
  /** Stages that run ahead, in a loop with staleness. */
  readonly #ahead: WorkAhead | undefined;
  /** The stages that run in their turn. */
  readonly #inTurn: readonly UnitJob[];
  #lastBreath = 0;
  /** The last step that was finished. */
  step = 0;

  constructor(host: Host, kinds: ImportedKinds, job: LoopJob, values: WireValues) {
    this.#host = host;
    this.#kinds = kinds;
    this.#job = job;
    this.#values = values;
    const run = (...given: Parameters<LoopRun["runUnit"]>) => this.runUnit(...given);
    const keepsNothing = ({ name }: UnitJob) => this.#instances.get(name)!.save === undefined;
    this.#ahead = job.staleness > 0 ? new WorkAhead(job, kinds, { run, keepsNothing }) : undefined;
    this.#best = job.best && new BestState(host.name, job.best);
    if (this.#best) host.onRows = (table, rows) => this.#best!.see(table, rows);
    this.#inTurn = job.stages.filter((unit) => !this.#ahead?.units.includes(unit));
  }

  /** Opens the inner stages, at the start or where a checkpoint left them. */
  async open(resume?: ResumeFrom): Promise<void> {
    const pieces = new Map(resume?.parts.map(({ name }, i) => [name, resume.bytes[i]]));
    this.step = resume?.step ?? 0;
    this.#best?.load(pieces);
    await this.#openState(pieces);
    await this.#openOutputs(pieces);
    for (const unit of this.#job.stages) await this.#openInstance(unit, pieces);
    const distinct = new TextDecoder().decode(pieces.get("distinct"));
    for (const digest of distinct.split("\n")) if (digest) this.#host.distinct.add(digest);
    const decode = (type: string, bytes: Uint8Array) =>
      this.#kinds.codec(type).decode(bytes, this.#values.context);
    await this.#ahead?.open(this.step, this.#outputs, decode, pieces);
    if (!resume) await this.#ahead?.keep(0, this.#state);
  }

  /** The outputs as `[port, type, bytes]`, or undefined if the loop was stopped. */
  async run(): Promise<[string, string, Uint8Array][] | undefined> {
    const { steps } = this.#job;
    while (this.step < steps) {
      this.#startAhead();
      await this.#runStep(this.step + 1);
      this.step++;
      await this.#ahead?.keep(this.step, this.#state);
      await this.#best?.keep(this.step, () => this.#encodeState());
      this.#host.progress(this.step, steps);
      await this.#breathe();
      const stopping = this.#host.link.stopping && this.#nothingIsAhead;
      if (this.#isDue || stopping) await this.#checkpoint();
      if (stopping) return undefined;
    }
    const outputs = this.#bestState() ?? await this.#encodeState();
    for (const instance of this.#instances.values()) instance.dispose?.();
    return outputs;
  }

  /**
   * Starts nothing beyond the next checkpoint, so that the saved state of instances is of its step.
   * Once the loop is to stop, nothing is started beyond the step that it is about to take.
   */
  #startAhead(): void {
    const { checkpointEvery, keepEvery = checkpointEvery } = this.#job;
    const after = (every: number) => (Math.floor(this.step / every) + 1) * every;
    const next = Math.min(after(checkpointEvery), after(keepEvery));
    this.#ahead?.start(this.#host, this.#host.link.stopping ? this.step + 1 : next);
  }

  /** After the last step, too: another run may go on from there. */
  get #isDue(): boolean {
    const { steps, checkpointEvery, keepEvery = checkpointEvery } = this.#job;
    return [checkpointEvery, keepEvery].some((every) => this.step % every === 0) ||
      this.step === steps;
  }

  get #nothingIsAhead(): boolean {
    return (this.#ahead?.started ?? 0) <= this.step;
  }

  async #openState(pieces: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [name, wire] of Object.entries(this.#job.state)) {
      const bytes = pieces.get(`state:${name}`);
      this.#state[name] = bytes
        ? await this.#kinds.codec(wire.type).decode(bytes, this.#values.context)
        : await this.#values.fresh(wire);
    }
  }

  async #openOutputs(pieces: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [name, bytes] of pieces) {
      const [, stage, port, type] = /^output:(.*)\.([^.]*):(.*)$/.exec(name) ?? [];
      if (!stage) continue;
      const value = await this.#kinds.codec(type).decode(bytes, this.#values.context);
      this.#outputs.set(stage, { ...this.#outputs.get(stage), [port]: value });
    }
  }

  async #openInstance(unit: UnitJob, pieces: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const kind = this.#kinds.kind(unit.kind);
    const instance = kind.open(await kind.params.parseAsync(unit.params)) as Instance;
    this.#instances.set(unit.name, instance);
    const bytes = pieces.get(`instance:${unit.name}`);
    if (!bytes) return;
    const inputs = await this.#values.inputs(unit, this.#lookup);
    await instance.load?.(bytes, inputs as PortValues<Ports>);
  }

  /** Value of a wire inside the loop: state, or the latest output of a stage, of this step or an earlier one. */
  readonly #lookup = (wire: Wire): unknown =>
    wire.scope === "state" ? this.#state[wire.port] : this.#outputs.get(wire.stage)?.[wire.port];

  async #runStep(step: number): Promise<void> {
    await this.#takeAhead(step);
    for (const unit of this.#inTurn) {
      if (step % unit.every === 0) await this.#runInTurn(unit, step);
    }
    const next = Object.entries(this.#job.next);
    const state: Values = { ...this.#state };
    for (const [name, wire] of next) {
      const value = this.#values.isOutside(wire)
        ? await this.#values.shared(wire)
        : this.#lookup(wire);
      if (value !== undefined) state[name] = value;
    }
    this.#state = state;
  }

  /** Requests of later steps go out before this one's work begins, which may leave them no turn. */
  async #takeAhead(step: number): Promise<void> {
    if (!this.#ahead) return;
    await pause();
    const given = await this.#ahead.take(step, this.#host);
    for (const [stage, outputs] of given) this.#outputs.set(stage, outputs);
  }

  async #runInTurn(unit: UnitJob, step: number): Promise<void> {
    const { steps, staleness } = this.#job;
    const at = { step, steps, staleness };
    this.#outputs.set(unit.name, await this.runUnit(unit, this.#host, at, this.#lookup));
  }

  /** Runs one stage at one step. */
  async runUnit(unit: UnitJob, host: Host, at: ContextPlace, lookup: WireLookup): Promise<Values> {
    const context = stageContext(host, unit, at, this.#kinds.kind(unit.kind));
    const inputs = await this.#values.inputs(unit, lookup);
    try {
      const instance = this.#instances.get(unit.name)!;
      return await instance.run(context, inputs as PortValues<Ports>) as Values;
    } catch (error) {
      throw new InnerError(error, unit.name, at.step);
    }
  }

  /** Lets `stop`, and the end of the runner, be seen even if no stage ever waits for anything. */
  async #breathe(): Promise<void> {
    if (performance.now() - this.#lastBreath < breathEvery) return;
    await pause();
    this.#lastBreath = performance.now();
  }

  #bestState(): [string, string, Uint8Array][] | undefined {
    if (!this.#best) return undefined;
    const { state, line } = this.#best.handOn();
    const at = { stage: this.#host.name, step: this.step, level: "info" } as const;
    this.#host.log({ type: "log", ...at, message: line });
    return state;
  }

  async #encodeState(): Promise<[string, string, Uint8Array][]> {
    const encoded: [string, string, Uint8Array][] = [];
    for (const name of Object.keys(this.#job.next)) {
      const { type } = this.#job.next[name];
      const bytes = await this.#kinds.codec(type).encode(this.#state[name]);
      encoded.push([name, type, bytes]);
    }
    return encoded;
  }

  async #checkpoint(): Promise<void> {
    const pieces: [string, Uint8Array][] = [];
    for (const [name, { type }] of Object.entries({ ...this.#job.state, ...this.#job.next })) {
      if (this.#state[name] === undefined) continue;
      pieces.push([`state:${name}`, await this.#kinds.codec(type).encode(this.#state[name])]);
    }
    for (const [name, instance] of this.#instances) {
      const bytes = await instance.save?.();
      if (bytes) pieces.push([`instance:${name}`, bytes]);
    }
    pieces.push(...await this.#keptOutputs(), ...await this.#ahead?.save() ?? []);
    pieces.push(...this.#best?.save() ?? []);
    const distinct = new TextEncoder().encode([...this.#host.distinct].join("\n"));
    this.#send([...pieces, ["distinct", distinct]]);
  }

  /** Outputs of stages that do not run at every step, where another stage reads them. */
  async #keptOutputs(): Promise<[string, Uint8Array][]> {
    const rare = new Set(this.#job.stages.filter(({ every }) => every > 1).map(({ name }) => name));
    const wires = this.#job.stages.flatMap((unit) => [unit.inputs, ...Object.values(unit.wired)])
      .flatMap((wires) => Object.values(wires))
      .filter((wire) => wire.scope === "stage" && rare.has(wire.stage));
    const kept = new Map<string, Uint8Array>();
    for (const wire of wires) {
      const value = this.#lookup(wire);
      const name = `output:${wire.stage}.${wire.port}:${wire.type}`;
      if (value === undefined || kept.has(name)) continue;
      kept.set(name, await this.#kinds.codec(wire.type).encode(value));
    }
    return [...kept];
  }

  #send(pieces: readonly (readonly [string, Uint8Array])[]): void {
    this.#host.flushRows();
    const parts: Part[] = pieces.map(([name, { length }]) => ({ name, bytes: length }));
    const payload = joinParts(pieces.map(([, bytes]) => bytes));
    this.#host.link.send({ type: "checkpoint", step: this.step, parts }, payload);
  }
}

/** Lets everything that is ready have its turn. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
