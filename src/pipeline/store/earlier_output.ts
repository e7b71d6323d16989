/** Looks up what `run:ID/stage.port` and `run:ID/loop.port@step` mean: an output of an earlier run. */
import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";
import { isUlid } from "../basics/ulid.ts";
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { FingerprintStore } from "./fingerprints.ts";
import type { ObjectStore } from "./objects.ts";
import { checkpointKey, type RecordedStage, stagesOfRun } from "./run_stages.ts";

/** An output of an earlier run. */
export interface EarlierOutput {
  /** `run:01J…/train`. */
  readonly stage: string;
  /** `policy`, or `policy@500`. */
  readonly port: string;
  /** Name of the port's type. */
  readonly type: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
}

/** Why there is no such output, and how to mend it. */
export interface NoOutput {
  readonly reason: string;
  readonly hint: string;
}

/** Beginning of every wire to an earlier run. */
export const earlierPrefix = "run:";

/** The output that a wire to an earlier run means; nothing is written. */
export function findEarlier(root: string, text: string): EarlierOutput | NoOutput {
  const { runId, stage, port, step } = parseEarlier(text);
  if (!isUlid(runId)) return notOfTheForm(runId);
  const stages = stagesOfRun(root, runId);
  if (!stages) return { reason: `there is no run ${runId} here`, hint: "see sluice runs" };
  const found = stages.find((one) => one.stage === stage);
  const names = stages.map((one) => one.stage).join(", ") || "none: it is still written";
  if (!found?.fingerprint) {
    return { reason: `run ${runId} has no stage "${stage}"`, hint: `its stages: ${names}` };
  }
  return outputOf(root, runId, found as DoneStage, port, step);
}

/** Puts a state that a wire names into the object store; other outputs lie there already. */
export function bringEarlier(root: string, text: string, objects: ObjectStore): void {
  const { runId, stage, port = "", step } = parseEarlier(text);
  const found = stagesOfRun(root, runId)?.find((one) => one.stage === stage);
  if (!found?.fingerprint || step === undefined) return;
  const bytes = statePart(checkpointsOf(root).at(keyOf(found as DoneStage), step), port);
  if (bytes) objects.put(bytes);
}

/** `run:ID/stage.port@step`; the step may be left out, and the port where there is one. */
function parseEarlier(text: string) {
  const [, runId = "", stage = "", port, at] =
    /^run:([^/]+)\/(.+?)(?:\.([A-Za-z0-9_]+))?(?:@([0-9]+))?$/.exec(text) ?? [];
  return { runId, stage, port, step: at === undefined ? undefined : Number(at) };
}

function checkpointsOf(root: string): Checkpoints {
  return new Checkpoints(join(root, ".sluice", "checkpoints"));
}

function keyOf({ stage, fingerprint }: DoneStage): string {
  return checkpointKey(stage, fingerprint);
}

type DoneStage = RecordedStage & { readonly fingerprint: string };

function notOfTheForm(runId: string): NoOutput {
  const reason = runId === "last" || runId === "live"
    ? `"${runId}" is another run tomorrow`
    : "that names no run";
  return { reason, hint: 'write "run:ID/stage.port", with the whole ID that sluice runs prints' };
}

function outputOf(
  root: string,
  runId: string,
  stage: DoneStage,
  named: string | undefined,
  step: number | undefined,
): EarlierOutput | NoOutput {
  const types = portTypes(root, stage.fingerprint);
  if (!types) {
    const hint = `bring it back: sluice run its pipeline, with the settings of run ${runId}`;
    return { reason: `the result of its stage "${stage.stage}" is not here`, hint };
  }
  const ports = [...types.keys()];
  const port = named ?? (ports.length === 1 ? ports[0] : undefined);
  const type = port === undefined ? undefined : types.get(port);
  if (port === undefined || type === undefined) {
    const reason = `"${stage.stage}" of run ${runId} has no output "${named ?? ""}"`;
    return { reason, hint: `its outputs: ${ports.join(", ") || "none"}` };
  }
  const from = { stage: `${earlierPrefix}${runId}/${stage.stage}`, type };
  if (step !== undefined) return stateOf(root, stage, port, step, from);
  const digest = stage.outputs[port];
  if (digest !== undefined) return { ...from, port, digest };
  const hint = "name a step that is kept: @500, see keep_every";
  return { reason: `stage "${stage.stage}" of run ${runId} did not finish`, hint };
}

/** Types of the outputs of a stage that is done, by port. */
function portTypes(root: string, fingerprint: string): Map<string, string> | undefined {
  const meta = new FingerprintStore(root).get(fingerprint)?.meta;
  if (!isRecord(meta) || !Array.isArray(meta.outputs)) return undefined;
  const outputs = meta.outputs as unknown as readonly { port: string; type: string }[];
  return new Map(outputs.map(({ port, type }) => [port, type]));
}

function stateOf(
  root: string,
  stage: DoneStage,
  port: string,
  step: number,
  from: Pick<EarlierOutput, "stage" | "type">,
): EarlierOutput | NoOutput {
  const checkpoints = checkpointsOf(root);
  const bytes = statePart(checkpoints.at(keyOf(stage), step), port);
  if (bytes) return { ...from, port: `${port}@${step}`, digest: sha256(bytes) };
  const kept = checkpoints.steps(keyOf(stage)).toReversed();
  const known = kept.length > 0 ? `steps that are kept: ${kept.join(", ")}` : "none is kept";
  return {
    reason: `nothing is kept of "${stage.stage}" at step ${step}`,
    hint: `${known}; keep_every = N of a loop keeps every N-th, once it runs`,
  };
}

function statePart(checkpoint: Checkpoint | undefined, port: string): Uint8Array | undefined {
  let at = 0;
  for (const { name, bytes } of checkpoint?.parts ?? []) {
    if (name === `state:${port}`) return checkpoint!.payload.subarray(at, at + bytes);
    at += bytes;
  }
}
