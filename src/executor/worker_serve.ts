/** The loop of a worker: hello, setup, then one answer per job, until the supervisor is gone. */
import type { Dataset } from "../base/dataset.ts";
import { datasetFromJson } from "../base/dataset.ts";
import type { Schedule } from "../engine/score/execution/mod.ts";
import { encodeExecution } from "./execution_json.ts";
import type { ByteSource } from "../base/frames.ts";
import { FrameReader, FrameWriter } from "../base/frames.ts";
import type { Job, JobMessage, SetupMessage } from "./messages.ts";
import { launchedArgument } from "../sandbox/inside/mod.ts";
import { cpuLimitFault, workerInputCaps } from "./messages.ts";
import { lockDown, probe } from "./worker_lockdown.ts";
import type { Answer } from "./worker_answers.ts";
import { inputOf, outputOf } from "./worker_pipes.ts";

/** Answers a job step by step, so that the worker can look up from its work. */
type AnswerSteps = (
  job: Job,
  dataset: Dataset,
  schedule: Schedule,
) => Generator<void, Answer>;

/** Milliseconds of computing after which the worker looks whether its supervisor still lives. */
const lookUpEvery = 25;

/** Serves jobs until stdin ends; a worker whose supervisor was killed is gone within moments. */
export async function serve(steps: AnswerSteps): Promise<void> {
  const { args, exit, stdin, stdout, version, memoryUsage } = Deno;
  const cpuMicros = cpuClock();
  Deno.addSignalListener("SIGINT", () => {}); // Ctrl-C is the supervisor's to answer
  await undefined; // leaves the script's outermost function: an error's trace would parse it again
  const writer = new FrameWriter(outputOf(stdout));
  const frames = queueFrames(inputOf(stdin), () => exit(0));
  const probes = await probe(args.includes(launchedArgument));
  await writer.write({ kind: "hello", denoVersion: version.deno, probes });
  lockDown();
  const setup = await frames() as SetupMessage;
  const dataset = datasetFromJson(setup.dataset);
  for (;;) {
    const job = await frames() as JobMessage;
    const before = cpuMicros();
    const overdue = () => (cpuMicros() - before) / 1000 > setup.cpuMs;
    const { payload, ...rest } = await runJob(
      () => steps(job, dataset, job.schedule ?? setup.schedule),
      overdue,
    );
    const cpuMs = Math.round((cpuMicros() - before) / 1000);
    const rssKib = Math.round(memoryUsage().rss / 1024);
    if (!(await writer.write({ ...rest, id: job.id, cpuMs, rssKib }, payload))) exit(0);
  }
}

/** CPU microseconds of this process; `Deno.cpuUsage` is what `process.cpuUsage` rests on. */
function cpuClock(): () => number {
  const { cpuUsage } = Deno as unknown as { cpuUsage(): { user: number; system: number } };
  return () => {
    const { user, system } = cpuUsage();
    return user + system;
  };
}

/** A frame without its number and cost. */
type Reply =
  & ({ readonly kind: "result"; readonly execution: unknown } | {
    readonly kind: "fault";
    readonly message: string;
  })
  & { readonly payload?: Uint8Array };

async function runJob(
  steps: () => Generator<void, Answer>,
  overdue: () => boolean,
): Promise<Reply> {
  try {
    const answer = await drive(steps(), overdue);
    if (!answer) return fault(`${cpuLimitFault}the program used it up`);
    const { execution, payload } = answer;
    return { kind: "result", execution: encodeExecution(execution), ...(payload && { payload }) };
  } catch (error) {
    const message = error instanceof Error ? error.stack ?? error.message : `${error}`;
    return fault(message.slice(0, 4096));
  }
}

const fault = (message: string) => ({ kind: "fault", message }) as const;

/** Undefined if the program's CPU time ran out. */
async function drive(
  steps: Generator<void, Answer>,
  overdue: () => boolean,
): Promise<Answer | undefined> {
  let looked = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - looked < lookUpEvery) continue;
    if (overdue()) return undefined;
    await macrotask();
    looked = performance.now();
  }
}

/** Taken before the globals are deleted. */
const { stderr } = Deno;
const nothing = new Uint8Array(0);

/**
 * One turn of the event loop: the only moment at which the end of stdin can be noticed. To write
 * nothing takes some 20 µs; a timer would wait for 2 ms, and `setTimeout` and `setImmediate` both
 * make Deno load Node's timers first, for 5 ms of CPU time.
 */
async function macrotask(): Promise<void> {
  await stderr.write(nothing);
}

/** Reads frames ahead of the work, so that the end of the stream is seen while computing. */
function queueFrames(
  input: ByteSource,
  onEnd: () => void,
): () => Promise<unknown> {
  const reader = new FrameReader(input, workerInputCaps);
  const waiting: unknown[] = [];
  let wake = () => {};
  const pump = async () => {
    for (;;) {
      const read = await reader.read();
      if (read.kind !== "frame") return onEnd();
      waiting.push(read.frame.json);
      wake();
    }
  };
  pump();
  return async () => {
    while (waiting.length === 0) await new Promise<void>((resolve) => wake = resolve);
    return waiting.shift();
  };
}
