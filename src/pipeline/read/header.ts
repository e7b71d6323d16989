/** Reads the header of a pipeline: format, version, name, seed, sandbox and checks. */
import { basename } from "node:path";
import { z } from "../../base/zod.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import { demandedLevels } from "../../base/sandbox_level.ts";
import { type Located, type LocatedTable, nodeAt, spanOfNode, without } from "../toml/located.ts";
import { checkSchema } from "../toml/schema.ts";
import type { Findings } from "./findings.ts";
import type { ResolvedCheck } from "./resolved.ts";
import { satisfies, sluiceVersion } from "../../base/version.ts";
import { exportParams, type ExportTable } from "./export_table.ts";
import { sweepParams, type SweepTable } from "./sweep_table.ts";

/** The version of the pipeline format that is read. */
export const pipelineFormat = 1;

/** Instances of one run: more belong into several. */
const mostSeeds = 1000;

/** One entry of `checks`. */
const checkParams = z.strictObject({
  sql: z.string().min(1).meta({
    description: "A query that must give true in exactly one cell when the run ends.",
  }),
  name: z.string().min(1).optional().meta({ description: "Name of the check in reports." }),
  over: z.enum(["each", "all"]).default("each").meta({
    description: "With several seeds: asked of each instance by itself, or once of all.",
  }),
  every: z.int().min(1).optional().meta({
    description: "Asked after every so many steps of a loop too, of the rows up to there.",
  }),
  on_fail: z.enum(["stop", "warn"]).default("stop").meta({
    description: "Where it does not hold: fail the run, at once with every; or warn.",
  }),
});

/** Demands of a pipeline's programs on the sandbox. */
const sandboxParams = z.strictObject({
  level: z.enum(demandedLevels).meta({
    description: "The level below which no program is executed, recalled or judged.",
  }),
});

/** Everything at the top of a pipeline but `format`, `stages` and `use`. */
export const headerParams = z.strictObject({
  requires: z.string().optional().meta({
    description: 'The versions of Sluice that can run this pipeline: ">=0.1 <1".',
  }),
  name: z.string().min(1).optional().meta({
    description: "Name of the pipeline in reports (default: the file's name).",
  }),
  description: z.string().optional(),
  seed: z.int().min(0).default(0).meta({ description: "Every random stream depends on it." }),
  seeds: z.int().min(1).max(mostSeeds).default(1).meta({
    description: "How many instances are trained and evaluated, with seed, seed + 1, …",
  }),
  sandbox: sandboxParams.optional().meta({
    description: "Sandbox level of all programs, above the one that their origin demands.",
  }),
  checks: z.array(checkParams).default([]).meta({
    description: "SQL gates, evaluated when the run ends.",
  }),
  export: exportParams.optional().meta({
    description: "Trackers that runs are written for while they go on, by their folders.",
  }),
  sweep: sweepParams.optional().meta({
    description: "Points of sluice sweep: grid, list, random and paired seeds.",
  }),
});

export interface Header {
  readonly name: string;
  readonly seed: number;
  readonly seeds: number;
  readonly description?: string;
  readonly minimumLevel?: SandboxLevel;
  readonly checks: readonly ResolvedCheck[];
  readonly exportTable?: ExportTable;
  readonly sweep?: SweepTable;
}

const what = "Cannot read the pipeline";

/** Reads the header; faults go to `findings`. */
export function readHeader(root: LocatedTable, path: string, findings: Findings): Header {
  checkFormat(root, findings);
  const node = without(root, new Set(["format", "stages"]));
  const alsoKnown = ["format", "stages", "use"];
  const result = checkSchema<z.output<typeof headerParams>>({
    schema: headerParams,
    node,
    what,
    alsoKnown,
    alsoListed: ["format", "stages"],
  });
  const name = basename(path).replace(/\.toml$/, "");
  if (result.kind === "wrong") {
    findings.push(...result.diagnostics);
    return { name, seed: 0, seeds: 1, checks: [] };
  }
  const { requires, sandbox, checks, export: exportTable, ...rest } = result.output;
  if (requires !== undefined) checkVersion(requires, root, findings);
  const policy = sandbox && { minimumLevel: sandbox.level };
  const spanned = checks.map((check, i) => withSpan(check, root, i));
  return { name, ...rest, ...policy, ...(exportTable && { exportTable }), checks: spanned };
}

function withSpan(check: z.output<typeof checkParams>, root: LocatedTable, i: number) {
  const list = root.entries.get("checks");
  const node: Located | undefined = list?.kind === "list" ? list.items[i] : undefined;
  return {
    ...check,
    get span() {
      return node && spanOfNode(node, "key");
    },
    get sqlSpan() {
      const text = node && nodeAt(node, ["sql"]);
      return text && spanOfNode(text);
    },
  };
}

function checkFormat(root: LocatedTable, findings: Findings): void {
  const node = root.entries.get("format");
  const add = `add format = ${pipelineFormat} as the first line: the version of the file format`;
  if (!node) {
    findings.add("pipeline/format", `${what}: missing key "format"`, spanOfNode(root), add);
    return;
  }
  if (node.kind === "scalar" && node.value === pipelineFormat) return;
  const value = node.kind === "scalar" ? JSON.stringify(node.value) : `a ${node.kind}`;
  const newer = node.kind === "scalar" && Number(node.value) > pipelineFormat;
  findings.add(
    "pipeline/format",
    `${what}: format is ${value}, wanted ${pipelineFormat}`,
    spanOfNode(node),
    newer
      ? `install a newer Sluice (this one is ${sluiceVersion}), or write format = ${pipelineFormat}`
      : `write format = ${pipelineFormat}`,
  );
}

function checkVersion(requires: string, root: LocatedTable, findings: Findings): void {
  const held = satisfies(sluiceVersion, requires);
  if (held) return;
  const message = held === undefined
    ? `${what}: requires is "${requires}", wanted a range of versions`
    : `${what}: it requires Sluice ${requires}, and this is Sluice ${sluiceVersion}`;
  const hint = held === undefined
    ? `write it like ">=${sluiceVersion}" or "^${sluiceVersion}"`
    : "install a version that satisfies it, or change requires";
  findings.add("pipeline/requires", message, spanOfNode(root.entries.get("requires")!), hint);
}
