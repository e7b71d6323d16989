/** The StageContext of a running stage: turns its requests into messages to the runner. */
import { sha256 } from "../../base/digest.ts";
import type { EncodedRow, FromStage, UnitJob } from "../process/messages.ts";
import { encodeCell } from "../process/messages.ts";
import type { ExecutionRequest, Row, StageContext, StageKind } from "../contract/stage.ts";
import type { Link } from "./link.ts";
import { randomStreams } from "./random_streams.ts";

/** Rows of one frame; a longer list is cut. */
const rowsPerFrame = 2000;
/** Milliseconds between two progress messages. */
const progressPeriod = 100;

/** A line of the log, as it is sent. */
export type LogLine = Extract<FromStage, { readonly type: "log" }>;

/** State that the contexts of a process share. */
export class Host {
  readonly #rows = new Map<string, EncodedRow[]>();
  readonly #status: Record<string, number | string> = {};
  #lastProgress = -Infinity;
  /** Whether a stage outside of a loop has said more than was sent. */
  #isBehind = false;
  /** Digests of the programs that were asked for. */
  readonly distinct = new Set<string>();

  constructor(
    readonly link: Link,
    /** Name of the top-level stage. */
    readonly name: string,
    readonly seed: number,
    readonly plugins: ReadonlyMap<string, unknown>,
  ) {}

  /** Receives all rows before they are sent. */
  onRows: ((table: string, rows: readonly EncodedRow[]) => void) | undefined;

  addRows(table: string, rows: readonly EncodedRow[]): void {
    this.onRows?.(table, rows);
    const waiting = this.#rows.get(table) ?? [];
    this.#rows.set(table, waiting);
    for (const row of rows) waiting.push(row);
    if (waiting.length >= rowsPerFrame) this.#sendRows(table, waiting);
  }

  /** Hands over all rows; called before a checkpoint and at the end. */
  flushRows(): void {
    for (const [table, rows] of this.#rows) this.#sendRows(table, rows);
  }

  #sendRows(table: string, rows: EncodedRow[]): void {
    while (rows.length > 0) {
      this.link.send({ type: "rows", table, rows: rows.splice(0, rowsPerFrame) });
    }
  }

  /** Keeps numbers for the next progress message. */
  note(status: Readonly<Record<string, number | string>>): void {
    Object.assign(this.#status, status);
  }

  /** Hands over a line of the log. */
  log(line: LogLine): void {
    this.link.send(line);
  }

  /** Sends a progress message, and the rows so far, unless the last one was sent just before. */
  progress(step: number, steps: number): void {
    const now = performance.now();
    if (now - this.#lastProgress < progressPeriod && step < steps) {
      this.#isBehind = steps === 1;
      return;
    }
    this.#sendProgress(now, step, steps);
  }

  /** Sends the progress that was held back: a stage that waits has last said what it waits for. */
  #catchUp(): void {
    if (this.#isBehind) this.#sendProgress(performance.now(), 0, 1);
  }

  #sendProgress(now: number, step: number, steps: number): void {
    this.#lastProgress = now;
    this.#isBehind = false;
    this.flushRows();
    const distinct = this.distinct.size;
    this.link.send({
      type: "progress",
      stage: this.name,
      step,
      steps,
      distinct,
      status: encodeCell(this.#status) as Record<string, number | string>,
    });
  }

  /** Asks a service; programs that it is asked about to train are counted. */
  async ask<T>(
    from: { readonly stage: string; readonly step: number; readonly service: string },
    request: Readonly<Record<string, unknown>>,
  ): Promise<T> {
    this.#count(request);
    this.#catchUp();
    return await this.link.ask(from, request) as T;
  }

  async execute<T>(stage: string, step: number, request: ExecutionRequest): Promise<T[]> {
    const { purpose = "training", ...rest } = request;
    const asked = purpose === "check" ? { ...rest, purpose } : rest;
    if (asked.programs.length === 0) return [];
    this.#count({ ...rest, purpose });
    this.#catchUp();
    return await this.link.ask({ stage, step, service: "executor" }, asked) as T[];
  }

  #count({ programs, purpose = "training" }: Readonly<Record<string, unknown>>): void {
    if (purpose !== "training" || !Array.isArray(programs)) return;
    for (const text of programs) this.distinct.add(sha256(`${text}`));
  }
}

/** When a stage runs, and on which state. */
export interface ContextPlace {
  readonly step: number;
  readonly steps: number;
  /** Of the loop; 0 if left out. */
  readonly staleness?: number;
  /** Steps that the state lies behind; 0 if left out. */
  readonly behind?: number;
}

/** The context of one stage at one step. */
export function stageContext(
  host: Host,
  unit: UnitJob,
  at: ContextPlace,
  kind: Pick<StageKind, "kind" | "random">,
): StageContext {
  const { step, steps, staleness = 0, behind = 0 } = at;
  const stage = unit.name;
  const fill = (row: Row): EncodedRow => encodeCell({ stage, step, ...row }) as EncodedRow;
  return {
    stage,
    step,
    steps,
    staleness,
    behind,
    random: randomStreams(kind, { seed: host.seed, stage, step }),
    rows: (table, rows) => host.addRows(table, rows.map(fill)),
    metric: (name, value) => host.addRows("metric", [fill({ name, value })]),
    ask: async <T>(service: string, request: Readonly<Record<string, unknown>>) =>
      await host.ask<T>({ stage, step, service }, request),
    execute: (request) => host.execute(stage, step, request),
    progress: (status) => {
      host.note(status);
      if (step === 0) host.progress(0, 1);
    },
    log: (message, level = "info") => host.log({ type: "log", stage, step, message, level }),
    plugin: (path) => plugin(host, stage, path),
    get distinctEvaluations() {
      return host.distinct.size;
    },
  };
}

function plugin(host: Host, stage: string, path: string): unknown {
  if (host.plugins.has(path)) return host.plugins.get(path);
  throw new Error(
    `internal: stage "${stage}" asks for the module ${path}, which no parameter names`,
  );
}
