/** Fuzzing with seeds: frames as bytes, executions as JSON, system calls from inside. */
import assert from "node:assert/strict";
import { Mulberry } from "./mulberry.ts";
import { decodeExecution, encodeExecution } from "../../src/executor/execution_json.ts";
import { encodeFrame, FrameReader } from "../../src/base/frames.ts";
import type { KernelLevel } from "../../src/sandbox/attestation.ts";
import { pythonProgram } from "../../src/sandbox/python_program.ts";
import { runProgram } from "../../src/sandbox/run_program.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import type { Execution } from "../../src/engine/score/execution/execution.ts";
import { attackFile } from "./catalogue.ts";
import { HostFixture } from "./host_fixture.ts";
import { smallLimits } from "./python_run.ts";

const caps = { json: 4096, payload: 4096 };

/**
 * A stream of frames with a few bytes changed, cut into random chunks: the reader says frame, end or
 * fault, never throws, never holds more than a frame and a chunk, and repeats its first fault.
 */
export async function fuzzFrames(seed: number): Promise<void> {
  const random = new Mulberry(seed);
  const frames = Array.from({ length: random.below(6) }, () => randomFrame(random));
  const bytes = mutate(concat(frames), random);
  const reader = new FrameReader(chunked(bytes, random), caps);
  let last = await reader.read();
  for (let i = 0; last.kind === "frame"; i++) {
    assert.ok(i <= bytes.length, `seed ${seed}: more frames than bytes`);
    assert.ok((last.frame.payload?.length ?? 0) <= caps.payload);
    last = await reader.read();
  }
  const again = await reader.read();
  assert.deepEqual(again, last, `seed ${seed}`);
}

/** An execution with a part of its JSON exchanged decodes to one that says the same, or to none. */
export function fuzzExecution(seed: number): void {
  const random = new Mulberry(seed);
  const json = JSON.parse(JSON.stringify(encodeExecution(example)));
  for (let i = 0; i <= random.below(3); i++) exchange(json, random);
  const decoded = decodeExecution(JSON.parse(JSON.stringify(json)));
  if (!decoded) return;
  assert.equal(decoded.status === "ok", decoded.score !== undefined, `seed ${seed}`);
  if (decoded.score) assert.ok(Number.isFinite(decoded.score.elpdLoo), `seed ${seed}`);
  assert.deepEqual(decodeExecution(encodeExecution(decoded)), decoded, `seed ${seed}`);
}

/** Random system calls from inside: however they end, nothing on the host is touched. */
export async function fuzzCalls(seed: number, level: KernelLevel, count: number): Promise<void> {
  const host = await HostFixture.open();
  try {
    await host.hits();
    const script = attackFile("random_calls.py");
    const limits = { ...smallLimits, wallMs: 5000 };
    const options = { script, arguments: [`${seed}`, `${count}`], limits };
    const program = pythonProgram({ ...options, python: "/usr/bin/python3" }, level);
    const { status } = await runProgram(program, level, await requireHost());
    assert.notEqual(status, "sandbox_error", `seed ${seed}`);
    assert.equal(await host.hits(), 0, `seed ${seed}`); // throws if the victim is dead
    assert.equal(Deno.readTextFileSync(`${host.facts.folder}/secret.key`), host.facts.token);
  } finally {
    await host.close();
  }
}

const example: Execution = {
  ...{ status: "ok", engine: "native", engineVersion: "1", programHash: "00", diagnostics: [] },
  score: {
    ...{ elpdReward: -1, looMethod: "psis", unit: "row", unresolved: [] } as const,
    ...{ elpdLoo: -1, elpdRaw: -1, se: 1, pLoo: 1, mcse: 0.1, goodK: 0.7, rhatMax: 1 },
    ...{ essBulkMin: 400, cappedPoints: 0, divergences: 0, gradients: 9, chains: 4, tune: 100 },
    ...{ draws: 125, elpdPointwise: [-0.5, -0.5], paretoK: [0.1, NaN], exactRefits: [1] },
    params: {},
  },
};

const oddities = [null, true, -1, 1.5, 1e308, "NaN", "Infinity", "", [], {}, [[]], "\ud800"];

/** Puts something odd in a random place of a JSON value. */
function exchange(json: Record<string, unknown>, random: Mulberry): void {
  let place: Record<string, unknown> = json;
  for (;;) {
    const keys = Object.keys(place);
    if (keys.length === 0) return;
    const key = keys[random.below(keys.length)];
    const value = place[key];
    if (typeof value === "object" && value !== null && random.below(3) > 0) {
      place = value as Record<string, unknown>;
    } else {
      if (random.below(4) === 0) delete place[key];
      else place[key] = structuredClone(oddities[random.below(oddities.length)]);
      return;
    }
  }
}

function randomFrame(random: Mulberry): Uint8Array {
  const text = "x".repeat(random.below(200));
  const payload = random.below(2) === 0 ? undefined : new Uint8Array(random.below(300));
  return encodeFrame({ kind: "result", id: random.below(9), text }, payload);
}

/** Flips, inserts, removes or repeats bytes; or leaves all as it is. */
function mutate(bytes: Uint8Array, random: Mulberry): Uint8Array {
  const list = [...bytes];
  for (let i = random.below(4); i > 0 && list.length > 0; i--) {
    const at = random.below(list.length);
    const kind = random.below(4);
    if (kind === 0) list[at] = random.below(256);
    else if (kind === 1) list.splice(at, 0, random.below(256));
    else if (kind === 2) list.splice(at, 1 + random.below(20));
    else list.splice(at, 0, ...list.slice(at, at + random.below(40)));
  }
  return Uint8Array.from(list);
}

function chunked(bytes: Uint8Array, random: Mulberry): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = 1 + random.below(100);
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
