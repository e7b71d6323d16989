/** Bench of the memo: a million entries, opened, read one by one and held; and runs begun together. */
import { join } from "node:path";
import { sha256 } from "../src/base/digest.ts";
import { openSealer } from "../src/base/seal.ts";
import { defaultSchedule } from "../src/engine/score/execution/execution.ts";
import { encodeLine } from "../src/executor/memo/line.ts";
import { Memo, type MemoKey } from "../src/executor/memo/memo.ts";
import { SegmentWriter } from "../src/executor/memo/segment_writer.ts";
import type { ExecutionOutcome } from "../src/executor/worker_process.ts";

const key: MemoKey = { datasetDigest: "bench", engineDigest: "bench", schedule: defaultSchedule };

/** Entries in a segment, as the runs of a project would have left them. */
const perSegment = 125_000;

/**
 * `deno task bench memo [entries]`: makes a memo in a temporary folder, then measures in processes
 * of their own how long it takes to open, how much memory that takes, and how long an entry takes.
 */
export async function benchMemo([entries = "1000000", ...rest]: readonly string[]): Promise<void> {
  if (entries === "open") return measure(rest[0], Number(rest[1]));
  const root = await Deno.makeTempDir({ prefix: "sluice-memo-" });
  try {
    const [folder, count] = [root, Number(entries)];
    const began = performance.now();
    fill(folder, count);
    const made = (performance.now() - began) / count;
    console.log(`${count} entries made, ${made.toFixed(3)} ms each, seals included`);
    for (let i = 0; i < 3; i++) await open(folder, count);
    for (const { name } of Deno.readDirSync(Memo.open(folder, key).folder)) {
      if (name.endsWith(".index")) Deno.removeSync(join(Memo.open(folder, key).folder, name));
    }
    console.log("without any index:");
    await open(folder, count);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function fill(root: string, count: number): void {
  const [sealer, { folder, name }] = [openSealer(root), Memo.open(root, key)];
  for (let first = 0; first < count; first += perSegment) {
    const writer = SegmentWriter.create(folder, `BENCH${String(first).padStart(12, "0")}`);
    for (let i = first; i < Math.min(count, first + perSegment); i++) {
      const hash = sha256(`program ${i}`);
      writer.append(hash, encodeLine(name, hash, outcome(i), sealer));
    }
    writer.close();
  }
}

/** A process of its own, so that nothing is warm but the disk. */
async function open(root: string, count: number): Promise<void> {
  const main = new URL("main.ts", import.meta.url).pathname;
  const args = ["run", "--allow-all", main, "memo", "open", root, String(count)];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  console.log(new TextDecoder().decode(stdout).split("\n").slice(1).join("\n").trim());
}

function measure(root: string, count: number): void {
  const began = performance.now();
  const memo = Memo.open(root, key);
  const opened = performance.now() - began;
  const peak = peakMiB();
  const times = Array.from({ length: 2000 }, (_, i) => {
    const hash = sha256(`program ${(i * 7919) % count}`);
    const start = performance.now();
    if (!memo.get(hash)) throw new Error("an entry is missing");
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const [median, late] = [times[1000], times[1980]].map((ms) => ms.toFixed(3));
  console.log(
    `${memo.size} entries: open ${
      opened.toFixed(0)
    } ms, peak ${peak} MiB of the process; an entry ` +
      `${median} ms (median), ${late} ms (99 %)`,
  );
  memo.close();
}

/** Peak resident memory of this process, MiB (Linux's VmHWM). */
function peakMiB(): number {
  const [, kib] = /VmHWM:\s*(\d+)/.exec(Deno.readTextFileSync("/proc/self/status")) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** An outcome with 27 rows, about as long as those of the shipped pipelines. */
function outcome(i: number): ExecutionOutcome {
  const elpdPointwise = Array.from({ length: 27 }, (_, row) => -1 - ((i + row) % 97) / 97);
  const elpdLoo = elpdPointwise.reduce((sum, term) => sum + term, 0);
  const score = {
    ...{ elpdLoo, elpdReward: elpdLoo, elpdRaw: elpdLoo, looMethod: "psis" as const },
    ...{ unit: "row" as const, se: 1.2345, pLoo: 3.2, mcse: 0.0123, goodK: 0.67, elpdPointwise },
    ...{ paretoK: elpdPointwise.map((term) => term / 7), exactRefits: [], unresolved: [] },
    ...{ cappedPoints: 0, gradients: 12345, chains: 4, tune: 100, draws: 125, params: {} },
  };
  const programHash = sha256(`graph ${i}`);
  const [status, engine, engineVersion] = ["ok" as const, "native", "12"];
  const execution = { status, engine, engineVersion, programHash, score, diagnostics: [] };
  return { execution, wallMs: 20, cpuMs: 18, maxRssKib: 100_000, level: "L3" };
}
