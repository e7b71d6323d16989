/** Works on a sweep: claims free points and runs each, until none is left. */
import { hostname } from "node:os";
import { writeAtomic } from "../../base/atomic.ts";
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import { lacking, type MachineResources, type StageResources } from "../../pipeline/basics/mod.ts";
import {
  type Claims,
  Owner,
  type PointFile,
  pointPath,
  type PointValues,
  readPointFile,
  readSweepFile,
  type SweepFile,
} from "../../pipeline/store/mod.ts";
import { pointClaim, pointClaims } from "./status.ts";

/** End of the run of a point. */
export interface PointEnd {
  readonly run?: string;
  readonly status: "done" | "failed" | "interrupted";
  readonly fault?: string;
  readonly log?: string;
  /** This machine lacks a part that every point needs: another worker has to go on. */
  readonly lacking?: string;
  /** A stage of the point needs resources that this machine lacks: another worker has to take it. */
  readonly needs?: StageResources;
}

/** Options of the run of one point. */
interface PointRun {
  /** Called with the run as soon as there is one. */
  readonly opened: (run: string) => void;
  /** The run whose states its loops go on from. */
  readonly from?: string;
}

/** Options of the work on a sweep. */
export interface WorkOptions {
  readonly root: string;
  readonly sweep: SweepFile;
  /** Points that run at once. */
  readonly workers: number;
  /** These points alone; all of the sweep if left out. */
  readonly only?: readonly number[];
  /** Tries points again that failed before this call. */
  readonly retry?: boolean;
  /** Adds the next rung of a sweep that halves, if it is time; undefined if it is not. */
  readonly addRung?: () => Promise<SweepFile | undefined>;
  /** Stays until all points have ended, to take over those of workers that die. */
  readonly wait?: boolean;
  /** Resources of this machine. */
  readonly machine: MachineResources;
  /** Takes points alone whose next stage needs some of these. */
  readonly onlyNeeding?: readonly (keyof MachineResources)[];
  readonly stop: AbortSignal;
  readonly run: (point: number, values: PointValues, how: PointRun) => Promise<PointEnd>;
  readonly onBegin?: (point: number, values: PointValues) => void;
  readonly onEnd?: (point: number, end: PointEnd, seconds: number) => void;
}

/** Result of a worker. */
interface WorkDone {
  /** Points that this worker ended, by how. */
  readonly done: number;
  readonly failed: number;
  /** Points that other workers run. */
  readonly elsewhere: number;
  /** Points that no worker has, since this one was stopped or lacks a part. */
  readonly left: number;
  /** Points of these whose next stage needs resources that this machine lacks. */
  readonly unfit: number;
  /** Part that this machine lacks. */
  readonly lacking?: string;
}

/** Milliseconds between two looks at points that others have. */
const lookEvery = 500;

/** Works until no point is left that this process may take. */
export async function workOn(options: WorkOptions): Promise<WorkDone> {
  const worker = new Worker(options);
  try {
    await Promise.all(Array.from({ length: options.workers }, () => worker.work()));
    return worker.outcome();
  } finally {
    worker.close();
  }
}

class Worker {
  readonly #options: WorkOptions;
  readonly #owner: Owner;
  readonly #claims: Claims;
  #sweep: SweepFile;
  /** Points that need no second look. */
  readonly #settled = new Set<number>();
  readonly #mine = new Set<number>();
  /** Points that this worker has tried: none is tried twice. */
  readonly #tried = new Set<number>();
  #done = 0;
  #failed = 0;
  #lacking: string | undefined;

  constructor(options: WorkOptions) {
    this.#options = options;
    this.#sweep = options.sweep;
    this.#owner = new Owner(options.root);
    this.#claims = pointClaims(options.root, this.#owner);
  }

  async work(): Promise<void> {
    const { stop, wait } = this.#options;
    while (!stop.aborted && this.#lacking === undefined) {
      const point = this.#take();
      if (point !== undefined) await this.#finish(point);
      else if (await this.#grow()) continue;
      else if (!wait || this.#open().length === 0) return;
      else await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
  }

  /** Takes up the points that were added meanwhile, by this worker or another. */
  async #grow(): Promise<boolean> {
    const { addRung, root, only } = this.#options;
    if (!addRung || only) return false;
    const grown = await addRung() ?? readSweepFile(root, this.#sweep.sweep) ?? this.#sweep;
    const isNew = grown.points.length > this.#sweep.points.length;
    if (isNew) this.#sweep = grown;
    return isNew;
  }

  outcome(): WorkDone {
    const open = this.#open();
    const held = open.filter((point) => !this.#claims.isAbandoned(this.#claim(point)));
    return {
      done: this.#done,
      failed: this.#failed,
      elsewhere: held.length,
      left: open.length - held.length,
      unfit: open.filter((point) => !this.#fits(point)).length,
      lacking: this.#lacking,
    };
  }

  close(): void {
    this.#owner.close();
  }

  /** The next point that is claimed for this process. */
  #take(): number | undefined {
    for (const point of this.#points()) {
      if (this.#settled.has(point) || this.#mine.has(point) || this.#isSettled(point)) continue;
      if (!this.#fits(point)) continue;
      if (!this.#claims.take(this.#claim(point))) continue;
      if (!this.#isSettled(point)) {
        this.#mine.add(point);
        return point;
      }
      this.#claims.release(this.#claim(point)); // another worker ended it meanwhile
    }
    return undefined;
  }

  /** True if this worker serves the demands of the point's next stage, as far as they are known. */
  #fits(point: number): boolean {
    const { root, machine, onlyNeeding } = this.#options;
    const needs = readPointFile(root, this.#sweep.sweep, point)?.needs;
    const isWanted = onlyNeeding?.some((key) => (needs?.[key] ?? 0) > 0) ?? true;
    return isWanted && lacking(needs, machine) === "";
  }

  #points(): Iterable<number> {
    return this.#options.only ?? this.#sweep.points.keys();
  }

  #open(): number[] {
    return [...this.#points()].filter((point) =>
      !this.#settled.has(point) && !this.#isSettled(point)
    );
  }

  #isSettled(point: number): boolean {
    const { root, retry } = this.#options;
    const file = readPointFile(root, this.#sweep.sweep, point);
    const failed = file?.state === "failed" && (!retry || this.#tried.has(point));
    const settled = file?.state === "done" || failed;
    if (settled) this.#settled.add(point);
    return settled;
  }

  async #finish(point: number): Promise<void> {
    const { onBegin, onEnd } = this.#options;
    const values = this.#sweep.points[point];
    onBegin?.(point, values);
    this.#tried.add(point);
    const begun: PointFile = {
      state: "running",
      started_at: new Date().toISOString(),
      host: hostOf(),
    };
    const from = performance.now();
    this.#write(point, begun);
    const opened = (run: string) => this.#write(point, { ...begun, run });
    const end = await this.#run(point, values, opened);
    const seconds = (performance.now() - from) / 1000;
    const { run, status: state, fault, log, lacking, needs } = end;
    const ended_at = new Date().toISOString();
    this.#write(point, { ...begun, run, state, ended_at, seconds, needs, fault, log });
    if (lacking !== undefined) this.#lacking = lacking;
    if (state === "done") this.#done++;
    if (state === "failed") this.#failed++;
    this.#claims.release(this.#claim(point));
    this.#mine.delete(point);
    onEnd?.(point, end, seconds);
  }

  /** Runs a point. Faults of its files end it as failed; a lack of the machine interrupts it. */
  async #run(point: number, values: PointValues, opened: (run: string) => void): Promise<PointEnd> {
    try {
      return await this.#options.run(point, values, { opened, from: this.#earlierRun(point) });
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (isOfTheMachine(error)) return { status: "interrupted", lacking: fault };
      return { status: "failed", fault };
    }
  }

  /** The run whose states a point goes on from. */
  #earlierRun(point: number): string | undefined {
    const earlier = this.#sweep.from?.[point];
    if (earlier === undefined) return undefined;
    return readPointFile(this.#options.root, this.#sweep.sweep, earlier)?.run;
  }

  #write(point: number, file: PointFile): void {
    const { root } = this.#options;
    writeAtomic(pointPath(root, this.#sweep.sweep, point), JSON.stringify(file) + "\n");
  }

  #claim(point: number): string {
    return pointClaim(this.#sweep.sweep, point);
  }
}

function isOfTheMachine(error: unknown): boolean {
  if (error instanceof MissingPartError) return true;
  return error instanceof InputError &&
    error.diagnostics.some(({ code }) => code === "store/cannot-write");
}

function hostOf(): string {
  try {
    return hostname();
  } catch {
    return "";
  }
}
