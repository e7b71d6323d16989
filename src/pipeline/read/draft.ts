/** The stages of a pipeline as they are written, before their kinds are known and wires checked. */
import { z } from "../../base/zod.ts";
import { bytesOf } from "../basics/resources.ts";
import type { EarlierOutput, NoOutput } from "../store/earlier_output.ts";
import { type Located, type LocatedTable, spanOfNode, without } from "../toml/located.ts";
import { checkSchema } from "../toml/schema.ts";
import type { CheckedDeclaration } from "./declaration.ts";
import type { Findings } from "./findings.ts";
import { pathPrefix } from "../contract/path_param.ts";
import type { StageSignature } from "../contract/stage.ts";

/** Stages that see one another by their short names. */
export interface Scope {
  /** The loop whose stages these are; absent at the top. */
  readonly loop?: StageDraft;
  readonly outer?: Scope;
  /** At the top: looks up an output of an earlier run. */
  readonly earlier?: (text: string) => EarlierOutput | NoOutput;
  /** Every name of the scope, those included of stages that could not be read. */
  readonly names: ReadonlySet<string>;
  readonly stages: Map<string, StageDraft>;
}

/** One stage as written. */
export interface StageDraft {
  /** `train.sample` inside a loop. */
  readonly name: string;
  /** `sample`. */
  readonly shortName: string;
  readonly node: LocatedTable;
  readonly scope: Scope;
  readonly kind?: { readonly written: string; readonly node: Located; readonly isPath: boolean };
  readonly common: z.output<typeof commonParams>;
  readonly inputs: ReadonlyMap<string, Located>;
  /** Parameters and parameters that hold wires; for a loop, `steps` and the like. */
  readonly rest: LocatedTable;
  readonly loop?: LoopDraft;
  /** Filled in when kinds are loaded; absent if the kind is unknown. */
  declaration?: CheckedDeclaration;
  kindPath?: string;
}

interface LoopDraft {
  readonly state: ReadonlyMap<string, Located>;
  readonly next: ReadonlyMap<string, Located>;
  readonly scope: Scope;
}

const wires = z.record(z.string(), z.string().min(1));

const resources = z.strictObject({
  cores: z.int().min(1).optional().meta({ description: "Cores." }),
  gpus: z.int().min(1).optional().meta({ description: "GPUs." }),
  memory: z.string().refine((text) => bytesOf(text) !== undefined, 'wanted "512M" or "8G"')
    .transform((text) => bytesOf(text)).optional().meta({ description: "Memory: 8G." }),
  minutes: z.number().positive().optional().meta({
    description: "Minutes that it may take, for schedulers.",
  }),
});

/** Keys that every stage may have beside the parameters of its kind, but `kind` and `use`. */
export const commonParams = z.strictObject({
  inputs: wires.default({}).meta({ description: 'Wiring: port = "stage.port".' }),
  every: z.int().min(1).optional().meta({
    description: "Inside a loop: run at every N-th step.",
  }),
  retries: z.int().min(0).default(1).meta({
    description: "How often a failure that is the machine's doing is tried again.",
  }),
  timeout: z.number().positive().optional().meta({ description: "Seconds." }),
  resources: resources.optional().meta({
    description: "Demands on the machine; one that lacks them leaves the stage alone.",
  }),
});

/** The parameters of a loop. */
export const loopParams = z.strictObject({
  steps: z.int().min(1).meta({ description: "Number of times that the stages of the loop run." }),
  checkpoint_every: z.int().min(1).default(50).meta({
    description: "Steps between checkpoints.",
  }),
  keep_every: z.int().min(1).optional().meta({
    description: "Steps between kept states: run:ID/train.policy@500 names one.",
  }),
  best: z.strictObject({
    of: z.string().regex(/^[a-z_][a-z0-9_]*\.[A-Za-z0-9_]+$/, 'wanted "stage.measure"').meta({
      description: "A measure of a stage of the loop: progress.kl_target_policy.",
    }),
    want: z.enum(["least", "most"]).default("least").meta({ description: "Which end is best." }),
  }).optional().meta({
    description: "Measure by which the loop selects the step whose state it returns.",
  }),
  staleness: z.int().min(0).default(0).meta({
    description: "Steps by which sampling and execution run ahead of learning, on older state.",
  }),
});

/** The wiring of a loop. */
export const loopWires = z.strictObject({
  state: wires.default({}).meta({ description: "State before the first step." }),
  next: wires.default({}).meta({ description: "State that each step hands to the next." }),
});

export const loopKind = "loop";

/** The loop as a kind: its keys, without the ports that its stages have. */
export const loopSignature: StageSignature = {
  kind: loopKind,
  version: 1,
  description: "Runs its stages `steps` times and passes state from step to step.",
  params: loopParams.extend(loopWires.shape),
  inputs: {},
  outputs: {},
};
const commonKeys = new Set(Object.keys(commonParams.shape));
const wireKeys = new Set(Object.keys(loopWires.shape));
/** Keys that no kind may use for a parameter. */
export const reservedKeys: ReadonlySet<string> = new Set(["kind", "use", ...commonKeys]);

/** Reads a table of stages; faults go to `findings`. */
export function readScope(
  table: Located | undefined,
  place: Pick<Scope, "loop" | "outer" | "earlier"> & { readonly node: LocatedTable },
  findings: Findings,
): Scope {
  const names = new Set(table?.kind === "table" ? table.entries.keys() : []);
  const { node: _, ...around } = place;
  const scope: Scope = { ...around, names, stages: new Map() };
  const what = place.loop ? `Cannot read stage "${place.loop.name}"` : "Cannot read the pipeline";
  if (table?.kind !== "table" || table.entries.size === 0) {
    const span = table ? spanOfNode(table, "key") : spanOfNode(place.node, "key");
    const header = place.loop ? `${place.loop.name}.stages` : "stages";
    const name = place.loop ? `stages.${header}.first` : "stages.first";
    const hint = `add a stage: [${name}] with kind = "…"`;
    findings.add("pipeline/no-stages", `${what}: it has no stages`, span, hint);
    return scope;
  }
  for (const [name, node] of table.entries) {
    const draft = readStage(name, node, scope, findings);
    if (draft) scope.stages.set(name, draft);
  }
  return scope;
}

function readStage(
  shortName: string,
  node: Located,
  scope: Scope,
  findings: Findings,
): StageDraft | undefined {
  const name = scope.loop ? `${scope.loop.name}.${shortName}` : shortName;
  const what = `Cannot read stage "${name}"`;
  checkName(shortName, what, node, scope, findings);
  if (node.kind !== "table") {
    const hint = `write [stages.${shortName}] and its keys below`;
    findings.add("pipeline/not-a-stage", `${what}: wanted a table`, spanOfNode(node), hint);
    return undefined;
  }
  const kind = readKind(node);
  const common = readCommon(node, what, findings);
  const isLoop = kind?.written === loopKind;
  if (common.every !== undefined && !scope.loop) {
    const span = spanOfNode(node.entries.get("every")!, "key");
    const hint = "remove it, or move the stage into a loop";
    findings.add("pipeline/every", `${what}: "every" has a meaning only in a loop`, span, hint);
  }
  if (common.resources && scope.loop) {
    const span = spanOfNode(node.entries.get("resources")!, "key");
    const hint = `write it at the loop: a loop is one process`;
    findings.add("pipeline/resources", `${what}: it has no machine of its own`, span, hint);
  }
  const taken = new Set([...commonKeys, "kind", ...(isLoop ? [...wireKeys, "stages"] : [])]);
  const rest = without(node, taken);
  const draft: StageDraft = {
    name,
    shortName,
    node,
    scope,
    kind,
    common,
    inputs: tableEntries(node.entries.get("inputs")),
    rest,
  };
  return isLoop ? withLoop(draft, what, findings) : draft;
}

function withLoop(draft: StageDraft, what: string, findings: Findings): StageDraft {
  const { node, scope } = draft;
  const wiring = pick(node, wireKeys);
  const result = checkSchema({ schema: loopWires, node: wiring, what });
  if (result.kind === "wrong") findings.push(...result.diagnostics);
  const whole: StageDraft & { loop?: LoopDraft } = { ...draft };
  const inner = readScope(
    node.entries.get("stages"),
    { node, loop: whole, outer: scope },
    findings,
  );
  const [state, next] = ["state", "next"].map((key) => tableEntries(node.entries.get(key)));
  return Object.assign(whole, { loop: { state, next, scope: inner } });
}

function readKind(node: LocatedTable): StageDraft["kind"] {
  const kind = node.entries.get("kind");
  if (kind?.kind !== "scalar" || typeof kind.value !== "string") return undefined;
  return { written: kind.value, node: kind, isPath: pathPrefix.test(kind.value) };
}

function readCommon(node: LocatedTable, what: string, findings: Findings): StageDraft["common"] {
  const result = checkSchema<StageDraft["common"]>({
    schema: commonParams,
    node: pick(node, commonKeys),
    what,
  });
  if (result.kind === "ok") return result.output;
  findings.push(...result.diagnostics);
  return commonParams.parse({});
}

function checkName(
  name: string,
  what: string,
  node: Located,
  scope: Scope,
  findings: Findings,
): void {
  const span = () => spanOfNode(node, "key"); // a second reading of the file: for faults alone
  if (name === "state") {
    const hint = 'choose another name: "state.x" is what flows into a loop';
    findings.add("pipeline/reserved-name", `${what}: the name "state" is reserved`, span(), hint);
  } else if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) {
    const hint = "names begin with a letter and go on with letters, digits, _ and -";
    findings.add("pipeline/bad-name", `${what}: this cannot be the name of a stage`, span(), hint);
  } else if (isTaken(name, scope)) {
    const message = `${what}: "${name}" is also the name of a stage outside the loop`;
    const hint = "rename one of the two: stages of a loop see the names outside it";
    findings.add("pipeline/duplicate-name", message, span(), hint);
  }
}

function isTaken(name: string, scope: Scope): boolean {
  for (let here = scope.outer; here; here = here.outer) if (here.names.has(name)) return true;
  return false;
}

/** The string values of a table of wires; anything else has been reported already. */
export function tableEntries(node: Located | undefined): ReadonlyMap<string, Located> {
  if (node?.kind !== "table") return new Map();
  const isText = ([, value]: [string, Located]) =>
    value.kind === "scalar" && typeof value.value === "string" && value.value !== "";
  return new Map([...node.entries].filter(isText));
}

function pick(node: LocatedTable, keys: ReadonlySet<string>): LocatedTable {
  return { ...node, entries: new Map([...node.entries].filter(([key]) => keys.has(key))) };
}
