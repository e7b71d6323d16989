/** All facts of a run in the HTML report: read from its database, its data, and fits of its programs. */
import type { DatasetJson } from "../../base/dataset.ts";
import type { CurveScene, ModelCurve, PredictedAt } from "../figures/curves.ts";
import type { ReplicatedBin } from "../figures/checks.ts";
import type { RunReport } from "../report.ts";

/** The run itself. */
export interface RunFacts {
  readonly runId: string;
  readonly name: string;
  readonly pipeline: string;
  readonly seed: number;
  readonly status: string;
  /** UTC, to the second. */
  readonly startedAt: string;
  readonly gitCommit?: string;
  readonly host: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
}

/** A stage that ran. */
interface StageFacts {
  readonly stage: string;
  readonly kind: string;
  readonly status: string;
}

/** The likeliest program of one of the likeliest models. */
export interface BestProgram {
  readonly sha256: string;
  readonly text: string;
  readonly features: readonly string[];
  /** Its answers to the questions, in their order; empty where nothing was asked. */
  readonly answers: readonly string[];
  /** Share of the target, of all derivations of its graph together. */
  readonly target: number;
  /** Share of the target of its model: of all programs that give the same answers. */
  readonly modelTarget: number;
  readonly elpd: number;
  readonly se: number | null;
  readonly pLoo: number | null;
  /** `row`, `group` or `future`. */
  readonly unit: string;
  readonly method: string | null;
  readonly paretoK: readonly number[];
  readonly goodK: number | null;
  /** `[units]`. */
  readonly pointwise: readonly number[];
  /** Units whose k is too high and that were not refitted. */
  readonly unresolved: number;
  readonly canonicalHash: string | null;
  readonly engineVersion: string | null;
}

/** A program that stands for a share of the target in the average over models. */
export interface DrawnProgram {
  readonly text: string;
  /** How many of all draws. */
  readonly draws: number;
}

/** The likeliest program among those that give an answer. */
export interface AnswerProgram {
  readonly answer: string;
  readonly text: string;
}

/** How many executions ended how. */
interface StatusCount {
  readonly status: string;
  readonly programs: number;
}

/** A warning of a stage. */
interface StageWarning {
  readonly stage: string;
  readonly level: string;
  readonly message: string;
  readonly times: number;
}

/** Facts of a run's database, beside answer, certificate and findings. */
export interface DatabaseFacts {
  readonly run: RunFacts;
  readonly params: ReadonlyMap<string, unknown>;
  readonly stages: readonly StageFacts[];
  readonly report: RunReport;
  /** The likeliest program of each of the likeliest models. */
  readonly best: readonly BestProgram[];
  /** Programs drawn from the target by systematic sampling. */
  readonly drawn: readonly DrawnProgram[];
  /** For the likeliest answers to the question that the data moved most. */
  readonly byAnswer: readonly AnswerProgram[];
  readonly statuses: readonly StatusCount[];
  readonly warnings: readonly StageWarning[];
  /** Rows that discriminate between the two likeliest answers, of the question that the data moved most. */
  readonly deciding?: Deciding;
}

/** Rows that count between two answers to a question. */
export interface Deciding {
  readonly question: string;
  readonly answers: readonly [string, string];
  /** By row or group, all of them. */
  readonly nats: readonly number[];
}

/** Why something is not in the report, and what would bring it. */
export interface Missing {
  readonly why: string;
  /** A command, or a sentence. */
  readonly mend?: string;
}

/** A check of the best program by one number of the data. */
export interface StatisticFacts {
  readonly name: string;
  readonly observed: number;
  readonly predicted: number;
  /** Share of made-up data sets with a larger value. */
  readonly p: number;
}

/** Predictions of fitted programs. */
export interface FitFacts {
  /** Programs that were fitted for the average, and those that could not be, with why. */
  readonly fitted: number;
  readonly failed: readonly string[];
  /** Share of the target's draws that the fitted programs stand for. */
  readonly share: number;
  readonly scene?: CurveScene;
  readonly average?: readonly PredictedAt[];
  readonly models: readonly ModelCurve[];
  readonly replicated?: readonly ReplicatedBin[];
  readonly statistics: readonly StatisticFacts[];
  readonly pit?: readonly number[];
}

/** A program as canonical PyMC, or why it is not had. */
export interface PrintedFacts {
  readonly code?: string;
  readonly why?: string;
}

/** Everything on the page. */
export interface PageFacts extends DatabaseFacts {
  readonly data: DatasetJson | Missing;
  readonly fits: FitFacts | Missing;
  /** As many as `best`, or fewer. */
  readonly printed: readonly PrintedFacts[];
  /** How Sluice is called: `deno task sluice`. */
  readonly command: string;
}

/** True for what is not there. */
export function isMissing(facts: object): facts is Missing {
  return "why" in facts;
}
