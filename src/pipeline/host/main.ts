/** The main module of a stage's process: reads the job, runs the stage or the loop, sends outputs. */
import "./console.ts";
import "./no_storage.ts";
import { declarationToJson } from "../read/declaration.ts";
import type { ArtifactPart, FromStage, StageJob, ToStage, UnitJob } from "../process/messages.ts";
import { splitParts, stageFrameCaps } from "../process/messages.ts";
import { joinParts } from "../../base/join_parts.ts";
import { FrameReader, FrameWriter } from "../../base/frames.ts";
import { Host, stageContext } from "./context.ts";
import type { EntryImports } from "./kinds.ts";
import { ImportedKinds, kindOf } from "./kinds.ts";
import { faultOf, Link } from "./link.ts";
import { LoopRun } from "./loop.ts";
import { WireValues } from "./wire_values.ts";

/** Runs the job that arrives on stdin, and ends the process. */
export async function hostStage(imports: EntryImports): Promise<never> {
  const link = new Link();
  const { job, payload } = await link.job();
  link.listen();
  const kinds = new ImportedKinds(imports);
  const host = new Host(link, job.name, job.seed, kinds.plugins);
  try {
    const lengths = [...job.artifacts, ...job.resume?.parts ?? []].map((part) => part.bytes);
    const parts = splitParts(payload, lengths);
    const ask = (service: string, request: Readonly<Record<string, unknown>>) =>
      host.ask<unknown>({ stage: job.name, step: 0, service }, request);
    const values = new WireValues(kinds, job, parts.slice(0, job.artifacts.length), ask);
    if (job.loop) await runLoop(host, kinds, job, values, parts.slice(job.artifacts.length));
    else await runUnit(host, kinds, job.unit!, values);
  } catch (error) {
    host.flushRows();
    link.send({ type: "failed", fault: faultOf(error, job.name) });
    await link.flush();
    Deno.exit(1);
  }
  await link.flush();
  Deno.exit(0);
}

async function runUnit(
  host: Host,
  kinds: ImportedKinds,
  unit: UnitJob,
  values: WireValues,
): Promise<void> {
  host.link.onStop = () => {
    host.link.send({ type: "stopped", step: 0 });
    host.link.flush().then(() => Deno.exit(0));
  };
  if (host.link.stopping) host.link.onStop();
  const kind = kinds.kind(unit.kind);
  const instance = kind.open(await kind.params.parseAsync(unit.params));
  const context = stageContext(host, unit, { step: 0, steps: 1 }, kind);
  const given: unknown = await instance.run(context, await values.inputs(unit));
  const outputs = (given ?? {}) as Record<string, unknown>;
  const ports = Object.entries(kind.outputs).filter(([name]) => outputs[name] !== undefined);
  const missing = Object.entries(kind.outputs).find(([name, port]) =>
    outputs[name] === undefined && !port.optional
  );
  if (missing) throw new Error(`stage "${unit.name}" gave no value for its output "${missing[0]}"`);
  const encoded: [string, string, Uint8Array][] = [];
  for (const [name, { type }] of ports) {
    encoded.push([name, type.name, await type.encode(outputs[name])]);
  }
  instance.dispose?.();
  sendDone(host, encoded);
}

async function runLoop(
  host: Host,
  kinds: ImportedKinds,
  job: StageJob,
  values: WireValues,
  resumed: readonly Uint8Array[],
): Promise<void> {
  const loop = new LoopRun(host, kinds, job.loop!, values);
  await loop.open(job.resume && { ...job.resume, bytes: resumed });
  const outputs = await loop.run();
  if (outputs) sendDone(host, outputs);
  else host.link.send({ type: "stopped", step: loop.step });
}

/** Outputs are `[port, type, bytes]`. */
function sendDone(host: Host, outputs: readonly (readonly [string, string, Uint8Array])[]): void {
  host.flushRows();
  const parts: ArtifactPart[] = outputs.map(([key, type, { length }]) => ({
    key,
    type,
    bytes: length,
  }));
  const maxRssKib = Math.round(Deno.memoryUsage().rss / 1024);
  const payload = joinParts(outputs.map(([, , bytes]) => bytes));
  host.link.send({ type: "done", outputs: parts, maxRssKib }, payload);
}

/** Checks the stages that a message names, answers with what was found, and ends the process. */
export async function checkStages(imports: EntryImports): Promise<never> {
  const { findingsOf } = await import("./check.ts");
  const reader = new FrameReader(Deno.stdin.readable, stageFrameCaps);
  const writer = new FrameWriter(Deno.stdout.writable);
  const read = await reader.read();
  const message = read.kind === "frame" ? read.frame.json as ToStage : undefined;
  if (message?.type !== "check") Deno.exit(70);
  const findings = await findingsOf(new ImportedKinds(imports), message.job);
  await writer.write({ type: "checked", findings });
  Deno.exit(0);
}

/** Prints the declaration of the only kind, or why there is none, and ends the process. */
export async function describeStage(imports: EntryImports): Promise<never> {
  const writer = new FrameWriter(Deno.stdout.writable);
  const module = Object.values(imports.kinds)[0];
  const kind = module && kindOf(module);
  try {
    if (!kind) throw new TypeError(wanted(module));
    await writer.write({ type: "described", declaration: declarationToJson(kind) });
  } catch (error) {
    await writer.write({ type: "failed", fault: faultOf(error) });
  }
  Deno.exit(0);
}

function wanted(module: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(module);
  const found = names.length > 0 ? `its exports are ${names.join(", ")}` : "it exports nothing";
  return `expected a stage kind, made by defineStage(), as the default export or as "stage"; ${found}`;
}

/** Answers what the runner asks of the only module's default export, until the runner ends. */
export async function answerAsks(imports: EntryImports): Promise<never> {
  const reader = new FrameReader(Deno.stdin.readable, stageFrameCaps);
  const writer = new FrameWriter(Deno.stdout.writable);
  const plugin = Object.values(imports.kinds)[0].default as Partial<AnswersAsks> | undefined;
  for (;;) {
    const read = await reader.read();
    const message = read.kind === "frame" ? read.frame.json as ToStage : undefined;
    if (message?.type !== "call") Deno.exit(0);
    await writer.write(await answerTo(message.ask, plugin));
  }
}

/** A default export that answers. */
interface AnswersAsks {
  answer(ask: unknown): unknown;
}

async function answerTo(
  ask: unknown,
  plugin: Partial<AnswersAsks> | undefined,
): Promise<FromStage> {
  try {
    if (typeof plugin?.answer !== "function") {
      throw new TypeError("its default export does not answer");
    }
    return { type: "result", value: await plugin.answer(ask) };
  } catch (error) {
    return { type: "failed", fault: faultOf(error) };
  }
}
