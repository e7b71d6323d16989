/** The values that flow through the built-in ports. */
import type { Dataset } from "../../src/base/dataset.ts";
import type {
  Environment,
  Prompt,
  TerminalObject,
  Trajectory,
} from "../../src/gfn/environments/mod.ts";
import type { RewardSurrogate } from "../../src/gfn/evaluation/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import type { Execution, Schedule } from "../../src/engine/score/execution/mod.ts";
import type { ExecutorDefinition } from "../../src/executor/define_executor.ts";
import type { Judge, RewardRule, SettledJudgeSpec } from "../../src/engine/score/judges/mod.ts";
import type { Measure } from "../evaluation/measure.ts";
import type { Author } from "./author.ts";

/** A term of a target's log reward, as an artifact names it. */
export interface RewardTerm {
  /** Name of the judge; the live judge is found among built-ins and plug-ins. */
  readonly judge: string;
  /** Its version. */
  readonly version: number;
  /** Factor of its log reward. */
  readonly weight: number;
  /** Of a judge with settings: all of them, by which it is made again. */
  readonly settings?: SettledJudgeSpec;
}

/** A term of a target's log reward that an oracle answers: its weight times log p. */
export interface OracleTerm {
  /** The oracle as the pipeline names it. */
  readonly name: string;
  /** Model that answers. */
  readonly oracle: OracleRecord;
  /** The object itself, or an answer given it. */
  readonly of: "x" | "y|x";
  /** β; not 0. */
  readonly weight: number;
  /** Of `y|x`: template of the prompt with the object; the answer is scored after it. */
  readonly template?: string;
  /** y. */
  readonly answer?: string | GeneratedAnswer;
  /** Of `x`: text before it, which is not scored. */
  readonly given?: string;
  /** Whether the prompt, or the given text, is a turn of a conversation by the model's own template. */
  readonly chat?: boolean;
  /** First message of the conversation; that of the model's template if left out. */
  readonly system?: string;
  /** Variables for the template, beside the turns. */
  readonly template_variables?: Readonly<Record<string, string | number | boolean>>;
  /** Functions that the template offers to the model. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
}

/** An answer that the oracle itself writes. */
export interface GeneratedAnswer {
  /** Discriminates it from an answer that is given. */
  readonly generate: true;
  /** At which its tokens are drawn. */
  readonly temperature: number;
  /** After so many it is cut off. */
  readonly most_tokens: number;
  /** Whether each time that an object is rewarded another is written. */
  readonly fresh: boolean;
}

/** Members of every target. */
export interface AnyTarget {
  /** Environment whose objects are rewarded. */
  readonly environment: Environment;
  /** Terms that oracles answer; they are added to the log rewards of judges. */
  readonly oracles?: readonly OracleTerm[];
  /** Oracles that answer the questions of judges, by the names that the pipeline gives them. */
  readonly critics?: Readonly<Record<string, OracleRecord>>;
}

/** The target of texts: R(x) by oracles and by judges of texts. Nothing is executed. */
export interface TextTarget extends AnyTarget {
  /** At least one, unless judges reward. */
  readonly oracles: readonly OracleTerm[];
  /** Weighted judges by name; left out where oracles alone reward. */
  readonly terms?: readonly RewardTerm[];
  /** The live judges of `terms`, and the log reward of a text on which a critic gives no answer. */
  readonly rule?: RewardRule;
  /** There are no data. */
  readonly dataset?: undefined;
}

/** Target of learning: R(program) on data, or R(text) by oracles. */
export type Target = ProgramTarget | TextTarget;

/** Target of learning: R(program) on this data. */
export interface ProgramTarget extends AnyTarget {
  /** Data that programs are to explain. */
  readonly dataset: Dataset;
  /** Name of the executor that reads programs. */
  readonly executor: string;
  /** That executor, if it is one of the user's. */
  readonly ownExecutor?: ExecutorDefinition;
  /** How long the sampler runs. */
  readonly schedule: Schedule;
  /** Weighted judges by name. */
  readonly terms: readonly RewardTerm[];
  /** The live judges of `terms`, and the constant that a failed program gets. */
  readonly rule: RewardRule;
  /** Knowledge of the response that the author of the programs had; blind if left out. */
  readonly author?: Author;
  /** ELPD-LOO of the host's null program, from which the failure constant was fixed. */
  readonly nullElpd: number;
}

/** A prompt for a policy, and the part of the data that it shows. */
export interface WrittenPrompt {
  /** Its name among the prompts. */
  readonly id: string;
  /** As the policy reads it. */
  readonly text: string;
  /** Parts of the data set that the template was given. */
  readonly shows: readonly ("story" | "columns" | "rows")[];
  /** Whether values of the response, or sums of them, were among it. */
  readonly informed: boolean;
  /** Kept from training, to evaluate by. */
  readonly held_out: boolean;
  /** Digest of the data set that it is about; left out where there is none. */
  readonly data?: string;
  /** Turns of a conversation of which `text` was made; left out where it was written as it is. */
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  /** Model whose chat template made it. */
  readonly model_sha256?: string;
  /** Whether the text contains its own beginning, by that template. */
  readonly begins?: boolean;
}

/** Prompts for policies. */
export interface Prompts {
  /** In the order of the pipeline. */
  readonly prompts: readonly WrittenPrompt[];
}

/** A policy and a record of its training so far. */
export interface TrainedPolicy {
  /** The policy itself. */
  readonly policy: Policy;
  /** Fresh trajectories that it has learned from; replayed ones are not counted again. */
  readonly trajectories: number;
  /** Distinct programs whose reward its training asked for. */
  readonly distinctEvaluations: number;
  /** The learner's estimate of log Z, if its objective has one; the mean of its last batch's prompts. */
  readonly logZ?: number;
  /** Its estimates by prompt, where it learned to answer prompts. */
  readonly logZs?: Readonly<Record<string, number>>;
  /** A prompt that showed it values of the response, if one did. */
  readonly shown?: string;
  /** Reasons, one sentence each, why its training moves the optimum away from R / Z. */
  readonly movesOptimum?: readonly string[];
}

/** Trajectories sampled in one step. */
export interface SampledTrajectories {
  /** Environment of the trajectories. */
  readonly environment: Environment;
  /** In order of their index. */
  readonly trajectories: readonly Trajectory[];
  /** Share of uniform choice in the behaviour. */
  readonly epsilon: number;
  /** A prompt that shows values of the response, if there is one among those that were answered. */
  readonly shown?: string;
}

/** A terminable state of a trajectory and the execution of its program. */
export interface ExecutedState {
  /** Index of the state: exiting there is action `t`. */
  readonly t: number;
  /** The program that stands there. */
  readonly object: TerminalObject;
  /** Result of executing it. */
  readonly execution: Execution;
}

/** Executions of every terminable state of every trajectory, in order; the last is the terminal. */
export interface ExecutedTrajectories extends SampledTrajectories {
  /** By trajectory, in order of `t`. */
  readonly states: readonly (readonly ExecutedState[])[];
}

/** Log rewards in the layout of `ExecutedTrajectories.states`. */
export interface LogRewards {
  /** By trajectory, one for each terminable state. */
  readonly values: readonly Float64Array[];
  /** Of rewards that were predicted: the predictor, and the evaluations that it had used. */
  readonly guessed?: { readonly by: string; readonly evaluations: number };
}

/** Every reward that was computed: a certificate may use these without asking again. */
export interface ScoredSet {
  /** Trajectories to objects as actions, exit included, with the log reward of each; −Infinity is a reward of 0. */
  readonly rows: readonly (readonly [actions: readonly number[], logReward: number])[];
  /** Log rewards of answers, which each prompt rewards by itself; left out where nothing was asked. */
  readonly answers?: readonly ScoredAnswers[];
}

/** Rewards of answers to one prompt. */
export interface ScoredAnswers extends Pick<ScoredSet, "rows"> {
  /** As the policy reads it. */
  readonly prompt: Prompt;
}

/** Expected rewards of all objects of an environment, exact where they were scored. */
export interface Surrogate {
  /** Environment of its objects. */
  readonly environment: Environment;
  /** Exact where it was scored. */
  readonly surrogate: RewardSurrogate;
}

/** Measures of one evaluation: of its policy and of every baseline beside it. */
export interface Evaluation {
  /** Measures with their subjects. */
  readonly measures: readonly Measure[];
}

/** A small table: rows of named cells. */
export interface Table {
  /** In order. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export type { Judge };
