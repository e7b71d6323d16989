/** Runs a pipeline in this process, without cache, sandbox and database, for benchmarks to time. */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { RandomStream } from "../src/base/random.ts";
import type { Subject } from "../src/base/measure_subject.ts";
import type { MeasureName } from "../stages/evaluation/measure.ts";
import { policySubject } from "../stages/evaluation/subjects.ts";
import type { TrainedPolicy } from "../stages/ports/values.ts";
import type { Ports, PortValues } from "../src/pipeline/contract/port.ts";
import { resolvePipeline } from "../src/pipeline/read/resolve.ts";
import type { ResolvedStage, Wires } from "../src/pipeline/read/resolved.ts";
import type { Row, StageContext, StageInstance } from "../src/pipeline/contract/stage.ts";
import { builtInKindFile, builtInKinds } from "../stages/mod.ts";
import { kindOf } from "../src/pipeline/host/kinds.ts";

/** Result of a run. */
export interface InProcessRun {
  /** Rows of `evaluation`, with their stage and step. */
  readonly evaluation: readonly Row[];
  /** Seconds of each top-level stage. */
  readonly seconds: Readonly<Record<string, number>>;
  /** The same of processor time, all threads together. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

type Values = Record<string, unknown>;
type Instance = StageInstance<Ports, Ports>;

const sluiceRoot = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs a pipeline whose environment states its own reward. Streams of random numbers have the
 * names that the runner gives them, so the results are those of `sluice run`.
 *
 * @param path Relative to the root of Sluice.
 * @param sets As after `--set`.
 */
export async function runInProcess(path: string, sets: readonly string[]): Promise<InProcessRun> {
  const pipeline = await resolvePipeline({
    path,
    sets,
    kinds: builtInKinds,
    sluiceRoot,
    cwd: sluiceRoot,
  });
  const run = new Run(pipeline.seed);
  for (const stage of pipeline.stages) await run.stage(stage);
  const { evaluation, seconds, cpuSeconds } = run;
  return { evaluation, seconds, cpuSeconds };
}

/** Rows of one measure of one subject, the policy if none is named. */
export function measured(
  rows: readonly Row[],
  measure: MeasureName,
  { kind, name }: Subject = policySubject,
): Row[] {
  return rows.filter((row) =>
    row.measure === measure && row.subject_kind === kind && row.subject === name
  );
}

/** The value of a measure, if it is among the rows. */
export function valueOf(
  rows: readonly Row[],
  measure: MeasureName,
  subject?: Subject,
): number | undefined {
  const [row] = measured(rows, measure, subject);
  return row && Number(row.value);
}

class Run {
  readonly evaluation: Row[] = [];
  readonly seconds: Record<string, number> = {};
  readonly cpuSeconds: Record<string, number> = {};
  readonly #outputs = new Map<string, Values>();

  constructor(readonly seed: number) {}

  async stage(stage: ResolvedStage): Promise<void> {
    const start = performance.now();
    const before = process.cpuUsage();
    if (stage.loop) await this.#loop(stage);
    else await this.#once(await open(stage), stage, { step: 0, steps: 1 }, {});
    this.seconds[stage.name] = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(before);
    this.cpuSeconds[stage.name] = (user + system) / 1e6;
  }

  async #loop({ name, loop }: ResolvedStage): Promise<void> {
    const { stages, state: initial, next, steps } = loop!;
    const instances = await Promise.all(stages.map(open));
    let state = await this.#values(initial, {});
    for (let step = 1; step <= steps; step++) {
      for (const [i, stage] of stages.entries()) {
        if (step % (stage.every ?? 1) !== 0) continue;
        await this.#once(instances[i], stage, { step, steps }, state);
      }
      state = { ...state, ...await this.#values(next, state) };
    }
    for (const instance of instances) instance.dispose?.();
    this.#outputs.set(name, state);
  }

  async #once(
    instance: Instance,
    stage: ResolvedStage,
    at: { readonly step: number; readonly steps: number },
    state: Values,
  ): Promise<void> {
    const inputs = await this.#values(stage.inputs, state);
    for (const [name, wires] of Object.entries(stage.wired)) {
      inputs[name] = await this.#values(wires, state);
    }
    const context = this.#context(stage.name, at);
    this.#outputs.set(stage.name, await instance.run(context, inputs as PortValues<Ports>));
  }

  async #values(wires: Wires, state: Values): Promise<Values> {
    const values: Values = {};
    for (const [name, { stage, port, scope, type }] of Object.entries(wires)) {
      const value = scope === "state" ? state[port] : this.#outputs.get(stage)?.[port];
      const isOutside = scope === "stage" && !stage.includes(".");
      values[name] = isOutside && type === "policy" ? await copy(value as TrainedPolicy) : value;
    }
    return values;
  }

  #context(
    stage: string,
    { step, steps }: { readonly step: number; readonly steps: number },
  ): StageContext {
    const keep = (table: string, rows: readonly Row[]) => {
      if (table !== "evaluation") return;
      this.evaluation.push(...rows.map((row) => ({ stage, step, ...row })));
    };
    return {
      stage,
      step,
      steps,
      ...{ staleness: 0, behind: 0, distinctEvaluations: 0 },
      random: (purpose) => new RandomStream(`seed ${this.seed}`, stage, step, purpose),
      rows: keep,
      metric: () => {},
      ask: () => Promise.reject(new Error("internal: a benchmark asks no service")),
      execute: () => Promise.reject(new Error("internal: a benchmark executes no programs")),
      progress: () => {},
      log: () => {},
      plugin: (name) => {
        throw new Error(`internal: no plug-in ${name} in a benchmark`);
      },
    };
  }
}

/** A policy is trained in place; another stage's input must stay the same. */
async function copy(trained: TrainedPolicy): Promise<TrainedPolicy> {
  return { ...trained, policy: await trained.policy.clone() };
}

async function open({ kind, rawParams }: ResolvedStage): Promise<Instance> {
  const declared = kindOf(await import(builtInKindFile(kind)), kind)!;
  return declared.open(await declared.params.parseAsync(rawParams)) as Instance;
}
