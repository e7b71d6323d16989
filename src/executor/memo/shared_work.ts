/** Work shared between processes: a program is executed by the one that claims it, for all. */
import { sha256 } from "../../base/digest.ts";
import { encodeExecution } from "../execution_json.ts";
import type { ExecutionOutcome } from "../worker_process.ts";
import { Claims, type Owner } from "../../pipeline/store/mod.ts";
import type { Memo } from "./memo.ts";

/** Milliseconds between two checks of others' work. */
const lookEvery = 50;

/** Outcome of a program. */
export interface Shared {
  readonly outcome: ExecutionOutcome;
  /** True if it was known, or another process found it. */
  readonly memo: boolean;
}

/** How the programs of one memo are executed. */
interface SharedWorkOptions {
  readonly memo: Memo;
  readonly owner: Owner;
  /** Programs that may be under way at once; others wait unclaimed, so that another run takes them. */
  readonly turns: number;
  /** Known outcome of a program, if the policy lets it be used. */
  readonly recall: (hash: string) => ExecutionOutcome | undefined;
}

/** The programs of one memo that are waited for, and those under way here. */
export class SharedWork {
  readonly #options: SharedWorkOptions;
  readonly #claims: Claims;
  readonly #queue: (() => void)[] = [];
  #free: number;
  #look: Promise<void> | undefined;

  constructor(options: SharedWorkOptions) {
    this.#options = options;
    this.#free = options.turns;
    this.#claims = new Claims(options.memo.folder, options.owner);
  }

  /**
   * The outcome of a program that is not known yet: found here if no process has claimed it, else
   * waited for. `isOver` ends the waiting where the batch has ended.
   */
  async settle(
    hash: string,
    execute: () => Promise<ExecutionOutcome>,
    isOver: () => boolean,
  ): Promise<Shared> {
    for (;;) {
      const shared = await this.#inTurn(() => this.#try(hash, execute, isOver));
      if (shared) return shared;
      while (!isOver() && !this.#options.recall(hash) && !this.#claims.isAbandoned(hash)) {
        await this.#lookAgain();
      }
    }
  }

  async #try(
    hash: string,
    execute: () => Promise<ExecutionOutcome>,
    isOver: () => boolean,
  ): Promise<Shared | undefined> {
    const { memo, recall } = this.#options;
    const known = recall(hash);
    if (known) return { outcome: known, memo: true };
    if (isOver()) return { outcome: await execute(), memo: false };
    if (!this.#claims.take(hash)) return undefined;
    try {
      memo.refresh(); // its last holder may have found it since
      const found = recall(hash);
      if (found) return { outcome: found, memo: true };
      const outcome = await execute();
      memo.put(hash, outcome);
      return { outcome, memo: false };
    } finally {
      this.#claims.release(hash);
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** One look serves all who wait. */
  #lookAgain(): Promise<void> {
    return this.#look ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#look = undefined;
        this.#options.memo.refresh();
        resolve();
      }, lookEvery);
    });
  }
}

/** Executions of the memo that are made again: a share of them that depends on the programs alone. */
export class Audit {
  readonly #share: number;
  readonly #done = new Set<string>();
  readonly different: string[] = [];

  constructor(share: number) {
    this.#share = share;
  }

  /** Entries that were executed again. */
  get audited(): number {
    return this.#done.size;
  }

  /** Whether an entry is to be executed again, now and for the first time. */
  wants(hash: string): boolean {
    const share = parseInt(sha256(`audit ${hash}`).slice(0, 12), 16) / 2 ** 48;
    return share < this.#share && !this.#done.has(hash);
  }

  /** Compares bit for bit what was kept with what was found now. */
  compare(hash: string, program: string, kept: ExecutionOutcome, found: ExecutionOutcome): void {
    this.#done.add(hash);
    const text = ({ execution }: ExecutionOutcome) => JSON.stringify(encodeExecution(execution));
    if (text(kept) !== text(found)) this.different.push(program);
  }
}
