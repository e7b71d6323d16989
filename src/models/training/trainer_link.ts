/** Requests to a server that trains an adapter, independent of its protocol. */
import type { ServiceProcess } from "../../base/service_process.ts";

/** A server that trains, as a policy's configuration has it. */
export interface TrainerConfig {
  /** Root of its interface. */
  readonly url: string;
  /** Variable of the environment that holds its key. */
  readonly key?: string | undefined;
  /** Name of the frozen model on the server. */
  readonly base_model: string;
  /** Rank of the adapter. */
  readonly rank: number;
  /** Models that may lie in the server's memory at a time for one run. */
  readonly adapters: number;
  /** Requests under way at a time. */
  readonly max_concurrency: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Seconds after which an attempt has failed; a server may be silent for 300 while it computes. */
  readonly timeout: number;
  /** Seconds before the second attempt; they double. */
  readonly pause: number;
  /** Command that serves it during the run; left out where the server runs by itself. */
  readonly service?: ServiceProcess | undefined;
}

/** A sequence with the weights of a loss for each token but the first. */
export interface TrainedText {
  /** Ids as the model reads them, the begin token among them. */
  readonly ids: readonly number[];
  /** `[ids − 1]`: log p of each token as the same weights gave it. */
  readonly logProbs: readonly number[];
  /** `[ids − 1]`: derivatives of the loss by these. */
  readonly gradients: readonly number[];
}

/** A step of Adam with weight decay apart from the gradient. */
export interface AdamStep {
  /** Learning rate. */
  readonly learning_rate: number;
  /** Decay of the mean of gradients. */
  readonly beta1: number;
  /** Decay of the mean of their squares. */
  readonly beta2: number;
  /** Added to the root of the latter. */
  readonly eps: number;
  /** Decay of a parameter per step of rate 1. */
  readonly weight_decay: number;
  /** Norm to which longer gradients are clipped, by a server that clips; left out for no clipping. */
  readonly grad_clip_norm?: number | undefined;
}

/** A saved model: its paths on the server, and a digest. */
export interface TrainerCheckpoint {
  /** Path on the server of weights and moments, from which training resumes. */
  readonly weights: string;
  /** SHA-256 of the adapter's file; null where the server does not export it. */
  readonly sha256: string | null;
  /** Files of the adapter by name, in base 64; empty where it is not handed out. */
  readonly files: Readonly<Record<string, string>>;
}

/** Answers of a server when it was tried. */
export interface TrainerRecord {
  /** Divisor of a loss there: `1`, `sequences`, `tokens`, … */
  readonly divides: string;
  /** Whether it clips gradients by their norm. */
  readonly clips: boolean;
  /** The largest difference of log probabilities that were asked twice, nats. */
  readonly twice: number;
}

/** Which model of which server: made when it is first asked for anything. */
export interface TrainerPlace {
  /** The server. */
  readonly trainer: TrainerConfig;
  /** Names the model here, until the run ends. */
  readonly handle: string;
  /** Path on the server from which training resumes; left out where it begins. */
  readonly from?: string | undefined;
  /** Seed of a fresh adapter. */
  readonly seed: number;
}

/** Questions, with their answers. */
export interface TrainerWork {
  /** Tries the server. */
  readonly open: { readonly asked: { readonly begin: number }; readonly answer: TrainerRecord };
  /** log p of each token but the first. */
  readonly forward: {
    readonly asked: { readonly texts: readonly (readonly number[])[] };
    readonly answer: readonly (readonly number[])[];
  };
  /** One step along the gradient of these texts. */
  readonly train: {
    readonly asked: { readonly texts: readonly TrainedText[]; readonly adam: AdamStep };
    readonly answer: null;
  };
  /** Writes texts. */
  readonly sample: {
    readonly asked: {
      readonly prompts: readonly (readonly number[])[];
      readonly most: readonly number[];
      readonly end: number;
      readonly seeds: readonly string[];
      readonly temperature: number;
      readonly top_p: number;
    };
    readonly answer: readonly {
      readonly ids: readonly number[];
      readonly logProbs: readonly number[];
    }[];
  };
  /** Keeps weights and moments. */
  readonly save: { readonly asked: Record<never, never>; readonly answer: TrainerCheckpoint };
  /** The model is not asked again. */
  readonly release: { readonly asked: Record<never, never>; readonly answer: null };
}

/** One question about one model. */
export type TrainerRequest = {
  readonly [K in keyof TrainerWork]:
    & { readonly op: K }
    & TrainerPlace
    & TrainerWork[K]["asked"];
}[keyof TrainerWork];

/** Asks the trainer; only a run has one. */
export type TrainerLink = (request: TrainerRequest) => Promise<unknown>;
