/** Limits of a user's SQL, and how a statement is ended that exceeds them. */
import type { DuckDBConnection } from "@duckdb/node-api";

/** Limits of one statement. */
export interface SqlLimits {
  /** Seconds. */
  readonly timeout: number;
  /** Bytes that DuckDB may hold. */
  readonly memory: number;
}

/** A minute and 2 GiB. */
export const defaultSqlLimits: SqlLimits = { timeout: 60, memory: 2 * 1024 ** 3 };

/** Outcome of a statement: its result, or why there is none. */
export type SqlOutcome<T> =
  | { readonly kind: "done"; readonly result: T }
  | { readonly kind: "failed" | "timeout" | "memory"; readonly message: string };

/** DuckDB forgets an interruption that comes before a statement runs: it is asked again. */
const interruptEveryMs = 20;

/** Milliseconds: longest delay of a timer. */
const longestTimer = 2 ** 31 - 1;

/**
 * Runs statements on a connection until they are done, the time is over, or a signal ends them.
 *
 * @throws the signal's reason if it was aborted; nothing else.
 */
export async function withinLimits<T>(
  connection: DuckDBConnection,
  { timeout }: SqlLimits,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<SqlOutcome<T>> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.min(1000 * timeout, longestTimer));
  const end = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  let again: ReturnType<typeof setInterval> | undefined;
  const interrupt = () => {
    connection.interrupt();
    again = setInterval(() => connection.interrupt(), interruptEveryMs);
  };
  signal?.throwIfAborted();
  end.addEventListener("abort", interrupt);
  try {
    return { kind: "done", result: await work() };
  } catch (error) {
    signal?.throwIfAborted();
    if (over.signal.aborted) return { kind: "timeout", message: `no answer within ${timeout} s` };
    const message = error instanceof Error ? error.message : `${error}`;
    return { kind: isOutOfMemory(message) ? "memory" : "failed", message };
  } finally {
    end.removeEventListener("abort", interrupt);
    clearTimeout(timer);
    clearInterval(again);
  }
}

function isOutOfMemory(message: string): boolean {
  return /^Out of Memory Error/i.test(message);
}

/** Advice on a limit that was met; it names an option only where limits can be raised. */
export function limitHint(option: string, canRaise: boolean): string {
  return canRaise
    ? `ask for less, or raise the limit: ${option}`
    : "ask for fewer runs (--run last), or write the query yourself: sluice query " +
      `${option} "select …"`;
}
