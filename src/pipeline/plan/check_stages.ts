/** Checks the stages of a pipeline before any of them runs, in one confined process. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { refuseLinksOutside } from "../../base/regular_file.ts";
import { readTrust } from "../../base/trust.ts";
import { findSluiceHome, projectLayout, type SluiceHome } from "../project/project.ts";
import { paramsByPath } from "./fingerprint.ts";
import { kindKey } from "./preparation.ts";
import { locatedFinding } from "../read/locate_finding.ts";
import type { ResolvedPipeline, ResolvedStage, Wire, Wires } from "../read/resolved.ts";
import { entryUrl } from "../process/entry.ts";
import type { CheckUnit, StageFinding } from "../process/messages.ts";
import { noGrants } from "../process/permissions.ts";
import { StageProcess } from "../process/process.ts";

/** How stages are checked. */
export interface CheckStagesOptions {
  /** Absolute path of the folder that holds `.sluice` and `runs`. */
  readonly projectRoot: string;
  /** Absolute path of the module of a built-in kind. */
  readonly builtInKindFile: (kind: string) => string;
  /** Folders of Sluice itself; found from this file if left out. */
  readonly home?: SluiceHome;
  /** Stages that are left out, for a file of theirs may not be read yet. */
  readonly leaveOut?: ReadonlySet<string>;
  /** Wires that a check has beside those of the pipeline. */
  readonly moreInputs?: (stage: ResolvedStage) => Wires;
}

/** Milliseconds after which a check is given up. */
const patience = 60_000;

/**
 * Has the kinds look at their parameters, at the files that these name, and at one another. Nothing
 * is written, nothing is executed; the process may read the named files and nothing else.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { fileURLToPath } from "node:url";
 * import { builtInKindFile, builtInKinds } from "../../../stages/mod.ts";
 * import { readPipeline } from "../process/read_pipeline.ts";
 * import { checkStages } from "./check_stages.ts";
 * const files = { readText: () => Promise.resolve('format = 1\n[stages.grid]\nkind = "hypergrid"\n') };
 * const pipeline = await readPipeline({ path: "grid.toml", kinds: builtInKinds, files });
 * const file = (kind: string) => fileURLToPath(builtInKindFile(kind));
 * const options = { projectRoot: Deno.cwd(), builtInKindFile: file };
 * assert.deepEqual(await checkStages(pipeline, options), []); // no finding
 * ```
 */
export async function checkStages(
  pipeline: ResolvedPipeline,
  options: CheckStagesOptions,
): Promise<readonly Diagnostic[]> {
  const all = pipeline.stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  const asked = all.filter(({ declaration, name }) =>
    declaration.checks && !options.leaveOut?.has(name)
  );
  const linked = asked.map((stage) => ({ stage, findings: linksOutside(stage, options) }));
  const sound = linked.filter(({ findings }) => findings.length === 0).map(({ stage }) => stage);
  const findings = [
    ...linked.flatMap(({ findings }) => findings),
    ...sound.length > 0 ? await findingsIn(pipeline, sound, options) : [],
  ];
  const stages = new Map(all.map((stage) => [stage.name, stage]));
  return distinct(findings.map(({ stage, diagnostic }) => {
    return locatedFinding(diagnostic, stages.get(stage)!, "always");
  }));
}

function linksOutside(
  { name, files }: ResolvedStage,
  { projectRoot }: CheckStagesOptions,
): StageFinding[] {
  try {
    const trusted = readTrust().folders;
    for (const { path } of files) refuseLinksOutside(path, projectRoot, trusted);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map((diagnostic) => ({ stage: name, diagnostic }));
  }
}

async function findingsIn(
  pipeline: ResolvedPipeline,
  stages: readonly ResolvedStage[],
  options: CheckStagesOptions,
): Promise<readonly StageFinding[]> {
  const { projectRoot, home = findSluiceHome() } = options;
  const plugins = stages.flatMap(({ modules }) => modules.map(({ path }) => path));
  const kinds = Object.fromEntries(
    stages.map((one) => [kindKey(one), one.kindPath ?? options.builtInKindFile(one.kind)]),
  );
  const read = [...new Set(stages.flatMap(({ files }) => files.map(({ path }) => path)))].sort();
  const entry = entryUrl(home, { purpose: "check", kinds, plugins });
  const { root: cwd } = projectLayout(projectRoot);
  const process = new StageProcess({ entry, grants: { ...noGrants, read }, home, cwd });
  const timer = setTimeout(() => process.kill(), patience);
  await process.send({
    type: "check",
    job: { units: unitsOf(pipeline, stages, options), seed: 0 },
  });
  const received = await process.receive();
  const { lastWords, signal } = await process.end();
  clearTimeout(timer);
  if (received?.message.type === "checked") return received.message.findings;
  const reason = signal ? `it was not done within ${patience / 1000} seconds` : lastWords;
  return await withoutBrokenModule(pipeline, stages, options, reason);
}

/** A plug-in that cannot be loaded takes the process down: it is named, and the others are checked. */
async function withoutBrokenModule(
  pipeline: ResolvedPipeline,
  stages: readonly ResolvedStage[],
  options: CheckStagesOptions,
  reason: string,
): Promise<readonly StageFinding[]> {
  const named = stages.flatMap((stage) => stage.modules.map((module) => ({ stage, module })));
  const broken = named.filter(({ module }) => reason.includes(module.path));
  const blamed = broken.length > 0 ? broken : named;
  if (blamed.length === 0) throw new Error(`Cannot check the stages: ${reason}`);
  const findings = blamed.map(({ stage, module }) => ({
    stage: stage.name,
    diagnostic: notLoadable(module, firstLine(reason)),
  }));
  const left = stages.filter((stage) => !blamed.some((one) => one.stage === stage));
  return [...findings, ...left.length > 0 ? await findingsIn(pipeline, left, options) : []];
}

function notLoadable(
  { param, path }: { readonly param: string; readonly path: string },
  reason: string,
): Diagnostic {
  return {
    code: "plugin/not-loadable",
    severity: "error",
    param: param.split("."),
    message: `Cannot load ${path}: ${reason}`,
    hint:
      "a module is loaded without permissions; its default export is made by a define… function",
  };
}

function firstLine(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const first = lines.find((line) => line.startsWith("error:")) ?? lines[0] ?? "it printed nothing";
  return first.replace(/^error:\s*(Uncaught\s*)?(\(in promise\)\s*)?/, "");
}

function unitsOf(
  { stages }: ResolvedPipeline,
  asked: readonly ResolvedStage[],
  { moreInputs = () => ({}) }: CheckStagesOptions,
): CheckUnit[] {
  const loops = new Map(
    stages.filter(({ loop }) => loop).map((stage) => [stage.name, stage.loop!]),
  );
  const through = (wire: Wire): Wire => {
    const before = wire.scope === "state" ? loops.get(wire.stage)?.state[wire.port] : undefined;
    return before ? through(before) : wire;
  };
  const leading = (wires: Wires): Wires =>
    Object.fromEntries(Object.entries(wires).map(([name, wire]) => [name, through(wire)]));
  const staleness = new Map(
    [...loops.values()].flatMap((loop) => loop.stages.map(({ name }) => [name, loop.staleness])),
  );
  return asked.map((stage) => ({
    ...(staleness.get(stage.name) && { staleness: staleness.get(stage.name) }),
    name: stage.name,
    kind: kindKey(stage),
    params: paramsByPath(stage),
    inputs: leading({ ...moreInputs(stage), ...stage.inputs }),
    wired: Object.fromEntries(
      Object.entries(stage.wired).map(([name, wires]) => [name, leading(wires)]),
    ),
  }));
}

/** Removes repeats: several stages may give one finding. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [
    ...new Map(diagnostics.map((one) => [JSON.stringify([one.message, one.span]), one])).values(),
  ];
}
