/** A pipeline after it was read, merged and checked: the input of planning and running. */
import type { Span } from "../../base/span.ts";
import type { Json } from "../../base/canonical_json.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import type { StageResources } from "../basics/resources.ts";
import type { Path } from "../toml/path.ts";
import type { ValueSource } from "../toml/located.ts";
import type { CheckedDeclaration } from "./declaration.ts";
import type { ExportTable } from "./export_table.ts";
import type { SweepTable } from "./sweep_table.ts";

/** Where the value of an input comes from. */
export interface Wire {
  /** Full name of the stage that gives the value (`train.sample`); with scope `state`, of the loop. */
  readonly stage: string;
  /** Its output port; with scope `state`, the key of the loop's `state`. */
  readonly port: string;
  /** Whether a stage gives the value, or the state that a loop hands from step to step. */
  readonly scope: "stage" | "state";
  /** Name of the port's type. */
  readonly type: string;
  /** SHA-256 of the value, where an earlier run gave it: the stage is then `run:ID/stage`. */
  readonly digest?: string;
}

/** Values that flow in, by port. */
export type Wires = Readonly<Record<string, Wire>>;

/** A file or module that a parameter names. */
export interface NamedFile {
  /** Path of the parameter within the stage's parameters: `log_reward.0.judge`. */
  readonly param: string;
  /** Absolute path. */
  readonly path: string;
}

/** Which state of a loop is its best one. */
export interface BestOf {
  /** `stage.measure`, of a stage of the loop: a metric, or a measure of the policy. */
  readonly of: string;
  /** Which end is best. */
  readonly want: "least" | "most";
}

/** Settings of a loop. */
export interface ResolvedLoop {
  /** How often the stages run; at least 1. */
  readonly steps: number;
  /** A checkpoint is written after every so many steps. */
  readonly checkpointEvery: number;
  /** Checkpoints of these multiples stay after the loop has ended. */
  readonly keepEvery?: number;
  /** The loop hands on the state after the step where this was best; else after the last. */
  readonly best?: BestOf;
  /** Stages that run ahead in step t read the state after step t − 1 − staleness; 0: none runs ahead. */
  readonly staleness: number;
  /** Values before the first step, by name. */
  readonly state: Wires;
  /** Values that each step hands to the next; the names are the loop's output ports. */
  readonly next: Wires;
  /** In topological order. */
  readonly stages: readonly ResolvedStage[];
}

/** Which of several copies a stage is: they differ in their seed. */
export interface StageCopy {
  /** The stage's name in the pipeline file. */
  readonly of: string;
  /** Text in brackets: `2` of `train[2]`. */
  readonly label: string;
  /** Seed of its random numbers, instead of the pipeline's. */
  readonly seed: number;
  /** The copies that belong together, by their names in the file; its wires lead to these. */
  readonly names: ReadonlyMap<string, string>;
}

/** One stage whose inputs have been wired and whose parameters have been checked. */
export interface ResolvedStage {
  /** `train`, or `train.sample` inside a loop. */
  readonly name: string;
  /** As written: a built-in name, a path, or `loop`. */
  readonly kind: string;
  /** Absolute path of the module, for kinds named by path. */
  readonly kindPath?: string;
  /** For a loop: no inputs, outputs typed by `next`, parameters as `loopParams` reads them. */
  readonly declaration: CheckedDeclaration;
  /** Parameters for the stage: zod's output, with absolute paths. */
  readonly params: unknown;
  /** Parameters as written, after merging: JSON before zod's defaults and transforms, paths as written. */
  readonly rawParams: Readonly<Record<string, Json>>;
  /** Where the value of each input port comes from. */
  readonly inputs: Wires;
  /** Wiring held by parameters: `wired.compare.sft`. */
  readonly wired: Readonly<Record<string, Wires>>;
  /** Parameters of type *file path*. */
  readonly files: readonly NamedFile[];
  /** Plug-ins named by path: judges, objectives. */
  readonly modules: readonly NamedFile[];
  /** Inside a loop: runs at every N-th step; absent means at every step. */
  readonly every?: number;
  /** How often a failure of the machine's doing is tried again; not in the fingerprint. */
  readonly retries: number;
  /** Seconds; not in the fingerprint. */
  readonly timeout?: number;
  /** Demands on the machine; not in the fingerprint. */
  readonly resources?: StageResources;
  /** Present of a loop. */
  readonly loop?: ResolvedLoop;
  /** Absent of a stage of which there is one. */
  readonly instance?: StageCopy;
  /** The stage's name where its table is written. */
  readonly span?: Span;
  /** Place of a parameter, or of its nearest written ancestor. */
  placeOf?(param: Path): Span | undefined;
}

/** A query that must give `true` in exactly one cell when the run ends. */
export interface ResolvedCheck {
  /** As written. */
  readonly sql: string;
  /** Present where the pipeline names it. */
  readonly name?: string;
  /** With several seeds: asked of each instance by itself, or once of all. */
  readonly over?: "each" | "all";
  /** Asked after every so many steps of a loop as well. */
  readonly every?: number;
  /** Where it does not hold, the run fails, or warns. */
  readonly on_fail?: "stop" | "warn";
  /** Place of the entry in the pipeline file. */
  readonly span?: Span;
  /** Where its SQL is written. */
  readonly sqlSpan?: Span;
}

/** One resolved leaf and where it came from. */
export interface ResolvedValue {
  /** Dotted: `stages.train.steps`. */
  readonly path: string;
  /** With defaults, overlays and `--set` applied. */
  readonly value: Json;
  /** Layer that set it last. */
  readonly source: ValueSource;
  /** Absent for defaults. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** A pipeline in which every name has been found and every parameter checked. */
export interface ResolvedPipeline {
  /** As the user gave it. */
  readonly path: string;
  /** Path on disk. */
  readonly absolutePath: string;
  /** Header `name`. */
  readonly name: string;
  /** Seed of the first instance. */
  readonly seed: number;
  /** How many instances are trained, from `seed` on; 1 if left out. */
  readonly seeds?: number;
  /** Version of the file format. */
  readonly format: 1;
  /** Header `description`. */
  readonly description?: string;
  /** The level of the sandbox that all programs ask for, if the pipeline names one. */
  readonly minimumLevel?: SandboxLevel;
  /** Top-level stages in topological order; those of a loop stand in its `loop.stages`. */
  readonly stages: readonly ResolvedStage[];
  /** Queries asked when the run ends. */
  readonly checks: readonly ResolvedCheck[];
  /** Points of a sweep, if the pipeline names some; a run passes them over. */
  readonly sweep?: SweepTable;
  /** Trackers that runs are written for, by their folders; changes no result. */
  readonly exportTable?: ExportTable;
  /** Every resolved leaf but those of `sweep` and `export`; computed when first asked for. */
  readonly values: readonly ResolvedValue[];
  /** Text of every file that was read, by the name that spans use; `--set` arguments too. */
  readonly sources: ReadonlyMap<string, string>;
  /** Absolute paths of all files that were read, the pipeline first. */
  readonly files: readonly string[];
}
