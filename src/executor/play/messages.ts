/** Requests of stages to the service of worlds. */
import type { WeighedTheory } from "../theories/messages.ts";
import type { AnswerBy, PlaySettings } from "./episode.ts";
import type { Experiment } from "./experiment.ts";

/** Name by which kinds ask for the service. */
export const worldServiceName = "world";

/** Labels of every episode's rows. */
export interface EpisodeLabel {
  readonly seed: number;
  readonly episode: number;
  readonly agent: string;
}

/** Requests of the service. */
export type WorldRequest =
  /** Tries an experiment: calibration of its theory, and how often it overflows. Answer: `Tried`. */
  | { readonly op: "try"; readonly experiment: Experiment; readonly calibration: number }
  /** Begins an episode. Answer: its view. */
  | ({
    readonly op: "begin";
    readonly experiment: Experiment;
    readonly settings: PlaySettings;
    readonly plain: boolean;
  } & EpisodeLabel)
  /** Asks in an episode. Answer: `Observed`. */
  | ({ readonly op: "ask"; readonly query: unknown } & EpisodeLabel)
  /** The query of most expected information. */
  | ({ readonly op: "advise"; readonly theories?: readonly WeighedTheory[] } & EpisodeLabel)
  /** Has the questions answered at a checkpoint. */
  | ({
    readonly op: "answer";
    readonly by: AnswerBy;
    readonly checkpoint: number;
    readonly last: boolean;
  } & EpisodeLabel)
  /** Ends an episode, and writes its rows. */
  | ({
    readonly op: "end";
    readonly seconds: number;
    readonly tokens: number;
    readonly cost: number;
  } & EpisodeLabel);

/** Findings of an experiment's trial. */
export interface Tried {
  /** Least p-value of the calibration, adjusted for how many quantities were ranked; none if it was left out. */
  readonly calibration_p?: number;
  readonly calibration_draws: number;
  /** The quantity of the least p-value. */
  readonly worst?: string;
  /** Share of worlds whose responses overflow at the questions. */
  readonly overflow_share: number;
}
