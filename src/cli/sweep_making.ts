/** Makes or grows the sweep that a command line asks for: reads the pipeline, tries its values. */
import { relative, resolve } from "node:path";
import type { Json } from "../base/canonical_json.ts";
import { type Diagnostic, InputError, inputError } from "../base/diagnostic.ts";
import { digestOf } from "../base/digest.ts";
import {
  countPoints,
  frozenInputs,
  growSweep,
  makeSweep,
  sweptPoints,
  wantedEnd,
} from "../experiments/mod.ts";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import { projectRootOf } from "../pipeline/project/mod.ts";
import type { PointValues, SweepFile } from "../pipeline/store/mod.ts";
import type { Terminal } from "../report/terminal.ts";
import { readPipeline } from "./pipeline_arguments.ts";
import { pipelineOfPoint, textsOf } from "./sweep_runner.ts";

type Halving = NonNullable<NonNullable<ResolvedPipeline["sweep"]>["halving"]>;

/** Flags of the command line. */
interface AskedSweep {
  readonly path: string;
  readonly overlays: readonly string[];
  readonly sets: readonly string[];
  readonly into?: string;
  readonly yes?: true;
}

/** Points that are made without a question, and at most. */
const [fewPoints, mostPoints] = [10_000, 1_000_000];

/** Settings that are resolved before the sweep is written. */
const mostTried = 200;

/** @throws InputError with everything that is wrong with the pipeline, or with a value of a point. */
export async function makeSweepOf(asked: AskedSweep, terminal: Terminal): Promise<SweepFile> {
  const { path, overlays, sets, into } = asked;
  const pipeline = await readPipeline({ path, overlays, sets: [] });
  const root = projectRootOf(pipeline.absolutePath);
  confirmSize(countPoints(pipeline.sweep, sets), asked, terminal);
  const { points, fixed } = sweptPoints(pipeline.sweep, sets);
  const inProject = (file: string) => relative(root, resolve(file));
  const sweep = {
    pipeline: relative(root, pipeline.absolutePath),
    overlays: overlays.map((one) => inProject(one.replace(/^@/, ""))),
    sets: fixed,
    texts: await textsOf(root, pipeline),
    points,
    ...pipeline.sweep?.halving && { halving: halvingOf(pipeline.sweep.halving) },
  };
  const tried: SweepFile = { format: 1, sweep: "", made_at: "", ...sweep };
  await tryPoints(root, tried);
  const frozen = { ...sweep, ...await inputsOf(root, tried, terminal) };
  return into === undefined
    ? makeSweep(root, pipeline.name, frozen)
    : growSweep(root, into, frozen);
}

function halvingOf(
  { steps: path, measure, want = wantedEnd(measure), ...rest }: Halving,
): NonNullable<SweepFile["halving"]> {
  return { ...rest, measure, want, path };
}

/** Data and code of the first point, as they are. */
async function inputsOf(root: string, sweep: SweepFile, terminal: Terminal) {
  const { lockOf } = await import("../pipeline/run/mod.ts");
  const { runOptions } = await import("./run_and_report.ts");
  const pipeline = await pipelineOfPoint(root, sweep, sweep.points[0]);
  const lock = await lockOf(pipeline, runOptions(pipeline, terminal, {}));
  return { lock: digestOf(lock as unknown as Json), inputs: frozenInputs(lock) };
}

/** @throws InputError `sweep/too-large` unless the user confirms. */
function confirmSize(points: number, { yes, sets }: AskedSweep, terminal: Terminal): void {
  const many = points.toLocaleString("en");
  if (points > mostPoints) {
    const hint = `a sweep has at most ${
      mostPoints.toLocaleString("en")
    }: draw some with [sweep.random]`;
    throw inputError("sweep/too-large", `Cannot make a sweep of ${many} points`, undefined, hint);
  }
  if (points <= fewPoints || yes) return;
  if (terminal.live && Deno.stdin.isTerminal() && confirm(`Make ${many} points?`)) return;
  const hint = `say --yes if you mean it; ${sets.join(" ")}`.trim();
  throw inputError("sweep/too-large", `Cannot make ${many} points unasked`, undefined, hint);
}

/** Resolves points until each value of each path was tried once. @throws InputError with all that is wrong. */
async function tryPoints(root: string, sweep: SweepFile): Promise<void> {
  const seen = new Set<string>();
  const found = new Map<string, Diagnostic>();
  let tried = 0;
  for (const values of sweep.points) {
    const fresh = keysOf(values).filter((key) => !seen.has(key));
    if (fresh.length === 0 || tried++ >= mostTried) continue;
    fresh.forEach((key) => seen.add(key));
    for (const one of await findingsOf(root, sweep, values)) found.set(JSON.stringify(one), one);
  }
  if (found.size > 0) throw new InputError([...found.values()]);
}

async function findingsOf(
  root: string,
  sweep: SweepFile,
  values: PointValues,
): Promise<readonly Diagnostic[]> {
  try {
    await pipelineOfPoint(root, sweep, values);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.diagnostics;
    throw error;
  }
}

function keysOf(values: PointValues): string[] {
  return Object.entries(values).filter(([path]) => path !== "seed")
    .map((entry) => JSON.stringify(entry));
}
