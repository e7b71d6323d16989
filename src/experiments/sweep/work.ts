/** Works on a sweep: takes points that nobody has, runs each, until none is left. */
import { hostname } from "node:os";
import { writeAtomic } from "../../base/atomic.ts";
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import {
  type Claims,
  Owner,
  type PointFile,
  pointPath,
  type PointValues,
  readPointFile,
  type SweepFile,
} from "../../pipeline/store/mod.ts";
import { pointClaim, pointClaims } from "./status.ts";

/** How the run of a point ended. */
export interface PointEnd {
  readonly run?: string;
  readonly status: "done" | "failed" | "interrupted";
  readonly fault?: string;
  readonly log?: string;
  /** This machine lacks what the point needs: another worker has to take it. */
  readonly lacking?: string;
}

/** How a sweep is worked on. */
export interface WorkOptions {
  readonly root: string;
  readonly sweep: SweepFile;
  /** Points that run at once. */
  readonly workers: number;
  /** These points alone; all of the sweep if left out. */
  readonly only?: readonly number[];
  /** Tries points again that failed before this call. */
  readonly retry?: boolean;
  /** Stays until all points have ended, to take over those of workers that die. */
  readonly wait?: boolean;
  readonly stop: AbortSignal;
  /** Runs a point; `opened` is told the run as soon as there is one. */
  readonly run: (
    point: number,
    values: PointValues,
    opened: (run: string) => void,
  ) => Promise<PointEnd>;
  readonly onBegin?: (point: number, values: PointValues) => void;
  readonly onEnd?: (point: number, end: PointEnd, seconds: number) => void;
}

/** What came of working. */
interface WorkDone {
  /** Points that this worker ended, by how. */
  readonly done: number;
  readonly failed: number;
  /** Points that others have in hand. */
  readonly elsewhere: number;
  /** Points that no worker has, for this one was stopped or lacks what they need. */
  readonly left: number;
  /** Why this machine cannot go on. */
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
    this.#owner = new Owner(options.root);
    this.#claims = pointClaims(options.root, this.#owner);
  }

  async work(): Promise<void> {
    const { stop, wait } = this.#options;
    while (!stop.aborted && this.#lacking === undefined) {
      const point = this.#take();
      if (point !== undefined) await this.#finish(point);
      else if (!wait || this.#open().length === 0) return;
      else await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
  }

  outcome(): WorkDone {
    const open = this.#open();
    const held = open.filter((point) => !this.#claims.isAbandoned(this.#claim(point)));
    return {
      done: this.#done,
      failed: this.#failed,
      elsewhere: held.length,
      left: open.length - held.length,
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
      if (!this.#claims.take(this.#claim(point))) continue;
      if (!this.#isSettled(point)) {
        this.#mine.add(point);
        return point;
      }
      this.#claims.release(this.#claim(point)); // another worker ended it meanwhile
    }
    return undefined;
  }

  #points(): Iterable<number> {
    return this.#options.only ?? this.#options.sweep.points.keys();
  }

  #open(): number[] {
    return [...this.#points()].filter((point) =>
      !this.#settled.has(point) && !this.#isSettled(point)
    );
  }

  #isSettled(point: number): boolean {
    const { root, sweep, retry } = this.#options;
    const file = readPointFile(root, sweep.sweep, point);
    const failed = file?.state === "failed" && (!retry || this.#tried.has(point));
    const settled = file?.state === "done" || failed;
    if (settled) this.#settled.add(point);
    return settled;
  }

  async #finish(point: number): Promise<void> {
    const { sweep, onBegin, onEnd } = this.#options;
    const values = sweep.points[point];
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
    const { run, status: state, fault, log, lacking } = end;
    const ended_at = new Date().toISOString();
    this.#write(point, { ...begun, run, state, ended_at, seconds, fault, log });
    if (lacking !== undefined) this.#lacking = lacking;
    if (state === "done") this.#done++;
    if (state === "failed") this.#failed++;
    this.#claims.release(this.#claim(point));
    this.#mine.delete(point);
    onEnd?.(point, end, seconds);
  }

  /** What goes wrong with the files of a point is the point's; what the machine lacks is not. */
  async #run(point: number, values: PointValues, opened: (run: string) => void): Promise<PointEnd> {
    try {
      return await this.#options.run(point, values, opened);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (isOfTheMachine(error)) return { status: "interrupted", lacking: fault };
      return { status: "failed", fault };
    }
  }

  #write(point: number, file: PointFile): void {
    const { root, sweep } = this.#options;
    writeAtomic(pointPath(root, sweep.sweep, point), JSON.stringify(file) + "\n");
  }

  #claim(point: number): string {
    return pointClaim(this.#options.sweep.sweep, point);
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
