/** Frames between the process that has the network and the one that has the worlds. */

/** First message to the process with the network. */
export interface ServeSetup {
  /** First part of every path: without it nothing is answered. */
  readonly token: string;
  /** Port on 127.0.0.1; 0 for any that is free. */
  readonly port: number;
  /** Sessions at once. */
  readonly sessions: number;
  /** Minutes after which an idle session is closed. */
  readonly idle: number;
}

/** A request of a client. */
export interface ServeRequest {
  readonly id: number;
  readonly session: string;
  readonly type: "reset" | "step" | "state" | "close" | "schema" | "metadata";
  readonly data?: unknown;
}

/** An answer in OpenEnv's form: `observation`, `state`, or `error` with a code. */
export interface ServeAnswer {
  readonly type: "observation" | "state" | "error";
  readonly data: unknown;
}

/** Codes of errors, as OpenEnv has them. */
type ServeCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED"
  | "SESSION_ERROR";

/** An error in OpenEnv's form. */
export function serveError(code: ServeCode, message: string): ServeAnswer {
  return { type: "error", data: { message, code } };
}
