/** The Stage interface: declarations of stage kinds, and the context of a running stage. */
import type { z } from "../../base/zod.ts";
import type { RandomStream } from "../../base/random.ts";
import type { Ports, PortValues } from "./port.ts";

/** One row of a table of the store; keys are column names in snake_case. */
export type Row = Readonly<Record<string, unknown>>;

/** A request for programs to be executed, and the results in the same order. */
export interface ExecutionRequest {
  /** PyMC text of each program. */
  readonly programs: readonly string[];
  /** Log probability of each under the prior of its grammar, for the table of programs. */
  readonly logPriors?: readonly number[];
  /** The data set that they are scored against, as an artifact carries it. */
  readonly dataset: unknown;
  /** Name of the executor, as the target names it. */
  readonly executor: string;
  /** The executor of the user's that has read the programs, if one has. */
  readonly reader?: unknown;
  /** Its reading of each program, for the engine to check and score. */
  readonly readings?: readonly unknown[];
  /** Length of the sampler's run, as the target sets it. */
  readonly schedule: unknown;
  /**
   * `evaluation`: asked for to measure, not to train; not among the distinct evaluations. `check`:
   * the same, of data that are not the target's, such as rows in another order; no rows of
   * `execution` are kept, so that a program has one.
   */
  readonly purpose?: "training" | "evaluation" | "check";
  /**
   * Origin of the programs: a grammar of the user's (the default), or an untrusted author, such as
   * a language model. Foreign text gets a process for each program, at level L2 at least.
   */
  readonly origin?: "grammar" | "foreign";
}

/** Requests that a running stage may send to the runner, and facts that it may know. */
export interface StageContext {
  /**
   * Name of the stage, with the loop's name before it: `train.sample`. Outputs must not depend on it
   * unless the kind is `random`: a renamed stage keeps its cache.
   */
  readonly stage: string;
  /** The loop's step, from 1; 0 outside a loop. */
  readonly step: number;
  /** Steps of the enclosing loop; 1 outside. */
  readonly steps: number;
  /** Steps by which a batch may be older than its learner's state: `staleness` of the loop, or 0. */
  readonly staleness: number;
  /** Steps by which the state that this stage reads is behind: 0 unless it runs ahead. */
  readonly behind: number;
  /**
   * A stream that depends on the run's seed, the stage, the step and `purpose` only.
   *
   * @throws Error if the kind does not declare `random`.
   */
  random(purpose: string): RandomStream;
  /** Appends rows to a table; the columns `run_id`, `stage`, `step` are filled in where absent. */
  rows(table: string, rows: readonly Row[]): void;
  /** One number of the `metric` table. */
  metric(name: string, value: number): void;
  /**
   * Asks a service that the kind names in `uses`. The request is JSON, with the numbers that JSON
   * lacks; objects among its fields are sent once, however many requests have them.
   */
  ask<T>(service: string, request: Readonly<Record<string, unknown>>): Promise<T>;
  /**
   * Asks the service `executor`: has programs executed in the sandbox pool, or answered from the
   * memo. `T` is the result type.
   */
  execute<T>(request: ExecutionRequest): Promise<T[]>;
  /** Numbers for the progress line, e.g. `{ loss, log_z }`. */
  progress(status: Readonly<Record<string, number | string>>): void;
  /** A line of the stage's log; `warning` lines are shown again at the end. */
  log(message: string, level?: "info" | "warning"): void;
  /** The live module that the pipeline named by this absolute path (a judge, an objective). */
  plugin(path: string): unknown;
  /** Distinct programs that this stage, or its loop, has asked to be executed so far. */
  readonly distinctEvaluations: number;
}

/** A stage that keeps something between the steps of a loop. */
export interface StageInstance<I extends Ports, O extends Ports> {
  /** One step, or the whole of a stage outside loops. */
  run(context: StageContext, inputs: PortValues<I>): Promise<PortValues<O>>;
  /** Everything that a resumed loop needs to go on with the same bits. */
  save?(): Promise<Uint8Array>;
  /** Restores the bytes of `save`, before the first `run`. */
  load?(bytes: Uint8Array, inputs: PortValues<I>): Promise<void>;
  /** Frees what the instance holds; called once, at the end. */
  dispose?(): void;
}

/** Permissions of a stage's process beside its own code and scratch folder. */
export interface StagePermissions {
  /** Files and folders to read. */
  readonly read?: readonly string[];
  /** Hosts to reach. */
  readonly net?: readonly string[];
  /** Environment variables to read. */
  readonly env?: readonly string[];
  /** Facts of the system to read, by Deno's names. */
  readonly sys?: readonly string[];
  /** Native libraries to load; voids the other limits. */
  readonly ffi?: readonly string[];
}

/** Input of a stage kind's check before a run: its parameters, and the values known by then. */
export interface StageCheck<P extends z.ZodType, I extends Ports> {
  /** Its lines of level `warning` are shown; rows and numbers are dropped, services refuse. */
  readonly context: StageContext;
  /** Values of inputs that are known without running anything. */
  readonly inputs: Partial<PortValues<I>>;
  /** Inputs that are wired, but whose values are unknown before a run; `targets.sea` of wires by name. */
  readonly unknown: ReadonlySet<string>;
  /** As the pipeline has them, defaults filled in. */
  readonly params: z.output<P>;
}

/**
 * A check that stages of a kind bring with them: the largest value of a measure, over the steps of a
 * loop, must be 0. A check of the pipeline that reads the measure takes its place.
 */
export interface StageGate {
  /** Name in reports, before the stage's name. */
  readonly name: string;
  /** `measure` of the table `evaluation`; no row of it does not pass. */
  readonly measure: string;
}

/** A stage kind, as its file declares it. */
export interface StageKind<
  P extends z.ZodType = z.ZodType,
  I extends Ports = Ports,
  O extends Ports = Ports,
> {
  /** Its name in pipelines. */
  readonly kind: string;
  /** Part of the fingerprint: raise it when the meaning changes and the code's digest does not show it. */
  readonly version: number;
  /** One sentence for help and the schema. */
  readonly description: string;
  /** Parameters, as a zod schema. */
  readonly params: P;
  /** Input ports. */
  readonly inputs: I;
  /** Output ports. */
  readonly outputs: O;
  /**
   * Parameters that hold wiring by name, all of one port type: `compare = { sft = "a.policy" }`.
   * `run` finds their live values among its inputs, by parameter and name. A name with points is
   * the path of parameters that are wires themselves, `*` for every place of a list:
   * `"log_reward.*.oracle"`; live values are then found by that path and the wire as written.
   */
  readonly wired?: Readonly<Record<string, Ports[string]>>;
  /** Services that the stage asks, by name: `executor` (programs in the sandbox pool). */
  readonly uses?: readonly string[];
  /** A check that every stage of the kind brings to its pipeline. */
  readonly gate?: StageGate;
  /** True if the stage draws random numbers: the seed then enters its fingerprint. */
  readonly random?: boolean;
  /** True if its bits depend on tensor backend and kernels. */
  readonly tensors?: boolean;
  /** Permissions of its process. */
  readonly permissions?: StagePermissions;
  /** True if the kind has a `check`. */
  readonly checks?: boolean;
  /**
   * Reports faults before anything runs: by an InputError, or by warnings in the context's log. It
   * reads the files that parameters name and nothing else, and is done within a second or so. The
   * values that it returns flow into the checks of other stages.
   */
  check?(request: StageCheck<P, I>): Promise<Partial<PortValues<O>>>;
  /** Opens an instance: once per run outside a loop, once per loop inside. */
  open(params: z.output<P>): StageInstance<I, O>;
}

/** Declaration of a kind: all that reading and planning a pipeline need of it. */
export type StageSignature<
  P extends z.ZodType = z.ZodType,
  I extends Ports = Ports,
  O extends Ports = Ports,
> = Omit<StageKind<P, I, O>, "open" | "check">;

/**
 * The declaration of a kind whose code stands in another file, which then calls
 * `defineStage({ ...declaration, run })`. Deno loads all modules that a literal `import()` may reach before
 * it runs the first line, so the command line imports declarations and never the code that reads programs.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { z } from "../../base/zod.ts";
 * import { declareStage } from "./stage.ts";
 * const double = declareStage({
 *   kind: "double",
 *   version: 1,
 *   description: "Records twice a number.",
 *   params: z.strictObject({ number: z.number() }),
 *   inputs: {},
 *   outputs: {},
 * });
 * assert.equal(double.kind, "double");
 * ```
 */
export function declareStage<P extends z.ZodType, const I extends Ports, const O extends Ports>(
  declaration: StageSignature<P, I, O>,
): StageSignature<P, I, O> {
  return declaration;
}

/**
 * Check of a stage by its kind when a pipeline is checked: a function, or `"run"` of a stage whose run is
 * quick, asks no service and reads only files that its parameters name: it is checked by running it.
 */
export type StageCheckOrRun<P extends z.ZodType, I extends Ports, O extends Ports> =
  | StageKind<P, I, O>["check"]
  | "run";

/** A stage without memory: one function. */
export interface StageDefinition<P extends z.ZodType, I extends Ports, O extends Ports>
  extends StageSignature<P, I, O> {
  /** Reports faults before anything runs: see {@linkcode StageKind.check}. */
  readonly check?: StageCheckOrRun<P, I, O>;
  /** For a stage that keeps something between steps. */
  readonly open?: (params: z.output<P>) => StageInstance<I, O>;
  /** For a stage without memory. */
  readonly run?: (
    context: StageContext,
    inputs: PortValues<I>,
    params: z.output<P>,
  ) => Promise<PortValues<O>>;
}

/**
 * Makes a stage kind from its declaration; give `run`, or `open` if it keeps state in a loop.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineStage, z } from "sluice";
 * const double = defineStage({
 *   kind: "double",
 *   version: 1,
 *   description: "Records twice a number.",
 *   params: z.strictObject({ number: z.number() }),
 *   inputs: {},
 *   outputs: {},
 *   run(context, _inputs, { number }) {
 *     context.metric("double", 2 * number);
 *     return Promise.resolve({});
 *   },
 * });
 * assert.equal(double.kind, "double");
 * ```
 */
export function defineStage<P extends z.ZodType, const I extends Ports, const O extends Ports>(
  definition: StageDefinition<P, I, O>,
): StageKind<P, I, O> {
  const { run, open, check: by, ...given } = definition;
  const check = by === "run" ? checkByRunning(run) : by;
  const rest = { ...given, ...(check && { check, checks: true }) };
  if (open) return { ...rest, open };
  if (!run) throw new TypeError(`internal: stage kind "${rest.kind}" has neither run nor open`);
  return {
    ...rest,
    open: (params) => ({ run: (context, inputs) => run(context, inputs, params) }),
  };
}

function checkByRunning<P extends z.ZodType, I extends Ports, O extends Ports>(
  run: StageDefinition<P, I, O>["run"],
): StageKind<P, I, O>["check"] {
  return async ({ context, inputs, unknown, params }) =>
    unknown.size > 0 ? {} : await run!(context, inputs as PortValues<I>, params);
}
