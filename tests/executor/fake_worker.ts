/** A worker with a toy engine: the program's text says which good or bad thing it does. */
import type { Dataset } from "../../src/base/dataset.ts";
import { serve } from "../../src/executor/worker_serve.ts";
import type { Job } from "../../src/executor/messages.ts";
import type { Execution, Schedule } from "../../src/engine/score/execution/execution.ts";

const { exit, stdout, stderr } = Deno;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function scored(elpdLoo: number, dataset: Dataset, schedule: Schedule): Execution {
  const score = {
    ...{ elpdLoo, elpdReward: elpdLoo, elpdRaw: elpdLoo, looMethod: "psis", unit: "row" } as const,
    ...{ unresolved: [], se: 1, pLoo: 1, mcse: 0.01, goodK: 0.7, cappedPoints: 0 },
    elpdPointwise: dataset.columns[0].values.length > 0 ? [elpdLoo] : [],
    ...{ paretoK: [NaN], exactRefits: [], rhatMax: Infinity, essBulkMin: 400, divergences: 0 },
    ...{ gradients: 10, chains: schedule.chains, tune: schedule.tune, draws: schedule.draws },
    params: {},
  };
  return { status: "ok", engine: "fake", engineVersion: "1", score, diagnostics: [] };
}

const rejected: Execution = {
  ...{ status: "rejected", failureClass: "syntax", engine: "fake", engineVersion: "1" },
  diagnostics: [{ code: "syntax/invalid", severity: "error", message: "no" }],
};

const deeds: Record<string, () => Generator<void, Execution | undefined> | undefined> = {
  *spin() {
    for (;;) yield;
  },
  block() {
    for (;;);
  },
  *slow(): Generator<void, undefined> {
    const end = performance.now() + 20;
    while (performance.now() < end) yield;
  },
  throw() {
    throw new Error("internal: a bug");
  },
  exit: () => exit(0),
  fail: () => exit(3),
  abort() {
    stderr.writeSync(bytes("fatal: out of memory\n"));
    exit(1);
  },
  garbage() {
    stdout.writeSync(bytes("not a frame\n"));
  },
  stderr() {
    stderr.writeSync(bytes("x".repeat(100_000)));
    for (;;);
  },
  heap() {
    const hoard: number[][] = [];
    for (;;) hoard.push(new Array(10_000).fill(hoard.length + 0.5));
  },
  buffers() {
    const hoard: Uint8Array[] = [];
    for (;;) hoard.push(new Uint8Array(64 << 20).fill(1));
  },
  wasm() {
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    new WebAssembly.Instance(new WebAssembly.Module(empty));
    return undefined;
  },
  globals() {
    const names = ["Deno", "fetch", "Worker", "localStorage", "caches", "navigator", "eval"];
    const left = names.filter((name) => (globalThis as Record<string, unknown>)[name]);
    if (left.length > 0) throw new Error(`left: ${left}`);
    return undefined;
  },
};

function* score(
  { program }: Job,
  dataset: Dataset,
  schedule: Schedule,
): Generator<void, Execution> {
  const [word, value] = program.split(" ");
  if (word === "reject") return rejected;
  if (word === "claim") return { ...rejected, status: value as Execution["status"] };
  if (word === "flood") return { ...rejected, failureClass: "x".repeat(2 << 20) };
  const deed = deeds[word]?.();
  if (deed) yield* deed as Generator<void, Execution>;
  yield;
  return scored(word === "score" ? Number(value ?? 0) : 0, dataset, schedule);
}

serve(function* (job, dataset, schedule) {
  return { execution: yield* score(job, dataset, schedule) };
});
