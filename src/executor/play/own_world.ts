/** A world of one's own: functions of a module instead of a program. */
import { RandomStream } from "../../base/random.ts";
import { drawNormal } from "../../numerics/math/mod.ts";

/** Latents of a world by name: numbers that are drawn once an episode. */
export type WorldLatents = Readonly<Record<string, number>>;

/** Inputs of one row by name; categories by their levels. */
export type WorldRow = Readonly<Record<string, number | string>>;

/** A seeded stream: the only chance that a world has, so that every agent meets the same one. */
export class WorldRandom extends RandomStream {
  /** A normal number. */
  normal(mean = 0, sd = 1): number {
    return mean + sd * drawNormal(this);
  }
}

/** An input that may be asked. */
export type WorldInput =
  | {
    readonly type: "real";
    readonly low: number;
    readonly high: number;
    readonly round?: number;
    readonly unit?: string;
  }
  | {
    readonly type: "integer";
    readonly low: number;
    readonly high: number;
    readonly each?: boolean;
    readonly unit?: string;
  }
  | { readonly type: "category"; readonly levels: readonly string[]; readonly each?: boolean };

/** Entries that may be asked, each once, where inputs are no free choice. */
export type WorldCatalogue = "all" | { readonly entries: number } | {
  readonly rows: readonly WorldRow[];
};

/** How an input of the questions is drawn. */
export type WorldDraw =
  | { readonly draw: "uniform"; readonly low: number; readonly high: number }
  | { readonly draw: "normal"; readonly mean: number; readonly sd: number }
  | {
    readonly draw: "beta";
    readonly a: number;
    readonly b: number;
    readonly low?: number;
    readonly high?: number;
    readonly round?: number;
  };

/** A world of one's own: the keys of an experiment's file, and functions instead of its program. */
export interface ExperimentDefinition {
  /** Letters, digits and underscores; in tables and reports. */
  readonly name: string;
  /** The observed column, and the step to which it is reported. */
  readonly response: {
    readonly name: string;
    readonly type: "real" | "count" | "binary";
    readonly unit?: string;
    readonly round?: number;
  };
  /** Inputs by name; `catalogue` lists entries where they are no free choice. */
  readonly inputs: Readonly<Record<string, WorldInput | WorldCatalogue>>;
  /** Sums of inputs and numbers: `"immediate <= delayed"`. */
  readonly rules?: readonly string[];
  /** `count`, `balanced`, and how inputs are drawn, by name. */
  readonly questions?: Readonly<Record<string, number | boolean | WorldDraw>>;
  /** Responses are asked in the end if left out, or values of latents, in groups that may be answered in any order. */
  readonly goal?: "predictions" | {
    readonly latents: readonly string[];
    readonly alike?: readonly (readonly string[])[];
  };
  /** `wrong` for binary responses and `squared` for others if left out. */
  readonly error?: "squared" | "absolute" | "wrong";
  /** Story for an agent. */
  readonly story: string;
  /** The story without the domain. */
  readonly plain_story: string;
  /** A sentence for an observation: `{dose}` and the response are filled in. */
  readonly words: string;
  /** Raise it when the world changes otherwise than by this module's text. */
  readonly version: number;
  /** Draws the latents of an episode, finite numbers, at least one. */
  begin(random: WorldRandom): WorldLatents;
  /** Draws one response at a row, whatever was asked before. A number that is not finite overflows. */
  respond(latents: WorldLatents, row: WorldRow, random: WorldRandom): number;
  /** log p(response | latents, row), nats; without it programs that are submitted stand beside no oracle's score. */
  logDensity?(latents: WorldLatents, row: WorldRow, response: number): number;
}
