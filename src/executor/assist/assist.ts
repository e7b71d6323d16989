/** Scores what the runs of a project wait for: an assistant beside them, on any machine. */
import { removeIfThere } from "../../base/atomic.ts";
import { datasetFromJson } from "../../base/dataset.ts";
import { MissingPartError } from "../../base/diagnostic.ts";
import { openSealer } from "../../base/seal.ts";
import { readTrust } from "../../base/trust.ts";
import { isMachineFailure } from "../../engine/score/execution/mod.ts";
import { imageOf } from "../front_ends/front_end.ts";
import { builtInExecutor } from "../front_ends/mod.ts";
import { type ExecutedProgram, Executor, type ExecutorOptions } from "../executor.ts";
import { readWanted, type Wanted, wantedPaths } from "./wanted.ts";

/** Milliseconds between two looks for work. */
const lookEvery = 250;

/** Options of an assistant: how long it stays, and its messages. */
interface AssistOptions extends ExecutorOptions {
  readonly stop: AbortSignal;
  /** Seconds without work after which the assistant ends; it stays if left out. */
  readonly idleSeconds?: number;
  /** Called for each batch, before it is scored. */
  readonly onBatch?: (programs: number) => void;
  /** Called once for each kind of batch that is skipped. */
  readonly onNote: (line: string) => void;
}

/** Work of an assistant. */
interface Assisted {
  /** Programs that this assistant executed. */
  readonly executed: number;
  /** Programs of its batches that others had executed. */
  readonly elsewhere: number;
}

/**
 * Takes programs of the batches that are wanted, by the claims of the memo, until it is stopped, or
 * idle for too long. Rows and bits of the runs are what they would be without it.
 *
 * @throws MissingPartError if this machine cannot run programs as their origin asks.
 */
export async function assist(options: AssistOptions): Promise<Assisted> {
  const { stop, idleSeconds = Infinity } = options;
  const assistant = new Assistant(options);
  let worked = performance.now();
  try {
    while (!stop.aborted && performance.now() - worked < 1000 * idleSeconds) {
      if (await assistant.turn()) worked = performance.now();
      else await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
    return assistant.done;
  } finally {
    await assistant.close();
  }
}

class Assistant {
  readonly #executor: Executor;
  readonly #own: string;
  readonly #keys: ReadonlySet<string>;
  /** Images that this user was asked for by the runs that wait. */
  readonly #images = new Set<string>();
  readonly #noted = new Set<string>();
  readonly #passedOver = new Set<string>();
  readonly done = { executed: 0, elsewhere: 0 };

  constructor(readonly options: AssistOptions) {
    const allowsImage = (image: string) => this.#images.has(image);
    this.#executor = new Executor({ ...options, allowsImage });
    this.#own = openSealer(options.root).keyId;
    this.#keys = new Set([this.#own, ...readTrust().keys]);
  }

  async close(): Promise<void> {
    await this.#executor.close();
  }

  /** Scores the oldest batch that it may; false if there is none. */
  async turn(): Promise<boolean> {
    for (const path of wantedPaths(this.options.root)) {
      if (this.#passedOver.has(path)) continue;
      const wanted = this.#read(path);
      if (!wanted) continue;
      await this.#serve(path, wanted);
      return true;
    }
    return false;
  }

  /** A batch that it may score; others are noted, and not read again. */
  #read(path: string): Wanted | undefined {
    const file = readWanted(path, this.#keys);
    if (!file) return undefined;
    const { wanted, keyId } = file;
    const executor = wanted && builtInExecutor(wanted.executor);
    const image = executor && imageOf(executor);
    if (image !== undefined && keyId === this.#own) this.#images.add(image);
    const isAllowed = image === undefined || this.#images.has(image);
    if (wanted && isAllowed && wanted.engine === this.#executor.digestOf(wanted.executor)) {
      return wanted;
    }
    this.#passedOver.add(path);
    if (!isAllowed) this.#note(imageOfAnother(image, keyId!));
    else if (wanted) this.#note("a run of another version of Sluice waits for programs");
    else this.#note(keyId ? notTrusted(keyId) : `${path} is no batch of programs`);
    return undefined;
  }

  #note(line: string): void {
    if (!this.#noted.has(line)) this.options.onNote(line);
    this.#noted.add(line);
  }

  async #serve(path: string, { dataset, programs, ...wanted }: Wanted): Promise<void> {
    const { stop, onBatch } = this.options;
    onBatch?.(programs.length);
    const onProgress = (_done: number, _total: number, { memo }: ExecutedProgram) => {
      this.done[memo ? "elsewhere" : "executed"]++;
    };
    const data = datasetFromJson(dataset);
    const request = { ...wanted, dataset: data, signal: stop, onProgress };
    try {
      const results = await this.#executor.executeAll(programs, request);
      const failed = results.find(({ outcome }) => isMachineFailure(outcome.status));
      if (failed) throw machineFailed(failed.outcome.diagnostics[0]?.message);
      removeIfThere(path);
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  }
}

function imageOfAnother(image: string, keyId: string): string {
  return `a run of the key ${keyId} waits for programs in the image ${image}: a trusted key may ` +
    "be believed, and starts no image here; assist it with its own key";
}

function notTrusted(keyId: string): string {
  return `a run of the key ${keyId} waits for programs: to score them here and be believed there, ` +
    `each side trusts the other's key: sluice trust add ${keyId}`;
}

function machineFailed(why = "no reason was given"): Error {
  return new MissingPartError(
    `Cannot score programs on this machine: ${why}`,
    "see sluice doctor; what was scored so far is kept",
  );
}
