/** Real PyMC as a front end: it builds the model without ever seeing the response. */
import type { Dataset } from "../../base/dataset.ts";
import { knowsResponse, responseColumn } from "../../base/dataset.ts";
import { type Diagnostic, MissingPartError } from "../../base/diagnostic.ts";
import {
  classOfDiagnostics,
  type Execution,
  type ExecutionStatus,
  isSettled,
} from "../../engine/score/execution/mod.ts";
import { reaches, type SandboxLevel } from "../../base/sandbox_level.ts";
import { isRecord } from "../../base/record.ts";
import { cycleOfRows, rowsInOrder } from "../../base/row_cycle.ts";
import type { Reordered } from "../../engine/language/mod.ts";
import {
  type KernelLevel,
  type ProgramRun,
  pythonLevel,
  runPython,
  type RunPythonOptions,
  type TextOrigin,
} from "../../sandbox/mod.ts";
import { compareGraphs } from "./non_interference.ts";
import { type MaskedColumns, maskedColumns, unmasked } from "./masked_columns.ts";
import { placeholder } from "./placeholder.ts";
import type { FrontEnd, FrontEndResult } from "../front_ends/front_end.ts";
import { extractionScript, frontEndDigest } from "./digest.ts";
import { findPython } from "./python_environment.ts";
import { Slots } from "./slots.ts";

/** Runs Python confined, and reports the level available. */
export interface PythonSandbox {
  level(): Promise<KernelLevel>;
  run(options: RunPythonOptions): Promise<ProgramRun>;
}

const thisMachine: PythonSandbox = { level: pythonLevel, run: runPython };

/** How the front end is bounded. */
export interface FrontEndOptions {
  /** Folder that holds `.sluice`, with the Python environment in it. */
  readonly root: string;
  /** Python processes at once. */
  readonly slots: number;
  /** Origin of the programs; `foreign` by default. */
  readonly origin?: TextOrigin;
  /** Times that a program is tried again whose process the clock, memory or a crash ended; 1. */
  readonly retries?: number;
  /** The level below which nothing is started; Python never runs below L2. */
  readonly minimumLevel?: SandboxLevel;
  /**
   * Why a text may not run (`refusePython`); `asked` if a worker was asked about each text before it
   * comes here, for this process reads none.
   */
  readonly refuse: "asked" | ((program: string) => Diagnostic | undefined);
  /** By default this machine's. */
  readonly sandbox?: PythonSandbox;
  /** The interpreter of a sandbox with files of its own; the environment of `root` if left out. */
  readonly inside?: {
    readonly path: string;
    /** How to mend it where PyMC does not start. */
    readonly remedy: string;
  };
}

const script = extractionScript;
const stdoutBytes = 32 << 20;
const limits = { wallMs: 120_000, cpuSeconds: 90, dataBytes: 3 * 2 ** 30 } as const;

/** Builds models in one cold process each, at the highest level of the sandbox, L2 at least. */
export class PymcFrontEnd implements FrontEnd {
  readonly #slots: Slots;
  readonly #sandbox: PythonSandbox;
  #level: Promise<KernelLevel> | undefined;
  #proof: Promise<void> | undefined;

  constructor(private readonly options: FrontEndOptions) {
    this.#sandbox = options.sandbox ?? thisMachine;
    this.#slots = new Slots(options.slots);
  }

  /**
   * The graph of the program's model, built twice with two placeholders for the response: the two may
   * differ in the observed values alone, and these must be the placeholders. It is built a third time from
   * the rows in another order, for the engine to check whether it distinguishes rows.
   *
   * @param isCalledOff asked when the program's turn has come: then it is not started.
   * @throws MissingPartError if there is no Python environment, or no sandbox for it.
   */
  extract(program: string, dataset: Dataset): Promise<PymcResult>;
  extract(
    program: string,
    dataset: Dataset,
    signal: AbortSignal | undefined,
    isCalledOff: () => boolean,
  ): Promise<PymcResult | undefined>;
  async extract(
    program: string,
    dataset: Dataset,
    signal?: AbortSignal,
    isCalledOff?: () => boolean,
  ): Promise<PymcResult | undefined> {
    const { refuse } = this.options;
    const refused = refuse === "asked" ? undefined : refuse(program);
    if (refused) return notRun(refused);
    const python = this.options.inside?.path ?? findPython(this.options.root);
    const ordered = jobOf(program, dataset);
    const stdin = new TextEncoder().encode(JSON.stringify(ordered.job));
    const level = await (this.#level ??= this.#usableLevel(python));
    const options = { level, script, python, stdin, stdoutBytes, limits, signal };
    const run = await this.#slots.with(async () => {
      signal?.throwIfAborted();
      return isCalledOff?.() ? undefined : await this.#run(options);
    });
    if (!run) return undefined;
    if (run.status === "error") await this.#requirePymc(level, python);
    else if (isUndecided(run.status) && !signal?.aborted) await this.#proveStart(level, python);
    const { attestation, wallMs } = run;
    return {
      level: run.level,
      attestation,
      wallMs,
      ...resultOf(run, ordered),
    };
  }

  /**
   * The level at which models are built. Below L3 there is no private folder to write to, and the
   * interpreter's own may be closed to another user: whether PyMC starts there is tried first.
   *
   * @throws MissingPartError if it does not, or if that is below the minimum.
   */
  async #usableLevel(python: string): Promise<KernelLevel> {
    const level = await this.#sandbox.level();
    const { minimumLevel = "L2" } = this.options;
    if (!reaches(level, minimumLevel)) throw tooLow(level, minimumLevel);
    if (level !== "L3") await this.#requirePymc(level, python);
    return level;
  }

  /**
   * Has an empty program read, once: where that fails, programs do not fail by their own doing.
   *
   * @throws MissingPartError if PyMC does not start.
   */
  #requirePymc(level: KernelLevel, python: string): Promise<void> {
    return this.#proof ??= this.#proveStart(level, python);
  }

  async #proveStart(level: KernelLevel, python: string): Promise<void> {
    const columns = { y: { type: "real", shape: [1] } };
    const job = { program: "", response: "y", columns, placeholders: [[0.5], [0.5]] };
    const stdin = new TextEncoder().encode(JSON.stringify(job));
    const run = await this.#run({ level, script, python, stdin, stdoutBytes, limits });
    if (run.status === "ok") return;
    const said = new TextDecoder().decode(run.stderr).trim().split("\n").at(-1) ?? "";
    throw new MissingPartError(
      `PyMC does not start at level ${level} of the sandbox (${run.status}): ${said.slice(0, 200)}`,
      this.options.inside?.remedy ??
        (level === "L3"
          ? "run `sluice doctor --install-python`"
          : "run `sluice doctor`: level L3, which bubblewrap gives, has a private folder for it"),
    );
  }

  async #run(options: RunPythonOptions): Promise<ProgramRun> {
    for (let left = this.options.retries ?? 1;; left--) {
      const run = await this.#sandbox.run(options);
      const ended = isSandboxFault(run.status) || isUndecided(run.status);
      if (left <= 0 || options.signal?.aborted || !ended) return run;
    }
  }
}

/** True where the sandbox itself failed, whatever the program was: another try may succeed. */
function isSandboxFault(status: ExecutionStatus): boolean {
  return status === "sandbox_error" || status === "sandbox_unavailable";
}

/** True where the clock, memory or a crash ended a program, which it may have meant to happen. */
function isUndecided(status: ProgramRun["status"]): boolean {
  return status !== "ok" && status !== "error" && !isSandboxFault(status);
}

function tooLow(level: KernelLevel, minimum: SandboxLevel): MissingPartError {
  return new MissingPartError(
    `Cannot build models: level ${minimum} of the sandbox is asked for, Python reaches ${level} here`,
    "run `sluice doctor` to see which layer is missing and how to get it",
  );
}

/** Input of the script; the response among the columns has no values. */
export interface ExtractionJob {
  readonly program: string;
  readonly response: string;
  readonly columns: Readonly<Record<string, unknown>>;
  /** Two, so that a graph that depends on them shows it. */
  readonly placeholders: readonly (readonly number[])[];
  /** Beside each of them, the placeholders of columns that depend on the response. */
  readonly masked: readonly MaskedColumns[];
  /** The rows in another order, so that a graph that distinguishes them shows it. */
  readonly reordered?: {
    readonly columns: Readonly<Record<string, unknown>>;
    readonly placeholder: readonly number[];
    readonly masked: MaskedColumns;
  };
}

/** A job, and the order of the rows in its second set of columns. */
interface OrderedJob {
  readonly job: ExtractionJob;
  readonly dataset: Dataset;
  readonly order: Int32Array;
}

function jobOf(program: string, dataset: Dataset): OrderedJob {
  const response = responseColumn(dataset);
  if (!response) throw new Error("internal: a data set without a response");
  const order = cycleOfRows(dataset.rows, [program, dataset.digest]);
  const [first, second, third] = ["first", "second", "third"]
    .map((which) => placeholder(response, [which, program]));
  const job = {
    program,
    response: response.name,
    columns: columnsOf(dataset),
    placeholders: [first, second],
    masked: [
      maskedColumns(dataset, ["first", program]),
      maskedColumns(dataset, ["second", program], true),
    ],
    reordered: {
      columns: columnsOf(rowsInOrder(dataset, order)),
      placeholder: third,
      masked: maskedColumns(dataset, ["third", program]),
    },
  };
  return { job, dataset, order };
}

/** Columns as the script reads them: the response, and those that depend on it, without their values. */
function columnsOf({ columns }: Dataset): Record<string, unknown> {
  return Object.fromEntries(
    columns.filter(({ role }) => role !== "ignore").map((column) => {
      const { name, role, type, values, shape, categories } = column;
      const shaped = { type, shape: shape ?? [values.length], ...(categories && { categories }) };
      return [
        name,
        role === "response" || knowsResponse(column) ? shaped : { ...shaped, values: [...values] },
      ];
    }),
  );
}

/** A text that no process was started for. */
function notRun(refused: Diagnostic): PymcResult {
  const execution = failure("rejected", refused);
  return { ...failed(execution), level: "L2", attestation: "", wallMs: 0 };
}

/** PyMC gives graphs, or fails. */
type PymcResult = Extract<FrontEndResult, { readonly kind: "graph" | "failed" }>;

type Extracted =
  | { readonly kind: "graph"; readonly graph: unknown }
  | { readonly kind: "failed"; readonly execution: Execution };

function resultOf(run: ProgramRun, ordered: OrderedJob): Extracted {
  if (run.status !== "ok") return failed(ended(run));
  const printed = parse(run.stdout);
  if (!isRecord(printed) || printed.format !== 1) return failed(violation("no result"));
  if (typeof printed.unsupported === "string") {
    const code = ruleOf(printed.rule) ?? "unsupported/pymc-graph";
    const hint = typeof printed.hint === "string" ? printed.hint.slice(0, 250) : undefined;
    return rejected(code, `Cannot score the program: ${printed.unsupported.slice(0, 250)}`, hint);
  }
  if (isRecord(printed.failed)) return failedInPython(printed.failed);
  const { job, dataset } = ordered;
  const graphs = Array.isArray(printed.graphs)
    ? printed.graphs.map((graph, i) => unmasked(graph, job.masked[i] ?? {}, dataset))
    : printed.graphs;
  const compared = compareGraphs(graphs, job.placeholders);
  if (compared.kind === "same") {
    return withReordered(compared.graph, printed.reordered, ordered);
  }
  if (compared.kind === "violation") return failed(violation(compared.what));
  return rejected(compared.code, compared.message);
}

/** The graph, and beside it that of the rows in another order, whose response is a placeholder as well. */
function withReordered(
  graph: unknown,
  other: unknown,
  { job: { reordered }, dataset, order }: OrderedJob,
): Extracted {
  if (!isRecord(other)) return failed(violation("no graph of the rows in another order"));
  const made = (reordered: Reordered) => ({
    kind: "graph" as const,
    graph: { ...graph as object, reordered },
  });
  if (typeof other.failed === "string") {
    return made({ order: [...order], failed: other.failed.slice(0, 250) });
  }
  const own = unmasked(other.graph, reordered!.masked, rowsInOrder(dataset, order));
  const compared = compareGraphs([own], [reordered!.placeholder]);
  if (compared.kind === "same") return made({ order: [...order], graph: compared.graph });
  if (compared.kind === "violation") return failed(violation(compared.what));
  return rejected(compared.code, compared.message);
}

const rules = new Set([
  ...["lh/potential", "lh/custom-density", "lh/rescaled-likelihood", "lh/duplicate-observation"],
  ...["lh/unobserved", "lh/second-model", "names/no-model"],
]);

/** The rule that a program breaks, by the report of its own process: only ever a reason to refuse it. */
function ruleOf(rule: unknown): string | undefined {
  return typeof rule === "string" && rules.has(rule) ? rule : undefined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function failedInPython(failed: Record<string, unknown>): Extracted {
  const message = typeof failed.message === "string" ? failed.message.slice(0, 500) : "an error";
  const line = Number.isSafeInteger(failed.line) ? failed.line as number : undefined;
  const code = failed.kind === "syntax" ? "syntax/python" : "names/python-exception";
  const where = line === undefined ? "" : ` in line ${line}`;
  return rejected(code, `PyMC cannot build the model${where}: ${message}`);
}

function rejected(code: string, message: string, hint?: string): Extracted {
  const diagnostic: Diagnostic = { code, severity: "error", message, ...(hint && { hint }) };
  return failed(failure("rejected", diagnostic));
}

function failed(execution: Execution): Extracted {
  return { kind: "failed", execution };
}

function ended({ status }: ProgramRun): Execution {
  const message = `PyMC did not build the model: ${status}`;
  if (status === "error") {
    return failure("error", { code: "budget/python-error", severity: "error", message });
  }
  const found = isSandboxFault(status) ? status as Execution["status"] : "undecided";
  return failure(found, { code: `exec/${status}`, severity: "error", message });
}

function violation(what: string): Execution {
  const message = `PyMC's process did not keep to the protocol: ${what}`;
  return failure("error", { code: "budget/python-protocol", severity: "error", message });
}

function failure(status: Execution["status"], diagnostic: Diagnostic): Execution {
  return {
    status,
    ...(isSettled(status) ? { failureClass: classOfDiagnostics([diagnostic]) } : {}),
    engine: "pymc",
    engineVersion: frontEndDigest().slice(0, 12),
    diagnostics: [diagnostic],
  };
}
